import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { Principal } from '../../domain/principal.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import type { Change, ChangeListener } from './changes.ts';
import { makeKeySecret } from '../../control/accounts/key-secret.ts';
import { PrincipalCache } from './principal-cache.ts';

// A key read before it changed is never cached, however many changes overtake its look-ups.

const { key } = makeKeySecret('00');
const RATE_LIMITS = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

/** The key as loaded by one read; `reads` distinguishes the reads. */
const principalOf = (reads: number): Principal => ({
  workspaceId: 'workspace',
  projectId: 'project',
  keyId: 'key',
  policies: [],
  expiresAtMs: reads,
  rateLimits: RATE_LIMITS,
  budgetPeriod: 'month',
  memberLimitId: null,
  servedLimits: null,
  served: null,
  reportsCost: false,
  isAllowedFrom: null,
  suspension: null,
});

let cache: PrincipalCache;
let clock: ManualClock;
let tell: ChangeListener;
let reset: () => void;
/** Look-ups in progress, in order, each of one key. */
let lookUps: PromiseWithResolvers<readonly (Principal | null)[]>[];

beforeEach(() => {
  clock = new ManualClock();
  lookUps = [];
  const feed = {
    subscribe: (onChange: ChangeListener, onReset: () => void) => {
      tell = onChange;
      reset = onReset;
    },
  };
  const lookUp = () => {
    const underWay = Promise.withResolvers<readonly (Principal | null)[]>();
    lookUps.push(underWay);
    return underWay.promise;
  };
  cache = new PrincipalCache({ lookUp, clock, turns: clock, feed });
});

const CHANGES: readonly Change[] = [
  { kind: 'key', subjectId: 'key' },
  { kind: 'project', subjectId: 'project' },
  { kind: 'workspace', subjectId: 'workspace' },
];

/** Resolves the look-up of this number with the state before it; `meanwhile` runs before the result arrives. */
async function answer(number: number, meanwhile: () => void = () => undefined, found = true): Promise<void> {
  await clock.advance(0);
  expect(lookUps).toHaveLength(number);
  meanwhile();
  lookUps.at(-1)?.resolve([found ? principalOf(number) : null]);
  await clock.advance(0);
}

for (const change of CHANGES) {
  test(`a look-up overtaken by the change of a ${change.kind} is repeated, and only the last result is cached`, async () => {
    const found = cache.find(key);
    await answer(1, () => tell(change));
    await answer(2, () => tell(change));
    await answer(3);
    expect(await found).toEqual(principalOf(3));
    expect(cache.find(key)).toEqual(principalOf(3));
  });
}

test('a look-up is repeated if changes may have been missed', async () => {
  const found = cache.find(key);
  await answer(1, () => reset());
  await answer(2, undefined, false);
  expect(await found).toBeNull();
});

test('a look-up is not repeated for changes that don’t concern keys', async () => {
  const found = cache.find(key);
  await answer(1, () => tell({ kind: 'purse', subjectId: '7' }));
  expect(await found).toEqual(principalOf(1));
  expect(cache.find(key)).toEqual(principalOf(1));
});

test('a look-up overtaken three times is used once and not cached: a revoked key works for that one request', async () => {
  const found = cache.find(key);
  for (const number of [1, 2, 3]) await answer(number, () => tell(CHANGES[0]!));
  expect(await found).toEqual(principalOf(3));
  const next = cache.find(key);
  expect(next).toBeInstanceOf(Promise);
  await answer(4, undefined, false);
  expect(await next).toBeNull();
  expect(cache.find(key)).toBeNull();
});

test('an unknown key whose look-up was overtaken three times is not cached: one created in between is found', async () => {
  const found = cache.find(key);
  for (const number of [1, 2, 3]) await answer(number, () => tell(CHANGES[0]!), false);
  expect(await found).toBeNull();
  const next = cache.find(key);
  expect(next).toBeInstanceOf(Promise);
  await answer(4);
  expect(await next).toEqual(principalOf(4));
});

test('all cached look-ups, of live and unknown keys, are dropped when changes may have been missed', async () => {
  const lived = cache.find(key);
  await answer(1);
  expect(await lived).toEqual(principalOf(1));
  reset();
  const revoked = cache.find(key);
  expect(revoked).toBeInstanceOf(Promise);
  await answer(2, undefined, false);
  expect(await revoked).toBeNull();
  expect(cache.find(key)).toBeNull();
  reset();
  const restored = cache.find(key);
  expect(restored).toBeInstanceOf(Promise);
  await answer(3);
  expect(await restored).toEqual(principalOf(3));
});

test('an unknown key is cached as unknown for one second', async () => {
  const unknown = cache.find(key);
  await answer(1, undefined, false);
  await unknown;
  await clock.advance(999);
  expect(cache.find(key)).toBeNull();
  await clock.advance(1);
  const next = cache.find(key);
  expect(next).toBeInstanceOf(Promise);
  await answer(2);
  expect(await next).toEqual(principalOf(2));
});

test('a cached look-up is dropped only by a change of its key, its project or its workspace', async () => {
  let reads = 0;
  const learn = async (): Promise<void> => {
    const found = cache.find(key);
    await answer(++reads);
    await found;
  };
  await learn();
  for (const { kind } of CHANGES) tell({ kind, subjectId: 'another' });
  for (const change of CHANGES) {
    expect(cache.find(key)).toEqual(principalOf(reads));
    tell(change);
    await learn();
  }
});

test('a failed look-up rejects only its own callers and leaves cached look-ups in place', async () => {
  const first = cache.find(key);
  await clock.advance(0);
  lookUps[0]?.reject(new DatabaseUnavailable('away'));
  await expect(first).rejects.toThrow('away');
  const next = cache.find(key);
  await answer(2);
  expect(await next).toEqual(principalOf(2));
});

test('a key that was unknown is looked up once more when its workspace comes to this cell', async () => {
  const unknown = cache.find(key);
  await expect.poll(() => lookUps.length).toBe(1);
  lookUps[0]?.resolve([null]);
  expect(await unknown).toBeNull();
  expect(cache.find(key)).toBeNull();
  tell({ kind: 'workspace', subjectId: 'workspace' });
  const known = cache.find(key);
  await expect.poll(() => lookUps.length).toBe(2);
  lookUps[1]?.resolve([principalOf(1)]);
  expect(await known).toMatchObject({ keyId: 'key' });
});
