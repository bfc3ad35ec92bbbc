import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { ClaimResult, IdempotentRequest } from '../../gate/gateway/claims/idempotency-store.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { EpochFenced } from '../../gate/purses/ports/database.ts';
import { PostgresIdempotencyStore, pruneIdempotentRequests } from './idempotency-store.ts';
import { PostgresPurseStore } from './purse-store.ts';

// What the database guarantees of claims, whatever arrives late or at the same time.

const BODY = Buffer.alloc(32, 1);
const OTHER_BODY = Buffer.alloc(32, 2);

let db: TestDatabase;
let store: PostgresIdempotencyStore;
let purses: PostgresPurseStore;
/** The claims' key in each test. */
let key: Pick<IdempotentRequest, 'workspaceId' | 'keyId' | 'idempotencyKey'>;
let epoch: bigint;

beforeAll(async () => {
  db = await startTestDatabase();
  store = new PostgresIdempotencyStore(db.database);
  purses = new PostgresPurseStore(db.database);
});
afterAll(() => db.stop());
beforeEach(async () => {
  key = { workspaceId: randomUUID(), keyId: randomUUID(), idempotencyKey: 'order-7' };
  epoch = await beginEpoch();
});

const beginEpoch = (): Promise<bigint> => purses.beginEpoch(randomUUID(), 'test', 30_000);
const request = (): IdempotentRequest => ({ ...key, requestId: randomUUID() });
const claim = (by: IdempotentRequest, body = BODY, of = epoch): Promise<ClaimResult> => store.claim(of, by, body);

/** The store as one connection sees it inside a transaction: what it does is under way until that ends. */
function inside(tx: SqlRunner): PostgresIdempotencyStore {
  return new PostgresIdempotencyStore(tx as unknown as Sql);
}

async function complete(
  { workspaceId, keyId, idempotencyKey, requestId }: IdempotentRequest,
  answer: Buffer,
  sql: SqlRunner = db.database,
) {
  await sql.query('select complete_idempotent_requests($1, $2, $3, $4, $5)', [
    [workspaceId],
    [keyId],
    [idempotencyKey],
    [requestId],
    [answer],
  ]);
}

async function age({ idempotencyKey, keyId }: IdempotentRequest, interval: string): Promise<void> {
  await db.database.query(
    'update idempotent_requests set claimed_at = now() - $3::interval where key_id = $1 and idempotency_key = $2',
    [keyId, idempotencyKey, interval],
  );
}

/** All others that are about to update a claim, having read it, wait there until the work's transaction ends. */
async function beforeUpdates(work: (tx: SqlRunner) => Promise<void>): Promise<void> {
  const gate = randomInt(2 ** 31);
  await db.database.query(`
    create function wait_at_gate() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(${gate}); return null; end';
    create trigger gate before update on idempotent_requests for each statement execute function wait_at_gate()`);
  await db.database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [gate]);
    await work(tx);
  });
  await db.database.query('drop function wait_at_gate cascade');
}

/** Resolves once another statement of this database waits for a lock. */
async function somebodyWaits(): Promise<void> {
  const waiting = 'select from pg_stat_activity where wait_event_type = $1 and datname = current_database()';
  await expect.poll(async () => (await db.database.query(waiting, ['Lock'])).length).toBeGreaterThan(0);
}

test('a key is claimed from its first claim until that is released, and after that is completed; no other is', async () => {
  const first = request();
  expect(await store.isClaimed(first)).toBe(false);
  await claim(first);
  expect([await store.isClaimed(request()), await store.isClaimed({ ...key, keyId: randomUUID() })]).toEqual([
    true,
    false,
  ]);
  await store.release(first, false);
  expect(await store.isClaimed(first)).toBe(false);
  const second = request();
  await claim(second);
  await complete(second, Buffer.from('answer'));
  expect(await store.isClaimed(second)).toBe(true);
});

test('a claim is one request’s until it is released; the next one’s then', async () => {
  const [first, second] = [request(), request()];
  expect(await claim(first)).toEqual({ state: 'claimed' });
  expect(await claim(second)).toEqual({ state: 'running' });
  expect(await claim(second, OTHER_BODY)).toEqual({ state: 'mismatch' });
  await store.release(second, false);
  expect(await claim(second)).toEqual({ state: 'running' });
  await store.release(first, false);
  expect(await claim(second, OTHER_BODY)).toEqual({ state: 'claimed' });
});

test('a claim is found to be its request’s own when it is sent again, also by the next epoch of its process', async () => {
  const first = request();
  await claim(first);
  expect(await claim(first)).toEqual({ state: 'claimed' });
  const next = await beginEpoch();
  await purses.fence(epoch);
  expect(await claim(first, BODY, next)).toEqual({ state: 'claimed' });
  expect(await claim(request(), BODY, next)).toEqual({ state: 'running' });
});

