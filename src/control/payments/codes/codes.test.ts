import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted, openAccount, workspaceNow } from '../../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { CENT } from '../../../../test/support/payments.ts';
import { operatorScope, scopeOf } from '../../../../test/support/scopes.ts';
import { verifyLedger } from '../../../../test/support/verify-ledger.ts';
import { listPostings } from '../../ledger/posting-history.ts';
import type { Page, PageRequest } from '../../../lib/page.ts';
import type { Sql } from '../../../lib/sql.ts';
import { type BatchOrder, cancelBatch, createBatch, listBatches, listCodes } from './code-batches.ts';
import { hashOfCode, newCode } from './code-text.ts';
import { redeemCode } from './redeem-code.ts';

let testDatabase: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());

const DAY_MS = 86_400_000;

async function makeCodes(more: Partial<BatchOrder> = {}): Promise<readonly string[]> {
  const order = { count: 2, amount: 500n * CENT, sold: false, reason: 'a fair', once: null, ...more };
  const expiresAt = more.expiresAt ?? new Date(Date.now() + DAY_MS);
  return granted(await createBatch(sql, operatorScope(), { ...order, expiresAt })).codes ?? [];
}

const audited = (target: string) =>
  sql.query('select action, target_kind as kind, before, after from audit_events where target_id = $1 order by id', [
    target,
  ]);
const balanceOf = async (id: string) => (await workspaceNow(sql, id)).balance;

test('a redemption code gives its credit once, however it is typed and however often', async () => {
  const { workspace } = await openAccount(sql);
  const [code = ''] = await makeCodes();
  const topUp = granted(await redeemCode(sql, scopeOf(workspace.id), code.toLowerCase().replaceAll('-', ' ')));
  expect(topUp).toMatchObject({
    provider: 'codes',
    origin: 'code',
    state: 'paid',
    amount: 500n * CENT,
    repeated: false,
  });
  expect(granted(await redeemCode(sql, scopeOf(workspace.id), code))).toMatchObject({ id: topUp.id, repeated: true });
  expect(await balanceOf(workspace.id)).toBe(500n * CENT);
  expect(await audited(topUp.id)).toEqual([
    { action: 'code.redeem', kind: 'top_up', before: null, after: { code: `…${code.slice(-4)}` } },
  ]);
  expect((await listPostings(sql, scopeOf(workspace.id))).items).toMatchObject([
    { kind: 'grant', amount: 500n * CENT },
  ]);
});

test('a redemption code that is sold counts as paid, so that it can be refunded', async () => {
  const { workspace } = await openAccount(sql);
  const [code = ''] = await makeCodes({ sold: true });
  granted(await redeemCode(sql, scopeOf(workspace.id), code));
  expect((await listPostings(sql, scopeOf(workspace.id))).items).toMatchObject([{ kind: 'top_up' }]);
});

test('a redemption code that twelve workspaces redeem at the same time gives credit to one of them', async () => {
  const accounts = await Promise.all(Array.from({ length: 12 }, () => openAccount(sql)));
  const [code = ''] = await makeCodes();
  const results = await Promise.all(accounts.map(({ workspace }) => redeemCode(sql, scopeOf(workspace.id), code)));
  const refused = results.filter((result) => 'kind' in result);
  expect(refused).toHaveLength(11);
  for (const each of refused)
    expect(each).toMatchObject({ code: 'CONFLICT', message: 'This code has been redeemed already.' });
  const balances = await Promise.all(accounts.map(({ workspace }) => balanceOf(workspace.id)));
  expect(balances.reduce((sum, balance) => sum + balance, 0n)).toBe(500n * CENT);
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
});

test('a redemption code that one workspace redeems eight times at the same time gives its credit once', async () => {
  const { workspace } = await openAccount(sql);
  const [code = ''] = await makeCodes();
  const all = await Promise.all(Array.from({ length: 8 }, () => redeemCode(sql, scopeOf(workspace.id), code)));
  expect(all.map(granted).filter(({ repeated }) => !repeated)).toHaveLength(1);
  expect(await balanceOf(workspace.id)).toBe(500n * CENT);
});

