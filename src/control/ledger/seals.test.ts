import { afterEach, beforeEach, afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount, Spender, granted, type Account, changeProject } from '../../../test/support/accounts.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { countUsageIn, verifyLedger } from '../../../test/support/verify-ledger.ts';
import {
  ensureReceiptPartition,
  ensureReceiptPartitions,
  receiptPartitionAt,
} from '../../program/database/partitions.ts';
import { SqlFault, type Sql } from '../../lib/sql.ts';
import { leastUuid7At } from '../../lib/uuid7.ts';
import { correctReceipt } from './corrections.ts';
import { keepReceiptsInPlace } from './receipt-layout.ts';
import { GUARD_LIMITS } from './receipt-slices.ts';
import { findReceipt } from './receipts.ts';
import { listSeals } from './seal-list.ts';
import { sealReceipts } from './seals.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.now();
const OLD_MS = NOW_MS - 100 * DAY_MS;
const BEFORE = new Date(NOW_MS - 40 * DAY_MS);

// Stays open for as long as the file runs, so that its server does.
let anchor: TestDatabase;
beforeAll(async () => {
  anchor = await startTestDatabase({ migrated: false });
});
afterAll(() => anchor.stop());

let testDatabase: TestDatabase;
let sql: Sql;
let account: Account;
let spender: Spender;
let made = 0;

beforeEach(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
  for (const timeMs of [OLD_MS, OLD_MS + 7 * DAY_MS, OLD_MS + 14 * DAY_MS]) {
    await sql.transaction((tx) => ensureReceiptPartition(tx, receiptPartitionAt(timeMs)));
  }
  account = await openAccount(sql, { credit: 10_000n });
  spender = await Spender.begin(sql);
});
afterEach(() => testDatabase.stop());

/** An id of a request as old as this, which no other has. */
function newIdAt(timeMs: number): string {
  made += 1;
  return leastUuid7At(timeMs).slice(0, -12) + made.toString(16).padStart(12, '0');
}

/** Makes a request whose id is as old as this. */
async function spendAt(timeMs: number): Promise<string> {
  const requestId = newIdAt(timeMs);
  await spender.spend(account, { hold: 30n, charge: 20n }, { requestId, writeOff: 3n });
  return requestId;
}

const seal = (more: { before?: Date; drop?: boolean } = {}) =>
  sealReceipts(sql, { before: BEFORE, drop: false, nowMs: NOW_MS, countUsage: countUsageIn(sql), ...more });

test('sealing writes down what old receipts add up to, and proofs go on as if nothing had happened', async () => {
  for (const timeMs of [OLD_MS, OLD_MS, OLD_MS + 7 * DAY_MS, NOW_MS]) await spendAt(timeMs);
  const before = await verifyLedger(sql);
  expect(before).toMatchObject({ ok: true, receipts: 4n, charges: 80n, writeOffs: 12n });
  const names = [OLD_MS, OLD_MS + 7 * DAY_MS, OLD_MS + 14 * DAY_MS].map((ms) => receiptPartitionAt(ms).name);
  expect(await seal()).toEqual({ sealed: names, dropped: [] });
  expect(await verifyLedger(sql)).toEqual(before);
  expect(await seal()).toEqual({ sealed: [], dropped: [] });
  expect(await seal({ drop: true })).toEqual({ sealed: [], dropped: names });
  expect(await verifyLedger(sql)).toEqual(before);
  await spendAt(NOW_MS);
  expect(await verifyLedger(sql)).toMatchObject({ ok: true, receipts: 5n, charges: 100n });
});

