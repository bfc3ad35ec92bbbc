import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, drawAll, onceFree, openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { receiptWith } from '../../../test/support/receipts.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import type { NanoUsd } from '../../domain/money.ts';
import type { Receipt } from '../../domain/receipt.ts';
import { windowAt } from '../../domain/window.ts';
import { EpochFenced, LeaseGone } from '../../gate/purses/ports/database.ts';
import { DatabaseUnavailable, SqlFault } from '../../lib/sql.ts';
import { PostgresPurseStore } from './purse-store.ts';

// What becomes of charges whose leases are gone, and of processes that fell silent, in a real database.

const NO_ANSWERS = new Map<string, Buffer>();
const KINDS = ['credit', 'project', 'key'] as const;
type Kind = (typeof KINDS)[number];

let testDatabase: TestDatabase;
let store: PostgresPurseStore;
let account: Account;
let epoch: bigint;
let purses: readonly bigint[];

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  store = new PostgresPurseStore(testDatabase.database);
});
afterAll(() => testDatabase.stop());

/** An account whose purses are drawn by an epoch for one hold. */
async function begin(limits: { credit?: bigint; budget?: bigint; keyLimit?: bigint } = {}, need = 100n): Promise<void> {
  const { credit = 1_000n, budget, keyLimit } = limits;
  account = await openAccount(testDatabase.database, { credit });
  await testDatabase.database.query('update projects set budget_nano_usd = $2 where id = $1', [
    account.project.id,
    budget ?? null,
  ]);
  await testDatabase.database.query('update keys set spend_limit_nano_usd = $2 where id = $1', [
    account.key.id,
    keyLimit ?? null,
  ]);
  epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  purses = await draw(epoch, need);
}

async function draw(epochId: bigint, need: NanoUsd): Promise<readonly bigint[]> {
  const requests = KINDS.map((kind) => {
    const period = kind === 'credit' ? 'never' : 'month';
    const { startMs: windowStartMs, endMs: windowEndMs } = windowAt(period, Date.now());
    const subjectId = { credit: account.workspace.id, project: account.project.id, key: account.key.id }[kind];
    const purse = { workspaceId: account.workspace.id, kind, subjectId, period, windowStartMs, windowEndMs } as const;
    return { purse, sequence: 1n, keep: 0n, slack: 0n, needs: [need], ahead: 0n };
  });
  return (await drawAll(store, epochId, requests)).map(({ purseId }) => purseId);
}

function charge(amount: NanoUsd, given: Partial<Receipt> = {}): Receipt {
  const [creditPurseId = 0n, projectPurseId = 0n, keyPurseId = 0n] = purses;
  return receiptWith({
    workspaceId: account.workspace.id,
    projectId: account.project.id,
    keyId: account.key.id,
    creditPurseId,
    projectPurseId,
    keyPurseId,
    projectWindow: windowAt('month', Date.now()),
    keyWindow: windowAt('month', Date.now()),
    charge: amount,
    hold: amount,
    ...given,
  });
}

const settleLate = (...receipts: readonly Receipt[]): Promise<void> =>
  onceFree(() => store.settleLate(epoch, receipts, NO_ANSWERS));

async function stored({ requestId }: Receipt) {
  const [row] = await testDatabase.database.query<{ charge: bigint; writeOff: bigint; late: boolean }>(
    'select charge_nano_usd as charge, write_off_nano_usd as "writeOff", late from receipts where request_id = $1',
    [requestId],
  );
  return row;
}

async function spent(): Promise<Record<Kind, bigint>> {
  const rows = await testDatabase.database.query<{ kind: Kind; spent: bigint }>(
    'select kind, spent_nano_usd as spent from purses where id = any ($1::bigint[])',
    [purses],
  );
  return Object.fromEntries(rows.map(({ kind, spent: amount }) => [kind, amount])) as Record<Kind, bigint>;
}

/** An epoch's heartbeat as a peer sees it. */
async function heartbeatSeen(id: bigint): Promise<string> {
  const watcher = await store.beginEpoch(randomUUID(), 'test', 30_000);
  const peer = (await store.heartbeat(watcher, null)).peers.find(({ epochId }) => epochId === id);
  if (peer === undefined) throw new Error('there is no such peer');
  return peer.heartbeat;
}

async function standingOf(id: bigint): Promise<{ fenced: boolean; reaped: boolean }> {
  const [row] = await testDatabase.database.query<{ fenced: boolean; reaped: boolean }>(
    `select fenced_at is not null as fenced, reaped_at is not null as reaped from epochs where id = $1`,
    [id],
  );
  if (row === undefined) throw new Error('there is no such epoch');
  return row;
}

async function expectLedgerTrue(): Promise<void> {
  expect((await verifyLedger(testDatabase.database)).differences).toEqual([]);
}