test('a redemption code that is unknown, expired or mistyped is refused and gives nothing', async () => {
  const { workspace } = await openAccount(sql);
  const [late = ''] = await makeCodes({ expiresAt: new Date(Date.now() - 1) });
  const scope = scopeOf(workspace.id);
  expect(await redeemCode(sql, scope, newCode())).toMatchObject({
    code: 'NOT_FOUND',
    param: 'code',
    message: 'There is no such redemption code.',
  });
  expect(await redeemCode(sql, scope, late)).toMatchObject({ code: 'CONFLICT', message: 'This code has expired.' });
  expect(await redeemCode(sql, scope, 'AAAA-BBBB')).toMatchObject({
    code: 'INVALID_REQUEST',
    param: 'code',
    message: 'This is not a redemption code: compare it with what you typed. A code has 16 letters and digits.',
  });
  const [ending = ''] = await makeCodes();
  await sql.transaction(async (tx) => {
    const of = '(select batch_id from redemption_codes where code_sha256 = $1)';
    await tx.query(`update redemption_batches set expires_at = now() where id = ${of}`, [hashOfCode(ending)]);
    const values = [hashOfCode(ending), workspace.id, randomUUID()];
    expect(await tx.query(`select outcome from redeem_code($1, $2, $3, 'test')`, values)).toEqual([
      { outcome: 'expired' },
    ]);
  });
  expect(await balanceOf(workspace.id)).toBe(0n);
  const events = 'select from audit_events where workspace_id = $1 and action = $2';
  expect(await sql.query(events, [workspace.id, 'code.redeem'])).toEqual([]);
});

test('the database keeps no redemption code, only its hash and its end', async () => {
  const [code = ''] = await makeCodes();
  const rows = await sql.query<{ row: string }>(
    'select c::text as row from redemption_codes c union all select b::text from redemption_batches b',
  );
  const text = rows.map(({ row }) => row).join('\n');
  for (const form of [code, code.replaceAll('-', '')]) {
    expect(text).not.toContain(form);
    expect(text).not.toContain(Buffer.from(form).toString('hex'));
  }
  expect(text).toContain(code.slice(-4));
});

test('a list of redemption codes names the workspace and the actor that redeemed each', async () => {
  const { workspace } = await openAccount(sql);
  const [code = ''] = await makeCodes({ reason: 'listed', once: 'listed' });
  granted(await redeemCode(sql, scopeOf(workspace.id), code));
  const [batch] = (await listBatches(sql, operatorScope())).items;
  expect(batch).toMatchObject({ count: 2, redeemed: 1, reason: 'listed', sold: false });
  const { items } = await listCodes(sql, operatorScope(), batch?.id ?? randomUUID());
  const redeemedFirst = items.toSorted(
    (left, right) => Number(left.redeemedAt === null) - Number(right.redeemedAt === null),
  );
  expect(redeemedFirst).toMatchObject([
    { lastFour: code.slice(-4), workspaceName: workspace.name, redeemedBy: 'test', redeemedAt: expect.any(Date) },
    { workspaceId: null, redeemedAt: null },
  ]);
});