test('a claim that is completed answers repeats, and is completed by its own request alone', async () => {
  const [first, second] = [request(), request()];
  await claim(first);
  await complete(second, Buffer.from('not this'));
  expect(await claim(second)).toEqual({ state: 'running' });
  await complete(first, Buffer.from('the answer'));
  await complete(first, Buffer.from('another answer'));
  await store.release(first, true);
  const done = { state: 'done', requestId: first.requestId };
  expect(await claim(second)).toEqual({ ...done, answer: Buffer.from('the answer') });
  expect(await claim(second, OTHER_BODY)).toEqual({ state: 'mismatch' });
});

test('a claim is of one key alone: others of its workspace have theirs under the same name', async () => {
  const requests = Array.from({ length: 3 }, () => ({ ...request(), keyId: randomUUID() }));
  for (const each of requests) {
    expect(await claim(each)).toEqual({ state: 'claimed' });
    await complete(each, Buffer.from(each.keyId));
  }
  for (const each of requests) {
    const repeat = { ...each, requestId: randomUUID() };
    const answer = Buffer.from(each.keyId);
    expect(await claim(repeat)).toEqual({ state: 'done', requestId: each.requestId, answer });
  }
});

test('a claim is free after a day, completed or not, for any body; until then it is not', async () => {
  for (const isCompleted of [true, false]) {
    const [first, second] = [request(), request()];
    await claim(first);
    if (isCompleted) await complete(first, Buffer.from('the answer'));
    await age(first, '23 hours 59 minutes');
    expect(await claim(second, OTHER_BODY)).toEqual({ state: 'mismatch' });
    // A transaction's time stands still.
    await db.database.transaction(async (tx) => {
      const aDayAgo = `update idempotent_requests set claimed_at = now() - interval '24 hours' where request_id = $1`;
      await tx.query(aDayAgo, [first.requestId]);
      expect(await inside(tx).claim(epoch, second, OTHER_BODY)).toEqual({ state: 'mismatch' });
    });
    await age(first, '24 hours 1 second');
    expect(await claim(second, OTHER_BODY)).toEqual({ state: 'claimed' });
    await complete(first, Buffer.from('the answer of yesterday'));
    expect(await claim(request(), OTHER_BODY)).toEqual({ state: 'running' });
    key = { ...key, idempotencyKey: 'order-8' };
  }
});

test('a claim of an epoch that is fenced is free for the same body, and no earlier', async () => {
  const [first, second] = [request(), request()];
  const other = await beginEpoch();
  await claim(first);
  expect(await claim(second, BODY, other)).toEqual({ state: 'running' });
  await purses.fence(epoch);
  expect(await claim(second, OTHER_BODY, other)).toEqual({ state: 'mismatch' });
  expect(await claim(second, BODY, other)).toEqual({ state: 'claimed' });
  expect(await claim(request(), BODY, other)).toEqual({ state: 'running' });
  await expect(claim(first)).rejects.toThrow(EpochFenced);
});

test('a claim of an epoch that is fenced keeps its answer if it was completed before', async () => {
  const first = request();
  const other = await beginEpoch();
  await claim(first);
  await complete(first, Buffer.from('the answer'));
  await purses.fence(epoch);
  expect(await claim(request(), BODY, other)).toMatchObject({ state: 'done', requestId: first.requestId });
});

test('a claim of a fenced epoch is known as soon as the fence returns, which waits for a claim under way', async () => {
  const [first, second] = [request(), request()];
  const other = await beginEpoch();
  const events: string[] = [];
  let fencing: Promise<void> = Promise.resolve();
  await db.database.transaction(async (tx) => {
    await inside(tx).claim(epoch, first, BODY);
    fencing = purses.fence(epoch).then(() => void events.push('fenced'));
    await somebodyWaits();
    events.push('claim committed');
  });
  await fencing;
  expect(events).toEqual(['claim committed', 'fenced']);
  expect(await claim(second, BODY, other)).toEqual({ state: 'claimed' });
});

test.each<
  [string, (tx: SqlRunner, first: IdempotentRequest, second: IdempotentRequest, by: bigint) => Promise<unknown>, string]
>([
  ['another request has taken over', (tx, _, second, by) => inside(tx).claim(by, second, BODY), 'running'],
  ['its own request has completed', (tx, first) => complete(first, Buffer.from('the answer'), tx), 'done'],
])(
  'a claim of an epoch that is fenced is not taken over by a request that found it free before %s',
  async (_, work, state) => {
    const [first, second, third] = [request(), request(), request()];
    const other = await beginEpoch();
    await claim(first);
    await purses.fence(epoch);
    let waiting: Promise<ClaimResult> | undefined;
    await beforeUpdates(async (tx) => {
      waiting = claim(third, BODY, other);
      await somebodyWaits();
      await work(tx, first, second, other);
    });
    expect(await waiting).toMatchObject({ state });
  },
);

test('a claim of an epoch that is fenced is not mistaken for one of an epoch that began while the next claim waited', async () => {
  const [first, second] = [request(), request()];
  let waiting: Promise<ClaimResult> | undefined;
  await db.database.transaction(async (tx) => {
    await inside(tx).claim(epoch, first, BODY);
    waiting = claim(second);
    await somebodyWaits();
    // It is the first request's own again, but of an epoch that the waiting statement has never seen.
    await inside(tx).claim(await beginEpoch(), first, BODY);
  });
  expect(await waiting).toEqual({ state: 'running' });
});

