import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, granted, openAccount, Spender } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { openLargeWorkspace } from '../../../test/support/large-workspace.ts';
import { NO_EXTRAS } from '../../../test/support/receipts.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import type { VersionPrice } from '../../domain/price-adjustment.ts';
import type { Rates } from '../../domain/price.ts';
import type { Receipt } from '../../domain/receipt.ts';
import { PAGE_ITEMS_MAX } from '../../lib/page.ts';
import type { Sql, SqlValue } from '../../lib/sql.ts';
import { leastUuid7At } from '../../lib/uuid7.ts';
import { receipt } from '../admin/ledger/ledger-contract.ts';
import { correctReceipt } from './corrections.ts';
import { receiptJson } from './receipt-json.ts';
import { listReceipts, type ReceiptFilter } from './receipt-search.ts';
import { findLastReceipt, findReceipt, findWorkspaceReceipt } from './receipts.ts';

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

test('the last receipt is that of the newest request of any workspace, which is looked for in the last day first', async () => {
  const values: (readonly SqlValue[] | undefined)[] = [];
  const watched: Pick<Sql, 'query'> = {
    query: (text, given) => {
      values.push(given);
      return sql.query(text, given);
    },
  };
  const lastAt = async (nowMs: number) => (await findLastReceipt(watched, nowMs))?.requestId ?? null;
  await sql.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query('delete from receipts');
  });
  expect(await lastAt(DAY)).toBeNull();

  const { ids } = await workspaceWith([{}, {}, {}]);
  await workspaceWith([{}, {}]);
  values.length = 0;
  expect(await lastAt(DAY + 86_400_000)).toBe(ids[2]);
  expect(values[0]).toEqual([leastUuid7At(DAY)]);
  expect(values[1]).toEqual([ids[2]]);
  values.length = 0;
  expect(await lastAt(DAY + 30 * 86_400_000)).toBe(ids[2]);
  expect(values.slice(0, 2)).toEqual([[leastUuid7At(DAY + 29 * 86_400_000)], [leastUuid7At(0)]]);
});

const DEAR: Rates = {
  input: 1n,
  cached_input: 2n,
  cache_write_5m: 3n,
  cache_write_1h: 4n,
  audio_input: 5n,
  output: 6n,
  audio_output: 7n,
};
/** Two tiers and two fees, 12.5 % below the list price. */
const PAID: VersionPrice = {
  price: {
    rates: { ...DEAR, input: 9_000n },
    tiers: [
      { aboveInputTokens: 10, rates: { ...DEAR, input: 150_000_000n, cached_input: 20_000n, output: 600_001n } },
      { aboveInputTokens: 1_000, rates: DEAR },
    ],
    fees: { request: 4n, web_search: 10_000_000n },
  },
  adjustment: { id: '00000000-0000-7000-8000-0000000000a1', basisPoints: -1_250, listVersion: 3 },
};