test('sealing lets no receipt in, out or be changed any more, neither before nor after the drop', async () => {
  const old = await spendAt(OLD_MS);
  await seal();
  for (const damage of ['delete from receipts', 'update receipts set charge_nano_usd = 0']) {
    await expect(sql.query(damage)).rejects.toThrow('sealed');
  }
  await expect(spendAt(OLD_MS)).rejects.toMatchObject({ name: SqlFault.name, sqlState: '23514' });
  expect(await findReceipt(sql, old)).toMatchObject({ charge: 20n });
  await seal({ drop: true });
  expect(await findReceipt(sql, old)).toBeNull();
  for (const timeMs of [OLD_MS, OLD_MS - 30 * DAY_MS]) {
    await expect(spendAt(timeMs)).rejects.toMatchObject({ sqlState: '23514' });
  }
  expect(await ensureReceiptPartitions(sql, NOW_MS + 30 * DAY_MS)).not.toEqual([]);
  await spendAt(NOW_MS);
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
});

test('sealing older receipts a second time leaves all times up to the last seal closed', async () => {
  await spendAt(OLD_MS);
  await seal();
  // As after a restore that lacks it: its receipts would go into the default partition.
  await sql.query(`drop table ${receiptPartitionAt(OLD_MS + 14 * DAY_MS).name}`);
  expect(await seal({ before: new Date(OLD_MS + 7 * DAY_MS) })).toEqual({ sealed: [], dropped: [] });
  await expect(spendAt(OLD_MS + 14 * DAY_MS)).rejects.toMatchObject({ sqlState: '23514' });
});

test('sealing leaves corrections possible for as long as the receipt is there', async () => {
  const requestId = await spendAt(OLD_MS);
  await seal();
  const correction = { requestId, charge: 0n, reason: 'late complaint' };
  granted(await correctReceipt(sql, scopeOf(account.workspace.id), correction));
  await seal({ drop: true });
  expect(await verifyLedger(sql)).toMatchObject({ ok: true, balance: 10_000n });
});

test.each([
  ['dropped', true],
  ['kept', false],
])('sealing leaves what was sealed and %s in the spending of a budget that never starts over', async (_, drop) => {
  await spendAt(OLD_MS);
  await seal();
  await seal({ drop });
  granted(await changeProject(sql, account.project, { budgetPeriod: 'never' }));
  const [purse] = await sql.query<{ spent: bigint }>(
    `select spent_nano_usd as spent from purses where kind = 'project' and period = 'never'`,
  );
  expect(purse?.spent).toBe(20n);
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
});

test('sealing is refused while receipts are young, and where some of the same age lie elsewhere', async () => {
  for (const young of [34 * DAY_MS, 35 * DAY_MS - 1]) {
    expect(await seal({ before: new Date(NOW_MS - young) })).toMatchObject({
      code: 'INVALID_REQUEST',
      param: 'before',
      message: 'Only receipts that are at least 35 days old can be sealed: give an earlier day.',
    });
  }
  await spendAt(OLD_MS - 30 * DAY_MS);
  const { name } = receiptPartitionAt(OLD_MS);
  expect(await seal({ before: new Date(NOW_MS - 35 * DAY_MS) })).toMatchObject({
    code: 'INVALID_REQUEST',
    message: `Receipts as old as those of ${name} are in the default partition, so it cannot be sealed.`,
  });
  expect(await sql.query('select from sealed_partitions')).toHaveLength(0);
});

test.each([
  ['sealing', () => seal()],
  ['a drop', () => seal({ drop: true })],
])('while all receipts are read, %s is refused in words', async (_, change) => {
  await spendAt(OLD_MS);
  await seal({ before: new Date(OLD_MS + 7 * DAY_MS) });
  await sql.transaction(async (guard) => {
    expect(await keepReceiptsInPlace(guard)).toBe(true);
    expect(await change()).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'A proof of the ledger or a backup is reading the receipts: try again when it has ended.',
      retryAfterMs: 60_000,
    });
  }, GUARD_LIMITS);
  expect(await change()).toMatchObject({ sealed: [expect.any(String), expect.any(String)] });
});