test('batches of codes are listed newest first, and the codes of one in order, each once over all pages', async () => {
  const made: string[] = [];
  for (const count of [3, 1, 1]) {
    const order = { count, amount: CENT, sold: false, reason: 'pages', once: null };
    const batch = await createBatch(sql, operatorScope(), { ...order, expiresAt: new Date(Date.now() + DAY_MS) });
    made.push(granted(batch).id);
  }
  const batches = await everyPage((page) => listBatches(sql, operatorScope(), page));
  expect(batches.slice(0, 3).map(({ id }) => id)).toEqual(made.toReversed());
  const all = (await listBatches(sql, operatorScope(), { limit: 200 })).items;
  expect(batches.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  const codes = await everyPage((page) => listCodes(sql, operatorScope(), made[0] ?? null, page));
  expect(codes).toEqual((await listCodes(sql, operatorScope(), made[0] ?? null)).items);
  expect(codes).toHaveLength(3);
});

/** All items of a list, read one by one. */
async function everyPage<Item>(list: (page: PageRequest) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const items: Item[] = [];
  let after: string | null = null;
  do {
    const page: Page<Item> = await list({ limit: 1, after });
    items.push(...page.items);
    after = page.next;
  } while (after !== null && items.length < 1_000);
  return items;
}

test('an order of codes repeated under its name makes no second batch, and another order under the name is refused', async () => {
  const order = {
    count: 2,
    amount: CENT,
    sold: true,
    expiresAt: new Date(Date.now() + DAY_MS),
    reason: 'once',
    once: 'ordered',
  };
  const made = granted(await createBatch(sql, operatorScope(), order));
  expect(made.codes).toHaveLength(2);
  const { codes: _shown, ...batch } = made;
  const { once: _once, ...ordered } = order;
  expect(batch).toEqual({
    ...ordered,
    id: expect.any(String),
    redeemed: 0,
    hasExpired: false,
    actor: 'test',
    createdAt: expect.any(Date),
  });
  const after = {
    count: 2,
    amount_nano_usd: '10000000',
    sold: true,
    expires_at: order.expiresAt.toISOString(),
    reason: 'once',
  };
  expect(await audited(batch.id)).toEqual([{ action: 'codes.create', kind: 'code_batch', before: null, after }]);
  expect(await createBatch(sql, operatorScope(), order)).toEqual({ ...batch, codes: null });
  expect((await listCodes(sql, operatorScope(), batch.id)).items).toHaveLength(2);
  for (const other of [
    { count: 3 },
    { amount: CENT + 1n },
    { sold: false },
    { expiresAt: new Date(order.expiresAt.getTime() + 1) },
    { reason: 'other' },
  ]) {
    const refused = await createBatch(sql, operatorScope(), { ...order, ...other });
    expect(refused).toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
      param: 'once',
      message: `"ordered" belongs to another batch, of ${batch.createdAt.toISOString()}.`,
    });
  }
});

test.each([0, 1_001])('a batch of %d codes is a mistake of the program', async (count) => {
  await expect(makeCodes({ count })).rejects.toThrow('a batch has a bounded number of codes');
});

test('a cancelled batch voids the codes that nobody has redeemed, keeps the others’ credit, and is recorded once', async () => {
  const { workspace } = await openAccount(sql);
  const scope = scopeOf(workspace.id);
  const [used = '', unused = ''] = await makeCodes({ reason: 'cancelled' });
  granted(await redeemCode(sql, scope, used));
  const [batch] = (await listBatches(sql, operatorScope())).items;
  const id = batch?.id ?? '';
  const cancelled = await cancelBatch(sql, operatorScope(), id);
  expect(cancelled).toMatchObject({ id, count: 2, redeemed: 1, hasExpired: true });
  expect((await audited(id)).slice(1)).toEqual([
    {
      action: 'codes.cancel',
      kind: 'code_batch',
      before: { expires_at: batch?.expiresAt.toISOString() },
      after: { expires_at: cancelled?.expiresAt.toISOString() },
    },
  ]);
  expect(cancelled?.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  expect(await redeemCode(sql, scope, unused)).toMatchObject({ code: 'CONFLICT', message: 'This code has expired.' });
  expect(granted(await redeemCode(sql, scope, used))).toMatchObject({ repeated: true });
  expect(await balanceOf(workspace.id)).toBe(500n * CENT);
  expect(await cancelBatch(sql, operatorScope(), id)).toEqual(cancelled);
  const events = await sql.query(`select from audit_events where action = 'codes.cancel' and target_id = $1`, [id]);
  expect(events).toHaveLength(1);
  expect(await cancelBatch(sql, operatorScope(), randomUUID())).toBeNull();
});
