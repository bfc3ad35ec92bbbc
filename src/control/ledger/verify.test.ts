import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openAccount, Spender, type Account, changeProject } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { NO_EXTRAS } from '../../../test/support/receipts.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import type { Sql } from '../../lib/sql.ts';
import { findReceipt } from './receipts.ts';
import type { LedgerCheck } from './verify-checks.ts';

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

beforeEach(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
  account = await openAccount(sql, { credit: 10_000n, project: { budget: 5_000n }, key: { spendLimit: 4_000n } });
  spender = await Spender.begin(sql);
});
afterEach(() => testDatabase.stop());

async function failing(): Promise<LedgerCheck[]> {
  const { ok, differences, differenceCount } = await verifyLedger(sql);
  expect(ok).toBe(differences.length === 0);
  expect(differenceCount).toBe(BigInt(differences.length));
  return [...new Set(differences.map(({ check }) => check))].toSorted();
}

test('the proof holds while leases are out, after they are back, and across a changed period', async () => {
  await spender.spend(account, { hold: 300n, charge: 120n });
  await spender.spend(account, { hold: 300n, charge: 0n });
  expect(await verifyLedger(sql)).toMatchObject({
    ok: true,
    workspaces: 1n,
    purses: 3n,
    postings: 1n,
    receipts: 2n,
    credit: 10_000n,
    charges: 120n,
    balance: 9_880n,
    owed: 0n,
  });
  await changeProject(sql, account.project, { budgetPeriod: 'day' });
  await spender.spend(account, { hold: 50n, charge: 50n, period: 'day' });
  expect(await failing()).toEqual([]);
  await spender.end();
  expect(await verifyLedger(sql)).toMatchObject({ ok: true, purses: 4n, charges: 170n, balance: 9_830n });
});

test('the proof holds for purses without a limit', async () => {
  const open = await openAccount(sql, { credit: 100n });
  await spender.spend(open, { hold: 30n, charge: 20n });
  expect(await failing()).toEqual([]);
  await spender.end();
  expect(await failing()).toEqual([]);
});

test('the proof names a receipt that nobody was charged for', async () => {
  const receipt = await spender.spend(account, { hold: 300n, charge: 120n });
  await sql.query('update receipts set charge_nano_usd = 121 where request_id = $1', [receipt.requestId]);
  expect(await failing()).toEqual(['purse_spent', 'workspace_balance']);
  const { differences } = await verifyLedger(sql);
  expect(differences.find(({ check }) => check === 'workspace_balance')).toEqual({
    check: 'workspace_balance',
    workspaceId: account.workspace.id,
    subjectId: account.workspace.id,
    expected: 9_879n,
    actual: 9_880n,
  });
  expect(differences.filter(({ check }) => check === 'purse_spent').map(({ subjectId }) => subjectId)).toEqual(
    [receipt.creditPurseId, receipt.projectPurseId, receipt.keyPurseId].map(String).toSorted(),
  );
});

test('the proof names a thousand differences and counts all', async () => {
  await sql.query(
    `insert into workspaces (id, name) select gen_random_uuid(), 'w' || n from generate_series(1, 1100) n`,
  );
  await sql.query(
    `insert into purses (workspace_id, kind, subject_id, period, window_start, limit_nano_usd, owed_nano_usd)
       select id, 'credit', id, 'never', to_timestamp(0), 0, 1 from workspaces where name like 'w%'
       on conflict do nothing`,
  );
  const report = await verifyLedger(sql);
  expect(report.differences).toHaveLength(1_000);
  expect(report).toMatchObject({ ok: false, differenceCount: 1_100n });
});

test('the proof sees one snapshot, whatever commits while it is made', async () => {
  const spending = (async () => {
    for (let request = 0; request < 30; request++) await spender.spend(account, { hold: 50n, charge: 3n });
  })();
  for (let round = 0; round < 10; round++) expect(await failing()).toEqual([]);
  await spending;
  expect(await failing()).toEqual([]);
});

test('a receipt is found by the request id alone, as it was settled', async () => {
  const receipt = await spender.spend(
    account,
    { hold: 300n, charge: 120n },
    { clientRequestId: 'mine', streamed: true },
  );
  await spender.spend(await openAccount(sql, { credit: 50n }), { hold: 1n, charge: 1n });
  const found = await findReceipt(sql, receipt.requestId);
  expect(found).toEqual({
    ...receipt,
    idempotencyKey: undefined,
    isWhole: undefined,
    late: false,
    supersededBy: null,
    levels: ['workspace', 'project', 'key'],
    ...NO_EXTRAS,
    projectWindow: undefined,
    keyWindow: undefined,
    priceVersion: null,
    settledAt: expect.any(Date),
    names: { workspace: account.workspace.name, project: account.project.name, key: account.key.name },
    corrections: [],
  });
});

test('a receipt is null for ids that left none, and for what is no id', async () => {
  expect(await findReceipt(sql, '00000000-0000-7000-8000-000000000000')).toBeNull();
  expect(await findReceipt(sql, "'; drop table receipts")).toBeNull();
});
