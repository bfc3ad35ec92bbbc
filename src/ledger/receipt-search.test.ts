import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, granted, openAccount, Spender } from '../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { openLargeWorkspace } from '../../test/support/large-workspace.ts';
import { scopeOf } from '../../test/support/scopes.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { Sql } from '../lib/sql.ts';
import { leastUuid7At } from '../lib/uuid7.ts';
import { correctReceipt } from './corrections.ts';
import { listReceipts, type ReceiptFilter } from './receipt-search.ts';

let testDatabase: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());

const DAY = Date.UTC(2026, 0, 15);

/** The id of a request that arrived so many seconds into the day. */
const idAt = (second: number): string => leastUuid7At(DAY + second * 1_000).replace('-0000-0000-', '-7000-8000-');

/** A workspace with these receipts, one a second. */
async function workspaceWith(
  receipts: readonly (Partial<Receipt> & { readonly charge?: bigint })[],
): Promise<{ readonly account: Account; readonly ids: readonly string[] }> {
  const account = await openAccount(sql, { credit: 1_000_000n });
  const spender = await Spender.begin(sql);
  const ids = receipts.map((_receipt, second) => idAt(second));
  for (const [second, { charge = 5n, ...details }] of receipts.entries()) {
    await spender.spend(account, { hold: 100n, charge }, { ...details, requestId: idAt(second) });
  }
  await spender.end();
  return { account, ids };
}

async function found({ workspace }: Account, filter: ReceiptFilter): Promise<readonly string[]> {
  const { items, next } = await listReceipts(sql, scopeOf(workspace.id, 'receipts:read'), filter);
  expect(next).toBeNull();
  return items.map(({ requestId }) => requestId);
}

test('receipts are listed newest first, page by page, and the last page says that the search is complete', async () => {
  const { account, ids } = await workspaceWith([{}, {}, {}, {}, {}]);
  const scope = scopeOf(account.workspace.id, 'receipts:read');

  const first = await listReceipts(sql, scope, {}, { limit: 2 });
  const second = await listReceipts(sql, scope, {}, { limit: 2, after: first.next });
  const third = await listReceipts(sql, scope, {}, { limit: 2, after: second.next });

  const listed = [first, second, third].map(({ items }) => items.map(({ requestId }) => requestId));
  expect(listed).toEqual([[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]]);
  expect(first.searchedUntil).toEqual(new Date(DAY + 3_000));
  expect([third.next, third.searchedUntil]).toEqual([null, null]);
});

test('each filter of a search over receipts finds those that match, and no other', async () => {
  const { account, ids } = await workspaceWith([
    { model: 'one' },
    { outcome: 'failed', charge: 0n },
    { dialect: 'embeddings' },
    { charge: 50n, extras: { session: 'mine' } },
    { extras: { session: 'mine', retry: true } },
    { extras: { session: 'theirs' } },
  ]);
  const other = await openAccount(sql, { credit: 1n });

  expect(await found(account, { model: 'one' })).toEqual([ids[0]]);
  expect(await found(account, { outcome: 'failed' })).toEqual([ids[1]]);
  expect(await found(account, { dialect: 'embeddings' })).toEqual([ids[2]]);
  expect(await found(account, { chargeMin: 50n })).toEqual([ids[3]]);
  expect(await found(account, { session: 'mine' })).toEqual([ids[4], ids[3]]);
  expect(await found(account, { session: 'mine', chargeMin: 50n })).toEqual([ids[3]]);
  expect(await found(account, { session: 'mine', from: new Date(DAY + 4_000) })).toEqual([ids[4]]);
  expect(await found(account, { session: 'nobody' })).toEqual([]);
  expect(await found(account, { from: new Date(DAY + 1_000), to: new Date(DAY + 3_000) })).toEqual([ids[2], ids[1]]);
  expect(await found(account, { keyId: account.key.id, projectId: account.project.id })).toHaveLength(6);
  expect(await found(account, { keyId: other.key.id })).toEqual([]);
  expect(await found(account, { projectId: other.project.id })).toEqual([]);
});

test("a search over receipts sees only those of its scope's workspace", async () => {
  await workspaceWith([{ model: 'secret' }]);
  const { account } = await workspaceWith([{}]);

  expect(await found(account, { model: 'secret' })).toEqual([]);
});

test('a listed receipt shows its charge before and after corrections', async () => {
  const { account, ids } = await workspaceWith([{ charge: 90n }]);
  const scope = scopeOf(account.workspace.id);
  const correction = { requestId: ids[0] ?? '', charge: 30n, reason: 'outage' };
  granted(await correctReceipt(sql, scope, correction));

  const { items } = await listReceipts(sql, scope, {});

  expect(items).toMatchObject([{ charge: 90n, netCharge: 30n, keyName: account.key.name, tokens: { output: 11 } }]);
});

test('a search over receipts stops at its limit of rows or time, and goes on from there without missing any', async () => {
  const { account, ids } = await workspaceWith([{ model: 'rare' }, {}, {}, {}, { model: 'rare' }, {}]);
  const scope = scopeOf(account.workspace.id, 'receipts:read');
  const pages = [];
  let after: string | null = null;
  do {
    const page = await listReceipts(sql, scope, { model: 'rare' }, { after }, { rows: 2, ms: 60_000 });
    pages.push(page);
    after = page.next;
  } while (after !== null);

  expect(pages.map(({ items }) => items.map(({ requestId }) => requestId))).toEqual([[ids[4]], [], [ids[0]], []]);
  expect(pages.map(({ searchedUntil }) => searchedUntil?.getTime())).toEqual([
    DAY + 4_000,
    DAY + 2_000,
    DAY,
    undefined,
  ]);
});

test('a search for what no receipt has ends soon in a large workspace, each call a limited part of it', async () => {
  const { workspace } = await openLargeWorkspace(sql, { keys: 10, receipts: 5_000 });
  const scope = scopeOf(workspace.id, 'receipts:read');

  const first = await listReceipts(sql, scope, { model: 'none' }, {}, { rows: 5_000, ms: 0 });
  const all = await listReceipts(sql, scope, { model: 'none' }, {}, { rows: 6_000, ms: 60_000 });
  const rest = await listReceipts(sql, scope, { model: 'a-model' }, { after: first.next, limit: 1 });

  expect([first.items, all.items]).toEqual([[], []]);
  expect(first.next).not.toBeNull();
  expect(rest.items[0]?.requestId).not.toBe(first.next);
  expect([all.next, all.searchedUntil]).toEqual([null, null]);
});