test('sealing and a drop are refused in words while buckets of usage lack receipts', async () => {
  await spendAt(OLD_MS);
  const { name } = receiptPartitionAt(OLD_MS);
  const before = new Date(OLD_MS + 7 * DAY_MS);
  const refused = {
    code: 'SERVICE_UNAVAILABLE',
    message: 'Usage is being counted from the receipts: seal them when it has ended.',
    retryAfterMs: 60_000,
  };
  const countUsage = (): Promise<void> => Promise.resolve();
  expect(await sealReceipts(sql, { before, drop: false, nowMs: NOW_MS, countUsage })).toMatchObject(refused);
  expect(await seal({ before })).toEqual({ sealed: [name], dropped: [] });
  await sql.query('update usage_folding set unbuilt = array[1]');
  expect(await sealReceipts(sql, { before, drop: true, nowMs: NOW_MS, countUsage })).toMatchObject(refused);
  expect(await sql.query(`select from ${name}`)).toHaveLength(1);
});

test('sealing is undone by nobody unnoticed, and nothing is dropped that is not what was sealed', async () => {
  await spendAt(OLD_MS);
  await seal();
  await sql.query(`update partition_totals set charge_nano_usd = charge_nano_usd + 1`);
  const { differences } = await verifyLedger(sql);
  expect([...new Set(differences.map(({ check }) => check))]).toEqual([
    'purse_spent',
    'sealed_totals',
    'workspace_balance',
  ]);
  expect(await seal({ drop: true })).toMatchObject({
    dropped: expect.not.arrayContaining([receiptPartitionAt(OLD_MS).name]),
  });
});

test('a sealed partition that has lost all receipts of a workspace is not dropped', async () => {
  await spendAt(OLD_MS);
  const other = await openAccount(sql, { credit: 100n });
  const requestId = newIdAt(OLD_MS);
  await spender.spend(other, { hold: 0n, charge: 0n }, { requestId });
  const { name } = receiptPartitionAt(OLD_MS);
  await seal();
  await sql.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query('delete from receipts where request_id = $1', [requestId]);
  });
  expect(await seal({ drop: true })).toMatchObject({ dropped: expect.not.arrayContaining([name]) });
  expect(await sql.query(`select from ${name}`)).toHaveLength(1);
});

test('seals are listed with their weeks, sums and digests, which neither a drop nor a correction changes', async () => {
  for (const timeMs of [OLD_MS, OLD_MS, OLD_MS + 7 * DAY_MS]) await spendAt(timeMs);
  const [old] = await sql.query<{ id: string }>('select request_id as id from receipts order by request_id limit 1');
  await seal();
  const { items } = await listSeals(sql, operatorScope(), {});
  expect(items.map(({ receipts, charges, writeOffs }) => [receipts, charges, writeOffs])).toEqual([
    [0n, 0n, 0n],
    [1n, 20n, 3n],
    [2n, 40n, 6n],
  ]);
  expect(new Set(items.map(({ digest }) => digest)).size).toBe(3);
  for (const { from, to } of items) expect(to.getTime() - from.getTime()).toBe(7 * DAY_MS);
  expect(items.at(-1)?.from.getTime()).toBeLessThanOrEqual(OLD_MS);
  expect(items.at(-1)?.to.getTime()).toBeGreaterThan(OLD_MS);
  granted(
    await correctReceipt(sql, scopeOf(account.workspace.id), { requestId: old?.id ?? '', charge: 1n, reason: 'wrong' }),
  );
  await seal({ drop: true });
  const dropped = await listSeals(sql, operatorScope(), {});
  expect(dropped.items.map(({ digest }) => digest)).toEqual(items.map(({ digest }) => digest));
  expect(dropped.items.every(({ droppedAt }) => droppedAt !== null)).toBe(true);
  await sql.query('update partition_totals set charge_nano_usd = charge_nano_usd + 1 where charge_nano_usd = 40');
  const bent = await listSeals(sql, operatorScope(), { limit: 1, after: items[1]?.id ?? null });
  expect(bent.items[0]?.digest).not.toBe(items[2]?.digest);
  expect(bent.next).toBeNull();
});