test('a claim whose outcome was lost has no effect once its request has given it up, however late it arrives', async () => {
  const [first, second] = [request(), request()];
  await store.release(first, true);
  await expect(claim(first)).rejects.toThrow('a request that released its claim makes no other');
  expect(await claim(second)).toEqual({ state: 'claimed' });
  await store.release(second, true);
  await expect(claim(first)).rejects.toThrow('released its claim');
  expect(await claim(request())).toEqual({ state: 'claimed' });
});

test('a claim whose outcome was lost is given up also while its statement is under way', async () => {
  const [first, second] = [request(), request()];
  let release: Promise<void> = Promise.resolve();
  await db.database.transaction(async (tx) => {
    await inside(tx).claim(epoch, first, BODY);
    release = store.release(first, true);
    await somebodyWaits();
  });
  await release;
  expect(await claim(second)).toEqual({ state: 'claimed' });
});

test('a claim whose outcome was lost is given up by a release that its statement has to wait for', async () => {
  const [first, second] = [request(), request()];
  let late: Promise<unknown> = Promise.resolve();
  await db.database.transaction(async (tx) => {
    await inside(tx).release(first, true);
    late = claim(first).catch((fault: unknown) => fault);
    await somebodyWaits();
  });
  expect(await late).toBeInstanceOf(Error);
  expect(await claim(second)).toEqual({ state: 'claimed' });
});

test('claims are locked in their order before any of them is completed, so that no two batches wait for each other', async () => {
  const [one, other] = [
    { ...request(), idempotencyKey: 'a' },
    { ...request(), idempotencyKey: 'b' },
  ];
  await claim(one);
  await claim(other);
  const lock = 'select idempotency_key as key from idempotent_requests where key_id = $1 and idempotency_key = $2';
  let completing: Promise<unknown> = Promise.resolve();
  await db.database.transaction(async (tx) => {
    await tx.query(`${lock} for update`, [key.keyId, 'a']);
    completing = db.database.query('select complete_held_claims($1, $2, $3, $4, $5)', [
      [key.workspaceId, key.workspaceId],
      [key.keyId, key.keyId],
      ['b', 'a'],
      [other.requestId, one.requestId],
      [Buffer.from('b'), Buffer.from('a')],
    ]);
    await somebodyWaits();
    expect(await tx.query(`${lock} for update nowait`, [key.keyId, 'b'])).toEqual([{ key: 'b' }]);
  });
  await completing;
  expect(await claim({ ...other, requestId: randomUUID() })).toMatchObject({ state: 'done', answer: Buffer.from('b') });
});

test('claims are completed without a wait for claims of other keys, or of other names, that somebody has locked', async () => {
  const one = request();
  const others = [
    { ...request(), keyId: randomUUID() },
    { ...request(), idempotencyKey: 'order-8' },
  ];
  for (const each of [one, ...others]) await claim(each);
  await db.database.transaction(async (tx) => {
    const lock = 'select from idempotent_requests where request_id = any ($1::uuid[]) for update';
    await tx.query(lock, [others.map(({ requestId }) => requestId)]);
    const values = [[one.workspaceId], [one.keyId], [one.idempotencyKey], [one.requestId], [Buffer.from('answer')]];
    await db.database.transaction((other) => other.query('select complete_held_claims($1, $2, $3, $4, $5)', values), {
      settings: { lock_timeout: 1_000 },
    });
  });
  const repeat = { ...one, requestId: randomUUID() };
  expect(await claim(repeat)).toMatchObject({ state: 'done', answer: Buffer.from('answer') });
});

test('claims are forgotten after a day, but for those that another request has lost, without their answers', async () => {
  const [old, fresh, lost] = [
    request(),
    { ...request(), idempotencyKey: 'fresh' },
    { ...request(), idempotencyKey: 'lost' },
  ];
  const other = await beginEpoch();
  await claim(old, BODY, other);
  await claim(fresh, BODY, other);
  await claim(lost);
  await purses.fence(epoch);
  const winner = { ...lost, requestId: randomUUID() };
  await claim(winner, BODY, other);
  await complete(winner, Buffer.from('the answer'));
  await complete(fresh, Buffer.from('the answer'));
  for (const each of [old, winner]) await age(each, '25 hours');
  const left = () =>
    db.database.query(
      `select idempotency_key as key, answer is not null as "hasAnswer" from idempotent_requests where key_id = $1
       order by idempotency_key`,
      [key.keyId],
    );
  await pruneIdempotentRequests(db.database);
  expect(await left()).toEqual([
    { key: 'fresh', hasAnswer: true },
    { key: 'lost', hasAnswer: false },
  ]);
  await age(winner, '91 days');
  await pruneIdempotentRequests(db.database);
  expect(await left()).toEqual([{ key: 'fresh', hasAnswer: true }]);
});
