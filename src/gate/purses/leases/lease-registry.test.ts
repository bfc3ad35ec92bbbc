import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import type { Principal } from '../../../domain/principal.ts';
import { DRAW_RULE } from './draw-rule.ts';
import type { Lease } from './lease.ts';
import { LeaseRegistry } from './lease-registry.ts';

const MARCH_MS = Date.UTC(2027, 2, 1);
const IDLE_MS = DRAW_RULE.idleMs;
const FORGET_MS = DRAW_RULE.forgetMs;

let clock: ManualClock;
let awaited: Set<Lease>;
let registry: LeaseRegistry;
let sequence: bigint;

beforeEach(() => {
  clock = new ManualClock(MARCH_MS - 3_600_000);
  awaited = new Set();
  sequence = 0n;
  registry = new LeaseRegistry(clock, (lease) => awaited.has(lease));
});

function principal(keyId = 'key', budgetPeriod: Principal['budgetPeriod'] = 'never'): Principal {
  return {
    workspaceId: 'workspace',
    projectId: 'project',
    keyId,
    policies: [],
    expiresAtMs: null,
    rateLimits: { requestsPerMinute: null, tokensPerMinute: null, concurrency: null },
    budgetPeriod,
    memberLimitId: null,
    servedLimits: null,
    served: null,
    reportsCost: false,
    isAllowedFrom: null,
    suspension: null,
  };
}

/** A draw of the lease is answered: it has this slack, and its purse has nothing else. */
function drawn(lease: Lease, slack: bigint, purseId = sequence + 1n): void {
  sequence += 1n;
  lease.beginDraw(sequence, false);
  const seen = {
    purseId,
    sequence,
    limit: 1_000n,
    spentByOthers: 0n,
    available: 0n,
    open: false,
    mode: 'wet',
  } as const;
  lease.learn({ ...seen, granted: lease.held + lease.charged + slack });
  registry.noteDrawn(lease);
}

test('a caller has one lease for each purse, which it shares with all that pass the purse, until the window is over', async () => {
  const [one, other] = [principal('one'), principal('other')];
  const first = registry.of(one);
  expect(registry.of(one)).toBe(first);
  expect(registry.of({ ...one })).not.toBe(first);
  expect(registry.of({ ...one })).toMatchObject({ credit: first.credit, key: first.key });
  const second = registry.of(other);
  expect([second.credit === first.credit, second.project === first.project]).toEqual([true, true]);
  expect(second.key).not.toBe(first.key);
  expect(first.key.name).toMatchObject({ kind: 'key', subjectId: 'one', period: 'month', windowEndMs: MARCH_MS });
  expect(first.project.name).toMatchObject({ kind: 'project', subjectId: 'project', period: 'never' });
  expect(first.credit.name).toMatchObject({ kind: 'credit', subjectId: 'workspace', period: 'never' });
  await clock.advance(3_599_999);
  expect(registry.of(one)).toBe(first);
  await clock.advance(1);
  const march = registry.of(one);
  expect([march.credit === first.credit, march.key === first.key]).toEqual([true, false]);
  expect(march.key.name.windowStartMs).toBe(MARCH_MS);
  // The database's clock may go back.
  clock.nowMs = () => MARCH_MS - 1;
  expect(registry.of(one).key).toBe(first.key);
});

test('a project’s window that ends before its key’s month ends the leases of a caller', async () => {
  clock = new ManualClock(Date.UTC(2027, 2, 10, 23));
  registry = new LeaseRegistry(clock, () => false);
  const caller = principal('key', 'day');
  const first = registry.of(caller);
  await clock.advance(3_600_000);
  const next = registry.of(caller);
  expect([next.project === first.project, next.key === first.key]).toEqual([false, true]);
});

test('a lease is known by its purse once it has been drawn', () => {
  const { key } = registry.of(principal());
  expect([registry.ofPurse(7n), [...registry.known()]]).toEqual([undefined, []]);
  drawn(key, 10n, 7n);
  expect(registry.ofPurse(7n)).toBe(key);
  expect([...registry.known()]).toEqual([key]);
  expect(key.lastDrawMs).toBe(clock.monotonicMs());
});