test('a late charge is one for each Idempotency-Key, though both requests that had it come in one batch', async () => {
  await begin();
  await store.fence(epoch);
  const [one, other] = [1, 2].map(() => charge(40n, { idempotencyKey: 'order-7', isWhole: true }));
  await settleLate(one!, other!);
  expect([await stored(one!), await stored(other!)]).toEqual([
    { charge: 40n, writeOff: 0n, late: true },
    { charge: 0n, writeOff: 40n, late: true },
  ]);
  await expectLedgerTrue();
});

test('a late charge takes what it costs where all three purses have it', async () => {
  await begin();
  await store.fence(epoch);
  const receipt = charge(70n, { writeOff: 5n });
  await settleLate(receipt);
  expect(await stored(receipt)).toEqual({ charge: 70n, writeOff: 5n, late: true });
  expect(await spent()).toEqual({ credit: 70n, project: 70n, key: 70n });
  await expectLedgerTrue();
});

test.each([
  ['credit', { credit: 100n }],
  ['project', { budget: 100n }],
  ['key', { keyLimit: 100n }],
] as const)('a late charge takes what the %s still has, and the rest is written off', async (_kind, limits) => {
  await begin(limits);
  await store.fence(epoch);
  // Another process has taken most of what came free.
  const other = await store.beginEpoch(randomUUID(), 'test', 30_000);
  await draw(other, 60n);
  // Its lease has that already.
  await store.settle(other, [charge(50n)], NO_ANSWERS);
  const receipt = charge(70n, { writeOff: 5n });
  await settleLate(receipt);
  expect(await stored(receipt)).toEqual({ charge: 40n, writeOff: 35n, late: true });
  expect(await spent()).toEqual({ credit: 40n, project: 40n, key: 40n });
  await expectLedgerTrue();
});

test('a late charge takes the receipts of a batch in turn, the oldest first', async () => {
  await begin({ credit: 100n });
  await store.fence(epoch);
  const requestIds = [1, 2, 3].map(() => randomUUIDv7()).toSorted();
  const receipts = requestIds.map((requestId) => charge(70n, { requestId }));
  await settleLate(...receipts.toReversed());
  const rows = await Promise.all(receipts.map(stored));
  expect(rows.map((row) => row?.charge)).toEqual([70n, 30n, 0n]);
  expect(rows.reduce((sum, row) => sum + (row?.writeOff ?? 0n), 0n)).toBe(110n);
  await expectLedgerTrue();
});

test('a late charge takes nothing of a purse that has spent more than its limit by then', async () => {
  await begin({ budget: 100n });
  await store.fence(epoch);
  await settleLate(charge(70n));
  await testDatabase.database.query('update purses set limit_nano_usd = 50 where id = $1', [purses[1] ?? 0n]);
  const receipt = charge(10n);
  await settleLate(receipt);
  expect(await stored(receipt)).toEqual({ charge: 0n, writeOff: 10n, late: true });
  expect(await spent()).toEqual({ credit: 70n, project: 70n, key: 70n });
  await expectLedgerTrue();
});

test('a late charge counts what open leases of a purse that got a limit have charged', async () => {
  await begin({ credit: 1_000n });
  const other = await store.beginEpoch(randomUUID(), 'test', 30_000);
  await draw(other, 100n);
  await store.settle(other, [charge(90n)], NO_ANSWERS);
  await store.fence(epoch);
  await testDatabase.database.query('update purses set limit_nano_usd = 100 where id = $1', [purses[1] ?? 0n]);
  const receipt = charge(70n);
  await settleLate(receipt);
  expect(await stored(receipt)).toMatchObject({ charge: 10n, writeOff: 60n });
  await store.fence(other);
  expect(await spent()).toMatchObject({ project: 100n });
  await expectLedgerTrue();
});

test('a late charge is made once, however often it is sent', async () => {
  await begin();
  await store.fence(epoch);
  const receipt = charge(70n);
  await settleLate(receipt, charge(1n));
  await settleLate(receipt);
  expect(await spent()).toMatchObject({ credit: 71n });
  await expectLedgerTrue();
});

test('a late charge is not made where it was settled before its epoch was fenced', async () => {
  await begin();
  const receipt = charge(70n);
  await store.settle(epoch, [receipt], NO_ANSWERS);
  await store.fence(epoch);
  await settleLate(receipt);
  expect(await stored(receipt)).toEqual({ charge: 70n, writeOff: 0n, late: false });
  expect(await spent()).toMatchObject({ credit: 70n });
  await expectLedgerTrue();
});

