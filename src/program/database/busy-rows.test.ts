import { hash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { drawsOf, receiptOf } from '../../../test/support/account-purses.ts';
import { type Account, drawAll, openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { type StandingStatement, startStandingStatement } from '../../../test/support/standing-statement.ts';
import type { Receipt } from '../../domain/receipt.ts';
import { PERIODS, windowAt } from '../../domain/window.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import { NO_STOCK, type PermitDraw } from '../../gate/purses/ports/database.ts';
import { ReceiptBatches, type UnsettledReceipt } from '../../gate/purses/settlement/receipt-batches.ts';
import { PostgresKeyStore } from './key-store.ts';
import { PostgresPermitStore } from './permit-store.ts';
import { PostgresPurseStore } from './purse-store.ts';

// Connections that stand still in the middle of a statement keep their rows, and nothing else, from others, and that not
// for long. The purses of two accounts: those of the first are busy.

const AT_ONCE = { waits: false };

let db: TestDatabase;
let store: PostgresPurseStore;
let permits: PostgresPermitStore;
let standing: StandingStatement[] = [];

beforeAll(async () => {
  db = await startTestDatabase();
  store = new PostgresPurseStore(db.database);
  permits = new PostgresPermitStore(db.database);
});
afterEach(async () => {
  await Promise.all(standing.map((each) => each.close()));
  standing = [];
});
afterAll(() => db.stop());

async function stand(statement: string, values: readonly (string | null)[] = []): Promise<StandingStatement> {
  const started = await startStandingStatement(db, statement, values);
  standing.push(started);
  return started;
}

const open = (): Promise<Account> =>
  openAccount(db.database, {
    credit: 1_000n,
    project: { requestsPerMinute: 60, budget: 1_000n },
    key: { spendLimit: 900n },
  });

const beginEpoch = (): Promise<bigint> => store.beginEpoch(randomUUID(), 'test', 30_000);

function permitsOf({ workspace, project }: Account, sequence: number): PermitDraw {
  const counts = { taken: 0, running: 0, stock: NO_STOCK, keep: NO_STOCK, returned: { requests: 0, tokens: 0 } };
  return { workspaceId: workspace.id, projectId: project.id, sequence, ...counts, needs: [0], target: NO_STOCK };
}

async function receiptFor(epoch: bigint, account: Account, charge = 5n): Promise<Receipt> {
  const rows = await db.database.query<{ id: bigint; kind: string }>(
    'select id, kind from purses join leases on purse_id = id and epoch_id = $1 where workspace_id = $2',
    [epoch, account.workspace.id],
  );
  const purse = (kind: string): bigint => rows.find((row) => row.kind === kind)?.id ?? 0n;
  const purses = { creditPurseId: purse('credit'), projectPurseId: purse('project'), keyPurseId: purse('key') };
  return receiptOf(account, purses, charge);
}

const differences = async () => (await verifyLedger(db.database)).differences;

const lockPurses = (account: Account, kinds = 'credit project key'): Promise<StandingStatement> =>
  stand(`select from purses where workspace_id = $1 and kind = any (string_to_array($2, ' ')) for no key update`, [
    account.workspace.id,
    kinds,
  ]);

const isDrawn = (replies: readonly unknown[]): readonly boolean[] => replies.map((reply) => reply !== null);

test('a purse whose row is locked is passed over by draws of many purses, which serve all others without a wait', async () => {
  const [busy, other] = [await open(), await open()];
  const [first, second] = [await beginEpoch(), await beginEpoch()];
  await drawAll(store, first, [...drawsOf(busy), ...drawsOf(other)]);
  const inTheWay = await lockPurses(busy, 'credit');
  const replies = await store.draw(second, [...drawsOf(busy), ...drawsOf(other)], AT_ONCE);
  expect(isDrawn(replies)).toEqual([false, true, true, true, true, true]);
  // What was passed over is as it was.
  await inTheWay.close();
  expect(await store.draw(second, drawsOf(busy))).toEqual([
    expect.objectContaining({ granted: 10n, sequence: 1n }),
    replies[1],
    replies[2],
  ]);
});

test('a purse whose row is locked is left alone by the first draws of a look-up, which answer whose the keys are', async () => {
  const [busy, other] = [await open(), await open()];
  await drawAll(store, await beginEpoch(), drawsOf(busy));
  await lockPurses(busy);
  const windows = PERIODS.map((period) => windowAt(period, Date.now()));
  const found = await new PostgresKeyStore(db.database).findAndDraw(
    await beginEpoch(),
    [busy, other].map(({ key }) => hash('sha256', key.key, 'buffer')),
    { windows, sequence: 1n, ahead: 10n, permitSequence: 1, tokens: 1 },
  );
  expect(found.principals.map((principal) => principal?.keyId)).toEqual([busy.key.id, other.key.id]);
  expect([...found.leases.keys()].toSorted()).toEqual([other.workspace.id, other.project.id, other.key.id].toSorted());
});

test('a purse whose row is locked keeps its own lease from being released or reaped, and no other', async () => {
  const [busy, other] = [await open(), await open()];
  const epoch = await beginEpoch();
  const [one, , , another] = await drawAll(store, epoch, [...drawsOf(busy), ...drawsOf(other)]);
  const releases = [one, another].map((reply) => ({ purseId: reply?.purseId ?? 0n, charged: 0n, sequence: 1n }));
  const inTheWay = await lockPurses(busy, 'credit');
  expect(await store.release(epoch, releases, AT_ONCE)).toEqual([null, true]);
  await store.fence(epoch);
  const left = 'select purse_id as purse from leases where epoch_id = $1';
  expect(await db.database.query(left, [epoch])).toEqual([{ purse: one?.purseId }]);
  // The next process that sees leases of the epoch still gives them back.
  await inTheWay.close();
  await store.fence(epoch);
  expect(await db.database.query(left, [epoch])).toEqual([]);
  expect(await store.formerEpochs(randomUUID())).toEqual([]);
});

test.each(['project', 'key'] as const)(
  'a purse that is being opened of a %s delays no draw of another',
  async (kind) => {
    const [busy, other] = [await open(), await open()];
    const name = drawsOf(busy).find(({ purse }) => purse.kind === kind)?.purse;
    const opening = await stand(
      `select * from draw_leases($1, jsonb_build_array(jsonb_build_object(
         'ordinal', 0, 'workspace_id', $2::uuid, 'kind', $3::text, 'subject_id', $4::uuid, 'period', 'month',
         'window_start', $5::timestamptz, 'window_end', $6::timestamptz,
         'sequence', 1, 'keep', 0, 'slack', 0, 'needs', '[]'::jsonb, 'ahead', 0)), false)`,
      [
        String(await beginEpoch()),
        busy.workspace.id,
        kind,
        name?.subjectId ?? '',
        new Date(name?.windowStartMs ?? 0).toISOString(),
        new Date(name?.windowEndMs ?? 0).toISOString(),
      ],
    );
    const epoch = await beginEpoch();
    const requests = [...drawsOf(busy), ...drawsOf(other)];
    const replies = await store.draw(epoch, requests, AT_ONCE);
    expect(isDrawn(replies)).toEqual(requests.map(({ purse }) => purse.subjectId !== name?.subjectId));
    expect(
      await store.draw(
        epoch,
        requests.filter(({ purse }) => purse.subjectId === name?.subjectId),
      ),
    ).toEqual([null]);
    expect(isDrawn(await store.draw(epoch, drawsOf(await open())))).not.toContain(false);
    await opening.close();
    expect(isDrawn(await store.draw(epoch, requests))).not.toContain(false);
  },
);

test('a purse that is being opened while its limit is changed opens with the new one', async () => {
  const account = await open();
  const change = await stand(`select * from update_project($1, $2, '{"budget_nano_usd": "77"}')`, [
    account.workspace.id,
    account.project.id,
  ]);
  const epoch = await beginEpoch();
  expect(isDrawn(await store.draw(epoch, drawsOf(account), AT_ONCE))).toEqual([true, false, true]);
  await change.close();
  expect((await drawAll(store, epoch, drawsOf(account)))[1]).toMatchObject({ limit: 1_000n });
});

test('a project whose limits are locked is passed over by draws of permits, which serve all others without a wait', async () => {
  const [busy, other] = [await open(), await open()];
  const epoch = await beginEpoch();
  expect(isDrawn(await permits.drawPermits(epoch, [permitsOf(busy, 1), permitsOf(other, 1)]))).toEqual([true, true]);
  const inTheWay = await stand('select from rate_buckets where project_id = $1 for update', [busy.project.id]);
  expect(isDrawn(await permits.drawPermits(epoch, [permitsOf(busy, 2), permitsOf(other, 2)], AT_ONCE))).toEqual([
    false,
    true,
  ]);
  expect(await permits.drawPermits(epoch, [permitsOf(busy, 2)])).toEqual([null]);
  await inTheWay.close();
  expect(isDrawn(await permits.drawPermits(epoch, [permitsOf(busy, 2)]))).toEqual([true]);
});

test('a project whose limits are locked is passed over by a draw of permits that locks nothing of the project itself', async () => {
  const busy = await open();
  const epoch = await beginEpoch();
  await permits.drawPermits(epoch, [permitsOf(busy, 1)]);
  await stand('select from rate_buckets where project_id = $1 for update', [busy.project.id]);
  const draw = JSON.stringify([{ ...jsonOf(busy), ordinal: 0, sequence: 2 }]);
  await stand('select * from draw_permits($1, $2::jsonb, null, false)', [String(epoch), draw]);
  expect(
    await db.database.query('select id from projects where id = $1 for update skip locked', [busy.project.id]),
  ).toEqual([{ id: busy.project.id }]);
});

test('a project whose limits are locked for the first time is passed over while another process makes them', async () => {
  const [busy, other] = [await open(), await open()];
  const draw = JSON.stringify([{ ...jsonOf(busy), ordinal: 0 }]);
  const inTheWay = await stand('select * from draw_permits($1, $2::jsonb, null, true)', [
    String(await beginEpoch()),
    draw,
  ]);
  const epoch = await beginEpoch();
  expect(isDrawn(await permits.drawPermits(epoch, [permitsOf(busy, 1), permitsOf(other, 1)], AT_ONCE))).toEqual([
    false,
    true,
  ]);
  await inTheWay.close();
  expect(isDrawn(await permits.drawPermits(epoch, [permitsOf(busy, 1)]))).toEqual([true]);
});

function jsonOf({ workspace, project }: Account): object {
  const numbers = ['taken', 'running', 'stock_requests', 'stock_tokens', 'stock_slots', 'keep_requests', 'keep_tokens'];
  const more = [
    'keep_slots',
    'returned_requests',
    'returned_tokens',
    'target_requests',
    'target_tokens',
    'target_slots',
  ];
  const zeros = Object.fromEntries([...numbers, ...more].map((name) => [name, 0]));
  return { workspace_id: workspace.id, project_id: project.id, sequence: 1, ...zeros, needs: [0] };
}

test.each([
  ['timely', false],
  ['late', true],
])('receipts whose leases are locked wait apart from all others of their batch (%s)', async (_, isLate) => {
  const [busy, other] = [await open(), await open()];
  const epoch = await beginEpoch();
  await drawAll(store, epoch, [...drawsOf(busy), ...drawsOf(other)]);
  const kept = await receiptFor(epoch, busy);
  const receipts = [kept, ...(await Promise.all(Array.from({ length: 7 }, () => receiptFor(epoch, other, 1n))))];
  if (isLate) await store.fence(epoch);
  const inTheWay = isLate
    ? await lockPurses(busy, 'key')
    : await stand('select from leases where epoch_id = $1 and purse_id = $2 for update', [
        String(epoch),
        String(kept.keyPurseId),
      ]);
  const ends: string[] = [];
  const left: UnsettledReceipt[] = [];
  const batches = new ReceiptBatches<UnsettledReceipt>({
    store,
    epochId: epoch,
    onFenced: () => undefined,
    onLost: null,
    onUnavailable: (fault) => Promise.reject(fault),
    onBusy: (row) => left.push(row),
    onLate: null,
    onEnd: (_row, { kind }) => ends.push(kind),
  });
  if (isLate) batches.fence();
  await batches.settle(receipts.map((receipt) => ({ receipt, answer: null })));
  expect(ends).toEqual(Array(7).fill(isLate ? 'late' : 'timely'));
  expect(left.map(({ receipt }) => receipt.requestId)).toEqual([kept.requestId]);
  await inTheWay.close();
  await batches.settle(left);
  expect(ends).toHaveLength(8);
  expect(await differences()).toEqual([]);
});

test('receipts whose leases are locked are late only when what their epoch had leased is back, and keep no others', async () => {
  const [busy, free] = [await open(), await open()];
  const epoch = await beginEpoch();
  await drawAll(store, epoch, [...drawsOf(busy, 800n), ...drawsOf(free)]);
  const receipt = await receiptFor(epoch, busy, 800n);
  const other = await receiptFor(epoch, free);
  const inTheWay = await lockPurses(busy, 'credit');
  await store.fence(epoch);
  await expect(store.settleLate(epoch, [receipt], new Map())).rejects.toMatchObject({ reason: 'contended' });
  await store.settleLate(epoch, [other], new Map());
  await inTheWay.close();
  await store.settleLate(epoch, [receipt], new Map());
  const charge = 'select charge_nano_usd as charge from receipts where request_id = $1';
  expect(await db.database.query(charge, [receipt.requestId])).toEqual([{ charge: 800n }]);
  expect(await db.database.query(charge, [other.requestId])).toEqual([{ charge: 5n }]);
});

test('a statement of money that stands still is ended by the server, with its connection, and has changed nothing', async () => {
  const [one, other] = [await open(), await open()];
  const epoch = await beginEpoch();
  await drawAll(store, epoch, [...drawsOf(one), ...drawsOf(other)]);
  const receipt = await receiptFor(epoch, one);
  await store.settle(epoch, [receipt], new Map());
  const [live, dead] = [String(epoch), String(await beginEpoch())];
  await db.database.query('update epochs set fenced_at = now() where id = $1', [dead]);
  const draw = JSON.stringify([{ ...jsonOf(one), ordinal: 0 }]);
  const statements: readonly (readonly [string, ...string[]])[] = [
    [`select post_credit(gen_random_uuid(), $1, 'grant', 7, 'test', 'a test', null, null)`, other.workspace.id],
    // It changes nothing, so that no posting bounds it.
    [
      `select correct_receipt(gen_random_uuid(), $1, $2, ${receipt.charge}, 'test', 'a test', null)`,
      one.workspace.id,
      receipt.requestId,
    ],
    [`select draw_leases($1, '[]', true)`, live],
    [`select draw_permits($1, $2, null, true)`, live, draw],
    [`select claim_idempotency_key($1, $2, $3, 'k', '', gen_random_uuid())`, live, one.workspace.id, one.key.id],
    [`select release_idempotency_key($1, $2, 'k', gen_random_uuid(), true)`, other.workspace.id, other.key.id],
    [`select settle_receipts($1, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`, live],
    [`select settle_late_receipts($1, '[]')`, live],
    [`select release_leases($1, '{}', '{}', '{}', true)`, live],
    [`select reap_epoch($1, 0, 10, true)`, dead],
  ];
  const stuck = await Promise.all(statements.map(([statement, ...values]) => stand(statement, values)));
  for (const each of stuck) expect(await each.ended).toContain('transaction timeout');
  expect(await differences()).toEqual([]);
  const [posted] = await db.database.query<{ postings: bigint }>(
    'select count(*) as postings from ledger_postings where workspace_id = any ($1)',
    [[one.workspace.id, other.workspace.id]],
  );
  expect(posted?.postings).toBe(2n);
});

test('a change of credit whose process stands still before it commits keeps requests waiting for a second at most', async () => {
  const account = await open();
  const [first, second] = [await beginEpoch(), await beginEpoch()];
  await drawAll(store, first, drawsOf(account));
  const posted = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const change = db.database.transaction(async (tx) => {
    await tx.query(`select post_credit(gen_random_uuid(), $1, 'grant', 7, 'test', 'a test', null, null)`, [
      account.workspace.id,
    ]);
    posted.resolve();
    await gone.promise;
    await tx.query('select 1');
  });
  const outcome = change.catch((fault: unknown) => fault);
  await posted.promise;
  const sinceMs = performance.now();
  const isServed = async (): Promise<boolean> => (await store.draw(second, drawsOf(account)))[0] !== null;
  await expect.poll(isServed, { timeout: 15_000, interval: 10 }).toBe(true);
  const waitedMs = performance.now() - sinceMs;
  gone.resolve();
  // For the sake of busy machines more than a second, and less than any other bound.
  expect(waitedMs).toBeLessThan(4_000);
  expect(await outcome).toBeInstanceOf(DatabaseUnavailable);
  expect(await differences()).toEqual([]);
});

test('an epoch is fenced though one of its statements stands still', async () => {
  const epoch = await beginEpoch();
  const before = await stand('select from epochs where id = $1 for key share', [String(epoch)]);
  await store.fence(epoch);
  expect(await before.ended).toContain('administrator command');
  await expect(store.heartbeat(epoch, null)).rejects.toThrow('declared dead');
});

test('a fence ends no statement that another epoch waits for, in this database or in another', async () => {
  // The first epochs of two databases are the same row of the same table.
  const [here, there] = [await startTestDatabase(), await startTestDatabase()];
  const beginAt = ({ database }: TestDatabase): Promise<bigint> =>
    new PostgresPurseStore(database).beginEpoch(randomUUID(), 'test', 30_000);
  const ended = async ({ database }: TestDatabase, epoch: bigint) =>
    (await database.query<{ ended: number }>('select end_statements_of($1) as ended', [epoch]))[0]?.ended;
  const [epoch, other, same] = [await beginAt(here), await beginAt(here), await beginAt(there)];
  const before = await startStandingStatement(here, 'select from epochs where id = $1 for key share', [String(epoch)]);
  const fencing = here.database.query('select fence_epoch($1, null)', [epoch]);
  await expect
    .poll(() => db.database.query('select from pg_locks where not granted'), { timeout: 15_000 })
    .not.toHaveLength(0);
  expect(await ended(here, other)).toBe(0);
  expect(await ended(there, same)).toBe(0);
  expect(await ended(here, epoch)).toBe(1);
  expect(await before.ended).toContain('administrator command');
  await fencing;
  await Promise.all([here.stop(), there.stop()]);
});
