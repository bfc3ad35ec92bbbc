import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted, openAccount, Spender, changeProject, workspaceNow } from '../../../test/support/accounts.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import type { Sql } from '../../lib/sql.ts';
import { correctReceipt, type CorrectionRequest } from './corrections.ts';
import { listCorrections } from './posting-history.ts';
import { postCredit } from './postings.ts';
import { findReceipt } from './receipts.ts';

let testDatabase: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());

interface ReceiptName {
  readonly workspaceId: string;
  readonly requestId: string;
}

const correct = ({ workspaceId, requestId }: ReceiptName, charge: bigint, more: Partial<CorrectionRequest> = {}) =>
  correctReceipt(sql, scopeOf(workspaceId), { requestId, charge, reason: 'outage', ...more });

async function spent(charge: bigint) {
  const account = await openAccount(sql, { credit: 1_000n, project: { budget: 500n }, key: { spendLimit: 400n } });
  const spender = await Spender.begin(sql);
  const receipt = await spender.spend(account, { hold: 300n, charge });
  // The receipt is one of several, of which no other is corrected.
  await spender.spend(account, { hold: 20n, charge: 0n });
  await spender.end();
  return { account, receipt };
}

test('a correction gives the difference back to credit, project and key, and leaves the receipt as it was', async () => {
  const { account, receipt } = await spent(200n);
  expect(granted(await correct(receipt, 50n))).toMatchObject({
    kind: 'adjustment',
    amount: 150n,
    balance: 950n,
    receiptRequestId: receipt.requestId,
    repeated: false,
  });
  const stored = await findReceipt(sql, receipt.requestId);
  expect(stored).toMatchObject({
    charge: 200n,
    corrections: [{ amount: 150n, actor: 'test', reason: 'outage' }],
  });
  expect(await workspaceNow(sql, account.workspace.id)).toMatchObject({ balance: 950n });
  // 450 of the project's 500 and 350 of the key's 400 are left, to the last nano-USD.
  const spender = await Spender.begin(sql);
  await expect(spender.spend(account, { hold: 351n, charge: 0n })).rejects.toThrow('key purse');
  await spender.end();
  const again = await Spender.begin(sql);
  await again.spend(account, { hold: 350n, charge: 0n });
  await again.end();
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
});

test('a correction may be corrected again, up to what the request held, and is counted from what was charged last', async () => {
  const { account, receipt } = await spent(200n);
  const amounts = [];
  for (const charge of [0n, 300n, 200n]) amounts.push(granted(await correct(receipt, charge))?.amount);
  expect(amounts).toEqual([200n, -300n, 100n]);
  expect(await correct(receipt, 200n)).toBeNull();
  expect(await workspaceNow(sql, account.workspace.id)).toMatchObject({ balance: 800n });
  granted(await correct(receipt, 130n));
  expect(await correct(receipt, 130n)).toBeNull();
  expect(await workspaceNow(sql, account.workspace.id)).toMatchObject({ balance: 870n });
});

test.each([301n, -1n])('a correction to %d is refused', async (charge) => {
  const { receipt } = await spent(200n);
  expect(await correct(receipt, charge)).toMatchObject({
    code: 'INVALID_REQUEST',
    param: 'charge_usd',
    message: 'The charge of this request may be at most its hold, 0.0000003 USD.',
  });
});

test('a correction of what left no receipt in the workspace is refused', async () => {
  const { receipt } = await spent(200n);
  const { account: other } = await spent(200n);
  const missing = { ...receipt, requestId: '00000000-0000-7000-8000-000000000000' };
  const foreign = { ...receipt, workspaceId: other.workspace.id };
  const refused = { code: 'NOT_FOUND', message: 'There is no receipt with this request id.' };
  for (const name of [missing, foreign]) expect(await correct(name, 0n)).toMatchObject(refused);
});

test('a correction under a name is made once, even when another has followed it', async () => {
  const { account, receipt } = await spent(200n);
  const first = granted(await correct(receipt, 50n, { once: 'ticket-9' }));
  granted(await correct(receipt, 80n));
  expect(await correct(receipt, 50n, { once: 'ticket-9' })).toMatchObject({
    id: first?.id,
    repeated: true,
  });
  expect(await correct(receipt, 60n, { once: 'ticket-9' })).toMatchObject({
    code: 'IDEMPOTENCY_MISMATCH',
    param: 'once',
  });
  expect(await workspaceNow(sql, account.workspace.id)).toMatchObject({ balance: 920n });
});

test('a correction made by many at the same time adds up to the last of them', async () => {
  const { account, receipt } = await spent(200n);
  await Promise.all([10n, 20n, 30n, 40n, 50n, 60n].map((charge) => correct(receipt, charge)));
  const stored = await findReceipt(sql, receipt.requestId);
  const given = stored?.corrections.reduce((sum, { amount }) => sum + amount, 0n) ?? 0n;
  expect([10n, 20n, 30n, 40n, 50n, 60n]).toContain(200n - given);
  expect(await workspaceNow(sql, account.workspace.id)).toMatchObject({ balance: 800n + given });
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
});