test('a late charge is made once by two that replay the same journal, while others draw from its purses', async () => {
  await begin({ credit: 100_000n });
  await store.fence(epoch);
  const receipts = Array.from({ length: 200 }, () => charge(10n));
  const replay = (order: readonly Receipt[]): Promise<void>[] =>
    Array.from({ length: 8 }, (_, part) => settleLate(...order.slice(part * 25, part * 25 + 25)));
  const draws = Array.from({ length: 8 }, async () => draw(await store.beginEpoch(randomUUID(), 'test', 30_000), 5n));
  await Promise.all([...replay(receipts), ...replay(receipts.toReversed()), ...draws]);
  expect(await spent()).toEqual({ credit: 2_000n, project: 2_000n, key: 2_000n });
  await expectLedgerTrue();
});

test('a late charge of an epoch that lives leaves its leases alone: only a charge without a lease is late', async () => {
  await begin();
  await testDatabase.database.query('delete from leases where epoch_id = $1 and purse_id = $2', [
    epoch,
    purses[2] ?? 0n,
  ]);
  const receipt = charge(70n);
  await expect(store.settle(epoch, [receipt], NO_ANSWERS)).rejects.toThrow(LeaseGone);
  await settleLate(receipt);
  expect(await stored(receipt)).toMatchObject({ charge: 70n, late: true });
  expect(await standingOf(epoch)).toMatchObject({ fenced: false, reaped: false });
  // One that costs nothing is no different: its purse may be gone with the lease.
  await expect(store.settle(epoch, [charge(0n)], NO_ANSWERS)).rejects.toThrow(LeaseGone);
  await expectLedgerTrue();
});

test('a late charge of an epoch that this database never had is made all the same', async () => {
  await begin();
  const receipt = charge(70n);
  const unknown = epoch + 1_000n;
  await expect(store.settle(unknown, [receipt], NO_ANSWERS)).rejects.toThrow(EpochFenced);
  await store.settleLate(unknown, [receipt], NO_ANSWERS);
  expect(await stored(receipt)).toMatchObject({ charge: 70n, late: true });
});

test('a late charge of purses that this database never had goes to those of the same windows, opened if need be', async () => {
  await begin({ keyLimit: 50n });
  await store.fence(epoch);
  await testDatabase.database.query('delete from purses where id = $1', [purses[2] ?? 0n]);
  const lost = { projectPurseId: 999_998n, keyPurseId: 999_999n };
  const receipts = [charge(30n, lost), charge(70n, lost)];
  await settleLate(...receipts);
  const rows = await Promise.all(receipts.map(stored));
  expect(rows.reduce((sum, row) => sum + (row?.charge ?? 0n), 0n)).toBe(50n);
  expect(await spent()).toMatchObject({ credit: 50n, project: 50n });
  await expectLedgerTrue();
});

test('a late charge whose purses are gone goes to those of its own subjects and windows alone', async () => {
  await begin();
  await store.fence(epoch);
  // Purses of another project and key in the same window, and of these in another one.
  await testDatabase.database.query(
    `insert into purses (workspace_id, kind, subject_id, period, window_start, window_end)
     select workspace_id, kind, q.subject, q.period, q.start, window_end from purses, lateral (values
       (gen_random_uuid(), period, window_start),
       (subject_id, 'day', window_start),
       (subject_id, period, window_start - interval '1 month')
     ) as q (subject, period, start) where id = any ($1::bigint[]) and kind <> 'credit'`,
    [purses],
  );
  const receipt = charge(70n, { projectPurseId: 999_998n, keyPurseId: 999_999n });
  await settleLate(receipt);
  expect(await stored(receipt)).toMatchObject({ charge: 70n });
  expect(await spent()).toEqual({ credit: 70n, project: 70n, key: 70n });
  await expectLedgerTrue();
});

test('a late charge goes to the purses whose ids its receipt has, whatever windows it has', async () => {
  await begin();
  await store.fence(epoch);
  const other = windowAt('month', Date.UTC(2020, 0));
  await settleLate(charge(70n, { projectWindow: other, keyWindow: other }));
  expect(await spent()).toEqual({ credit: 70n, project: 70n, key: 70n });
  await expectLedgerTrue();
});

test('a late charge of a key, a project or a workspace that is not there is refused', async () => {
  await begin();
  await store.fence(epoch);
  const lostProject = { projectPurseId: 999_998n, projectId: randomUUID() };
  await expect(settleLate(charge(70n, lostProject))).rejects.toThrow(SqlFault);
  await expect(settleLate(charge(70n, { keyPurseId: 999_999n, keyId: randomUUID() }))).rejects.toThrow(SqlFault);
  await expect(settleLate(charge(70n, { creditPurseId: 999_999n }))).rejects.toThrow(SqlFault);
  await expectLedgerTrue();
});