test('a change of a purse that no lease was known to draw from is reported once, to a lease that was drawn before it', () => {
  const { credit, project, key } = registry.of(principal());
  drawn(credit, 0n, 7n);
  drawn(project, 0n, 8n);
  drawn(key, 0n, 9n);
  registry.noteChange(7n, 1n);
  registry.noteChange(8n, 1n);
  expect([credit, project, key, credit].map((lease) => registry.takeNewerChange(lease))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  registry.noteChange(9n, 3n);
  registry.sweep();
  expect([registry.takeNewerChange(key), registry.takeNewerChange(key)]).toEqual([true, false]);
  registry.noteChange(9n, 3n);
  registry.sweep();
  registry.sweep();
  expect(registry.takeNewerChange(key)).toBe(false);
});

test('slack is idle once it was not held for two seconds, nobody waits for it, and there is much of it', async () => {
  const { credit, project, key } = registry.of(principal());
  drawn(credit, 10n);
  drawn(project, 10n);
  drawn(key, 0n);
  awaited.add(project);
  await clock.advance(IDLE_MS - 1);
  expect(registry.sweep().idle).toEqual([]);
  await clock.advance(1);
  expect(registry.sweep().idle).toEqual([credit]);
  // It may not have given back yet.
  expect(registry.sweep().idle).toEqual([credit]);
  awaited.clear();
  expect(registry.sweep().idle).toEqual([credit, project]);
  key.hold(0n, clock.monotonicMs());
  key.close(0n, 0n);
  drawn(key, 10n);
  await clock.advance(IDLE_MS);
  expect(registry.sweep().idle).toContain(key);
});

test('slack that comes free by a hold that closes is looked at again', async () => {
  const { key } = registry.of(principal());
  drawn(key, 10n);
  key.hold(10n, clock.monotonicMs());
  await clock.advance(IDLE_MS);
  expect(registry.sweep().idle).toEqual([]);
  registry.noteUsed(key);
  expect(registry.sweep().idle).toEqual([]);
  key.close(10n, 0n);
  expect(registry.sweep().idle).toEqual([]);
  registry.noteUsed(key);
  expect(registry.sweep().idle).toEqual([key]);
});

test('a lease is forgotten ten minutes after its last hold and its last draw, and closed where it was drawn', async () => {
  const caller = principal();
  const first = registry.of(caller);
  drawn(first.credit, 0n, 7n);
  drawn(first.key, 0n, 8n);
  await clock.advance(1_000);
  first.credit.hold(0n, clock.monotonicMs());
  first.credit.close(0n, 0n);
  first.credit.settled();
  await clock.advance(FORGET_MS - 1_001);
  expect(registry.sweep().done).toEqual([]);
  await clock.advance(1);
  // The project was never drawn, and the credit was held a second later.
  expect(registry.sweep().done).toEqual([first.key]);
  expect([registry.ofPurse(7n), registry.ofPurse(8n)]).toEqual([first.credit, undefined]);
  const second = registry.of(caller);
  expect([second.credit === first.credit, second.project === first.project, second.key === first.key]).toEqual([
    true,
    false,
    false,
  ]);
  await clock.advance(1_000);
  expect(registry.sweep().done).toEqual([first.credit]);
});

test('a lease is not forgotten while a draw or a charge of it is under way, or while a hold waits for it', async () => {
  const { credit, project, key } = registry.of(principal());
  for (const lease of [credit, project, key]) drawn(lease, 0n);
  credit.beginDraw(99n, false);
  project.hold(0n, clock.monotonicMs());
  project.close(0n, 0n);
  awaited.add(key);
  await clock.advance(2 * FORGET_MS);
  expect(registry.sweep().done).toEqual([]);
  project.settled();
  awaited.clear();
  expect(registry.sweep().done).toEqual([project, key]);
});

test('a lease whose window is over is forgotten after two seconds', async () => {
  const { key, credit } = registry.of(principal());
  for (const lease of [credit, key]) drawn(lease, 0n);
  await clock.advance(3_600_000 - FORGET_MS);
  credit.hold(0n, clock.monotonicMs());
  credit.close(0n, 0n);
  credit.settled();
  key.hold(0n, clock.monotonicMs());
  key.close(0n, 0n);
  key.settled();
  await clock.advance(IDLE_MS);
  expect(registry.sweep().done).toEqual([]);
  clock.nowMs = () => MARCH_MS;
  expect(registry.sweep().done).toEqual([]);
  clock.nowMs = () => MARCH_MS + 1;
  expect(registry.sweep().done).toEqual([key]);
});

test('a sweep closes five hundred leases at most, and the next ones go on where it ended', async () => {
  const leases = Array.from({ length: 1_200 }, (_none, at) => registry.of(principal(`${at}`)).key);
  for (const lease of leases) drawn(lease, 0n);
  await clock.advance(FORGET_MS);
  const done = [1, 2, 3, 4].map(() => registry.sweep().done);
  expect(done.map(({ length }) => length)).toEqual([500, 500, 200, 0]);
  expect(done.flat()).toEqual(leases);
});

test('a sweep looks at two thousand leases at most, and the next one goes on where it ended', async () => {
  const named = (at: number): Lease =>
    registry.named({
      workspaceId: 'w',
      kind: 'key',
      subjectId: String(at),
      period: 'never',
      windowStartMs: 0,
      windowEndMs: null,
    });
  for (let at = 0; at < 2_000; at++) awaited.add(named(at));
  const last = named(2_000);
  drawn(last, 0n);
  await clock.advance(FORGET_MS);
  expect(registry.sweep().done).toEqual([]);
  expect(registry.sweep().done).toEqual([last]);
});

/** A lease of 100 that holds 10. */
function holding(leases: LeaseRegistry, id: number): Lease {
  const name = { workspaceId: 'w', kind: 'key', subjectId: String(id), period: 'never' } as const;
  const lease = leases.named({ ...name, windowStartMs: 0, windowEndMs: null });
  lease.beginDraw(1n, false);
  const unlimited = { limit: null, spentByOthers: 0n, available: null, granted: 100n, open: false } as const;
  lease.learn({ ...unlimited, purseId: BigInt(id), mode: 'wet', sequence: 1n });
  leases.noteDrawn(lease);
  lease.hold(10n, clock.monotonicMs());
  leases.noteHeld(lease);
  return lease;
}

test('a process says what it holds of up to a thousand purses, and of more nothing rather than a part', () => {
  const leases = registry;
  const held = Array.from({ length: 1_001 }, (_, id) => holding(leases, id + 1));
  expect(leases.inUse()).toBeNull();
  held[7]?.close(10n, 0n);
  held[7]?.settled();
  const said = leases.inUse();
  expect(said?.size).toBe(1_000);
  expect(said?.get(9n)).toBe(10n);
  expect(said?.has(8n)).toBe(false);
});

test('a process keeps nothing of leases that it has forgotten', async () => {
  const leases = registry;
  const lease = holding(leases, 1);
  lease.close(10n, 4n);
  expect(leases.inUse()).toEqual(new Map([[1n, 4n]]));
  lease.settled();
  await clock.advance(FORGET_MS + 1);
  expect(leases.sweep().done).toEqual([lease]);
  expect(leases.inUse()).toEqual(new Map());
});