test('a correction that another one was made beside, and commits later, is counted from what that has left', async () => {
  const { account, receipt } = await spent(200n);
  const scope = scopeOf(account.workspace.id);
  const request = { requestId: receipt.requestId, charge: 50n, reason: 'outage' };
  const second = await sql.transaction(async (tx) => {
    granted(await correctReceipt(tx, scope, request));
    let isOver = false;
    const waiter = correct(receipt, 40n).finally(() => (isOver = true));
    waiter.catch(() => undefined);
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%correct_receipt%'`;
    await expect.poll(async () => isOver || (await sql.query(waiting)).length > 0, { timeout: 4_000 }).toBe(true);
    // In a list, since a transaction would wait for a promise that it returns.
    return [waiter];
  });
  await Promise.all(second);
  const stored = await findReceipt(sql, receipt.requestId);
  expect(stored?.corrections.map(({ amount }) => amount).toSorted()).toEqual([10n, 150n]);
  expect(await workspaceNow(sql, account.workspace.id)).toMatchObject({ balance: 960n });
});

test('a correction is never taken for an adjustment of the same amount and name, nor such an adjustment for it', async () => {
  const { account, receipt } = await spent(200n);
  const scope = scopeOf(account.workspace.id);
  const adjust = (once: string) => postCredit(sql, scope, { kind: 'adjustment', amount: 150n, reason: 'outage', once });
  const refused = { code: 'IDEMPOTENCY_MISMATCH', param: 'once' };
  granted(await correct(receipt, 50n, { once: 'ticket-1' }));
  expect(await adjust('ticket-1')).toMatchObject(refused);
  granted(await adjust('ticket-2'));
  expect(await correct(receipt, 50n, { once: 'ticket-2' })).toMatchObject(refused);
});

test('a correction counts immediately, while its charge still lies in a lease', async () => {
  const account = await openAccount(sql, { credit: 300n, project: { budget: 300n } });
  const spender = await Spender.begin(sql);
  const receipt = await spender.spend(account, { hold: 300n, charge: 300n });
  granted(await correct(receipt, 0n));
  await spender.spend(account, { hold: 300n, charge: 300n });
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
  await spender.end();
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
});

test('a correction is not charged again by a budget of another period', async () => {
  const { account, receipt } = await spent(200n);
  granted(await correct(receipt, 0n));
  granted(await changeProject(sql, account.project, { budgetPeriod: 'day' }));
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 400n, charge: 0n, period: 'day' });
  await spender.end();
  granted(await changeProject(sql, account.project, { budgetPeriod: 'month' }));
  const [month] = await sql.query<{ used: bigint }>(
    `select spent_nano_usd - corrected_nano_usd as used from purses
       where kind = 'project' and period = 'month' and subject_id = $1`,
    [account.project.id],
  );
  expect(month?.used).toBe(0n);
});

test('corrections made before a budget’s period is changed to and fro leave what other periods have charged', async () => {
  const { account, receipt } = await spent(200n);
  granted(await correct(receipt, 50n));
  granted(await changeProject(sql, account.project, { budgetPeriod: 'day' }));
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 80n, charge: 80n, period: 'day' });
  await spender.end();
  granted(await changeProject(sql, account.project, { budgetPeriod: 'month' }));
  const [month] = await sql.query<{ used: bigint }>(
    `select spent_nano_usd - corrected_nano_usd as used from purses
       where kind = 'project' and period = 'month' and subject_id = $1`,
    [account.project.id],
  );
  expect(month?.used).toBe(130n);
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
});

test('corrections can be neither changed nor lost', async () => {
  const { receipt } = await spent(200n);
  granted(await correct(receipt, 0n));
  await expect(sql.query('delete from purse_corrections')).rejects.toThrow('append-only');
  await expect(sql.query('update purse_corrections set amount_nano_usd = 1')).rejects.toThrow('append-only');
});

test('the corrections of all workspaces are listed with whose they are, the newest first, and no other posting', async () => {
  const [older, first, second] = [await spent(100n), await spent(200n), await spent(100n)];
  granted(await correct(older.receipt, 0n));
  granted(await correct(first.receipt, 50n));
  granted(await correct(second.receipt, 120n, { reason: 'too little' }));
  const { items, next } = await listCorrections(sql, operatorScope(), { limit: 2 });
  expect(items).toMatchObject([
    { workspaceName: second.account.workspace.name, amount: -20n, reason: 'too little' },
    { workspaceName: first.account.workspace.name, amount: 150n, receiptRequestId: first.receipt.requestId },
  ]);
  const all = await listCorrections(sql, operatorScope());
  expect(all.items.every(({ receiptRequestId }) => receiptRequestId !== null)).toBe(true);
  const rest = await listCorrections(sql, operatorScope(), { after: next });
  expect(rest.items.map(({ id }) => id)).toEqual(all.items.slice(2).map(({ id }) => id));
});