test('a late charge completes its idempotency key’s claim with its receipt', async () => {
  await begin();
  const receipt = charge(70n, { idempotencyKey: 'once' });
  const claim = (): Promise<readonly { state: string; answer: Buffer | null }[]> =>
    testDatabase.database.query('select state, answer from claim_idempotency_key($1, $2, $3, $4, $5, $6)', [
      epoch,
      account.workspace.id,
      account.key.id,
      'once',
      Buffer.from('body'),
      receipt.requestId,
    ]);
  expect(await claim()).toMatchObject([{ state: 'claimed' }]);
  await store.fence(epoch);
  await store.settleLate(epoch, [receipt], new Map([[receipt.requestId, Buffer.from('the answer')]]));
  epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  expect(await claim()).toEqual([{ state: 'done', answer: Buffer.from('the answer') }]);
});

describe('fencing', () => {
  beforeEach(() => begin());

  test('fencing by the heartbeat that a peer has seen last does nothing once there is another', async () => {
    const heartbeat = await heartbeatSeen(epoch);
    await store.heartbeat(epoch, null);
    await store.fence(epoch, heartbeat);
    expect(await standingOf(epoch)).toMatchObject({ fenced: false });
    await store.settle(epoch, [charge(70n)], NO_ANSWERS);
  });

  test('fencing by a heartbeat that another server returned does nothing: this one may have lost the last', async () => {
    const heartbeat = await heartbeatSeen(epoch);
    await store.fence(epoch, heartbeat.replace(/^\S+/, 'FFFFFFFF'));
    expect(await standingOf(epoch)).toMatchObject({ fenced: false });
  });

  test('fencing by its last heartbeat ends an epoch, and gives its leases back', async () => {
    const watcher = await store.beginEpoch(randomUUID(), 'test', 30_000);
    const { peers } = await store.heartbeat(watcher, null);
    const peer = peers.find(({ epochId }) => epochId === epoch);
    expect(peer).toMatchObject({ isFenced: false, timeoutMs: 30_000 });
    await store.fence(epoch, peer?.heartbeat);
    expect(await standingOf(epoch)).toMatchObject({ fenced: true, reaped: true });
    expect((await store.heartbeat(watcher, null)).peers.map(({ epochId }) => epochId)).not.toContain(epoch);
  });

  test('fencing lets nothing follow: no heartbeat, draw, settlement or release', async () => {
    await store.fence(epoch);
    await expect(store.heartbeat(epoch, null)).rejects.toThrow(EpochFenced);
    await expect(draw(epoch, 1n)).rejects.toThrow(EpochFenced);
    await expect(store.settle(epoch, [charge(1n)], NO_ANSWERS)).rejects.toThrow(EpochFenced);
    await expect(store.release(epoch, [])).rejects.toThrow(EpochFenced);
  });

  test('fencing shows peers an epoch whose leases nobody has given back yet, so that one of them does', async () => {
    const watcher = await store.beginEpoch(randomUUID(), 'test', 30_000);
    await testDatabase.database.query('update epochs set fenced_at = now() where id = $1', [epoch]);
    const { peers } = await store.heartbeat(watcher, null);
    expect(peers.find(({ epochId }) => epochId === epoch)).toMatchObject({ isFenced: true });
    await store.fence(epoch, await heartbeatSeen(epoch));
    expect(await standingOf(epoch)).toMatchObject({ reaped: true });
  });

  test('fencing of an epoch that is not there does nothing', async () => {
    await expect(store.fence(epoch + 1_000n)).resolves.toBeUndefined();
  });
});

test('a quarantined receipt is kept once, as it was, whatever is in it', async () => {
  await begin();
  const receipt = charge(70n, { clientRequestId: 'nul \0 and half a pair \uD800' });
  await expect(store.settle(epoch, [receipt], NO_ANSWERS)).rejects.toThrow(SqlFault);
  await store.quarantine(receipt, 'it was refused');
  await store.quarantine(receipt, 'it was refused again');
  const rows = await testDatabase.database.query<{ receipt: string; reason: string }>(
    'select receipt, reason from quarantined_receipts where request_id = $1',
    [receipt.requestId],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.reason).toBe('it was refused');
  expect(JSON.parse(rows[0]?.receipt ?? '')).toMatchObject({
    clientRequestId: receipt.clientRequestId,
    charge: '70',
  });
});

test('a receipt whose function another version has removed is not refused: it can be settled once there is one', async () => {
  await begin();
  const receipt = charge(70n);
  await testDatabase.database.query('alter function settle_receipts rename to settle_in_another_way');
  const refusal = await store.settle(epoch, [receipt], NO_ANSWERS).catch((fault: unknown) => fault);
  await testDatabase.database.query('alter function settle_in_another_way rename to settle_receipts');
  expect(refusal).toBeInstanceOf(DatabaseUnavailable);
  expect((refusal as Error).message).toMatch(/settle_receipts.*another version of this program has changed the schema/);
  await store.settle(epoch, [receipt], NO_ANSWERS);
  expect((await verifyLedger(testDatabase.database)).differences).toEqual([]);
});