test('a receipt says in JSON all that was measured and charged, each attempt, and each step of the calculation', async () => {
  const account = await openAccount(sql, { credit: 1_000_000_000n });
  const spender = await Spender.begin(sql);
  const tokens = {
    input: 12,
    cached_input: 3,
    cache_write_5m: 0,
    cache_write_1h: 0,
    audio_input: 0,
    output: 5,
    audio_output: 0,
  };
  const charged = { certainty: 'exact', tokens: { ...tokens, input: 1, output: 2 } } as const;
  const attempt = { provider: 'far', upstreamModel: 'big-1', status: 200, durationMs: 20, fault: null };
  const { requestId } = await spender.spend(
    account,
    { hold: 90_000_000n, charge: 20_001_809n },
    {
      requestId: idAt(7),
      dialect: 'messages',
      model: 'big',
      priceVersionId: 77n,
      outcome: 'interrupted',
      writeOff: 6n,
      fees: 20_000_004n,
      usage: { certainty: 'estimated', tokens },
      shortenedToTokens: 40,
      streamed: true,
      admittedAtMs: DAY + 7_250,
      durationMs: 31,
      firstEventMs: 9,
      attempts: [
        { provider: 'near', upstreamModel: 'big-0', status: null, durationMs: 1, fault: 'unreachable' },
        { ...attempt, strategy: 'native', charged },
      ],
      clientRequestId: 'theirs-1',
      extras: {
        session: 'mine',
        leftOut: ['top_k', 'seed'],
        retry: true,
        uses: { request: 1, web_search: 2, computer: 1 },
      },
    },
  );
  await spender.end();
  const scope = scopeOf(account.workspace.id);
  for (const charge of [20_000_000n, 20_000_300n]) {
    granted(await correctReceipt(sql, scope, { requestId, charge, reason: 'outage' }));
  }
  const stored = await findWorkspaceReceipt(sql, scope, requestId);
  if (stored === null) throw new Error('the receipt is there');

  const correction = { id: expect.any(String), posted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) };
  const json = {
    request_id: requestId,
    workspace_id: account.workspace.id,
    workspace_name: account.workspace.name,
    project_id: account.project.id,
    project_name: account.project.name,
    key_id: account.key.id,
    key_name: 'key',
    dialect: 'messages',
    model: 'big',
    price_version_id: '77',
    price_version: null,
    price_adjustment: {
      id: '00000000-0000-7000-8000-0000000000a1',
      change_percent: '-12.5',
      list_price_version: 3,
    },
    outcome: 'interrupted',
    charge_nano_usd: '20001809',
    charge_usd: '0.020001809',
    hold_nano_usd: '90000000',
    hold_usd: '0.09',
    write_off_nano_usd: '6',
    write_off_usd: '0.000000006',
    fees_nano_usd: '20000004',
    fees_usd: '0.020000004',
    usage: { certainty: 'estimated', tokens },
    uses: { request: 1, web_search: 2, computer: 1 },
    cost: {
      above_input_tokens: 10,
      lines: [
        { class: 'input', tokens: 12, rate_nano_usd: '150000000', rate_usd: '0.15', amount_usd: '0.0000018' },
        { class: 'cached_input', tokens: 3, rate_nano_usd: '20000', rate_usd: '0.00002', amount_usd: '0.00000000006' },
        {
          class: 'output',
          tokens: 5,
          rate_nano_usd: '600001',
          rate_usd: '0.000600001',
          amount_usd: '0.000000003000005',
        },
      ],
      fee_lines: [
        { use: 'request', uses: 1, fee_nano_usd: '4', fee_usd: '0.000000004', amount_usd: '0.000000004' },
        { use: 'web_search', uses: 2, fee_nano_usd: '10000000', fee_usd: '0.01', amount_usd: '0.02' },
      ],
      exact_usd: '0.020001807060005',
      cost_nano_usd: '20001808',
      cost_usd: '0.020001808',
    },
    shortened_to_tokens: 40,
    streamed: true,
    admitted_at: '2026-01-15T00:00:07.250Z',
    duration_ms: 31,
    first_event_ms: 9,
    attempts: [
      {
        provider: 'near',
        upstream_model: 'big-0',
        status: null,
        duration_ms: 1,
        fault: 'unreachable',
        strategy: null,
        charged: null,
      },
      {
        provider: 'far',
        upstream_model: 'big-1',
        status: 200,
        duration_ms: 20,
        fault: null,
        strategy: 'native',
        charged,
      },
    ],
    client_request_id: 'theirs-1',
    session: 'mine',
    left_out: ['top_k', 'seed'],
    retry: true,
    settled_at: stored.settledAt.toISOString(),
    late: false,
    superseded_by: null,
    corrections: [
      { ...correction, amount_nano_usd: '1809', amount_usd: '0.000001809' },
      { ...correction, amount_nano_usd: '-300', amount_usd: '-0.0000003' },
    ],
    net_charge_nano_usd: '20000300',
    net_charge_usd: '0.0200003',
  };
  expect(receiptJson(stored, PAID)).toMatchObject(json);
  expect(Object.keys(receiptJson(stored, PAID)).toSorted()).toEqual(Object.keys(receipt.shape).toSorted());
  expect(receiptJson(stored, { ...PAID, adjustment: null })).toMatchObject({ ...json, price_adjustment: null });
  const other = { priceVersion: 4, late: true, supersededBy: idAt(8) };
  expect(receiptJson({ ...stored, ...other }, null)).toMatchObject({
    ...json,
    price_adjustment: null,
    cost: null,
    price_version: 4,
    late: true,
    superseded_by: idAt(8),
  });

  const { items } = await listReceipts(sql, scope, {});
  expect(items).toMatchObject([
    {
      requestId,
      projectId: account.project.id,
      projectName: account.project.name,
      keyId: account.key.id,
      keyName: 'key',
      dialect: 'messages',
      model: 'big',
      outcome: 'interrupted',
      charge: 20_001_809n,
      netCharge: 20_000_300n,
      usage: { certainty: 'estimated', tokens },
      streamed: true,
      admittedAtMs: DAY + 7_250,
      durationMs: 31,
      firstEventMs: 9,
      clientRequestId: 'theirs-1',
      session: 'mine',
      retry: true,
    },
  ]);
});

test('a receipt of one attempt that succeeded is found with it, one of none with none, and neither by others', async () => {
  const { account, ids } = await workspaceWith([{}, { attempts: [], outcome: 'failed' }]);
  const { account: stranger } = await workspaceWith([]);
  const [one = '', none = ''] = ids;
  const scope = scopeOf(account.workspace.id);
  const attempts = [{ provider: 'local', upstreamModel: 'qwen3', status: 200, durationMs: 10, fault: null }];

  const plain = { ...NO_EXTRAS, corrections: [], late: false };
  expect(await findWorkspaceReceipt(sql, scope, one)).toMatchObject({ ...plain, requestId: one, attempts });
  expect(await findWorkspaceReceipt(sql, scope, none)).toMatchObject({ ...plain, requestId: none, attempts: [] });
  expect(await findWorkspaceReceipt(sql, scopeOf(stranger.workspace.id), one)).toBeNull();
  for (const id of ['receipt', idAt(50)]) {
    expect([await findWorkspaceReceipt(sql, scope, id), await findReceipt(sql, id)]).toEqual([null, null]);
  }
});

test.each([0, PAGE_ITEMS_MAX + 1])('a page of %d receipts is a mistake of the program', async (limit) => {
  const listing = listReceipts(sql, scopeOf('00000000-0000-7000-8000-000000000000'), {}, { limit });
  await expect(listing).rejects.toThrow('a page has a size that lists allow');
});

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

  expect(items).toMatchObject([
    { charge: 90n, netCharge: 30n, keyName: account.key.name, usage: { tokens: { output: 11 } } },
  ]);
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
