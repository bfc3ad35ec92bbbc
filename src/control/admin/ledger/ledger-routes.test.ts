import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openAccount, Spender } from '../../../../test/support/accounts.ts';
import { controlOf, startTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { countUsageIn, verifyLedger } from '../../../../test/support/verify-ledger.ts';
import { DatabaseUnavailable, type Sql, type SqlRunner } from '../../../lib/sql.ts';
import { adminDependencies } from '../../../../test/support/admin-dependencies.ts';
import { serveAdmin } from '../../../../test/support/served-admin.ts';
import { adminIdentity, identifyOwn } from '../../../../test/support/admin-identity.ts';
import { createAdminApp } from '../admin-app.ts';
import type { AdminClient } from '../client.ts';

const TOKEN = 'operator-token';
const SELLER = { name: 'Gate GmbH', address: '1 Main Street', taxId: 'DE1' };
const NOBODY = '00000000-0000-4000-8000-000000000000';

let testDatabase: TestDatabase;
let sql: Sql;
/** Whether the database answers the queries of an export. */
let fails = (_statement: string): boolean => false;
const onFault = vi.fn<(fault: unknown) => void>();
let client: AdminClient;
let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
  const fragile = (runner: SqlRunner): SqlRunner => ({
    query: (statement, values) =>
      fails(statement) ? Promise.reject(new DatabaseUnavailable('away')) : runner.query(statement, values),
  });
  const control = controlOf({
    transaction: (work, options) => sql.transaction((tx) => work(fragile(tx)), options),
    ...fragile(sql),
  });
  const app = createAdminApp({
    ...adminDependencies(control),
    proveLedger: () => verifyLedger(sql),
    identify: identifyOwn(testDatabase.control, TOKEN),
    identity: adminIdentity(testDatabase.control),
    seller: SELLER,
    onFault,
  });
  ({ url, client, close } = await serveAdmin(app, TOKEN));
});
afterEach(() => {
  fails = () => false;
});
afterAll(async () => {
  await close();
  await testDatabase.stop();
});

async function post(path: string, body: object) {
  const response = await fetch(`${url}/admin/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { error = {} } = (await response.json()) as { error?: Record<string, unknown> };
  return { status: response.status, error };
}

async function charged() {
  const account = await openAccount(sql, { credit: 1_000_000_000n });
  const spender = await Spender.begin(sql);
  const receipt = await spender.spend(account, { hold: 500n, charge: 20n });
  await spender.end();
  return { account, receipt };
}

test('a new posting answers 201, and a repeated one, by its idempotency key, 200', async () => {
  const { workspace } = await openAccount(sql);
  const body = { kind: 'top_up', amount_usd: '1', reason: 'paid', once: 'invoice' };
  const path = `/workspaces/${workspace.id}/postings`;
  expect([(await post(path, body)).status, (await post(path, body)).status]).toEqual([201, 200]);
});

test('a workspace’s history comes in pages', async () => {
  const { workspace } = await openAccount(sql);
  for (const amount of ['1', '2', '3'])
    await client.postCredit(workspace.id, { kind: 'grant', amount_usd: amount, reason: 'x' });
  const first = await client.listPostings(workspace.id, { limit: 2 });
  expect(first).toMatchObject({ data: [{ balance_usd: '6.00' }, { balance_usd: '3.00' }] });
  const rest = await client.listPostings(workspace.id, { limit: 2, cursor: first.next_cursor ?? '' });
  expect(rest).toMatchObject({ next_cursor: null, data: [{ balance_usd: '1.00', once: null }] });
});

test('a correction answers with the corrected receipt', async () => {
  const { receipt } = await charged();
  const corrected = await client.correctReceipt(receipt.requestId, { charge_usd: '0', reason: 'down' });
  expect(corrected).toMatchObject({
    posting: { kind: 'adjustment', amount_nano_usd: '20' },
    receipt: { charge_nano_usd: '20', net_charge_nano_usd: '0', corrections: [{ actor: 'operator' }], cost: null },
  });
});

test.each([
  [{ kind: 'gift', amount_usd: '1', reason: 'x' }, 'kind', 'top_up, grant, refund'],
  [{ amount_usd: '1', reason: 'x' }, 'kind', 'top_up, grant, refund'],
  [{ kind: 'refund', amount_usd: '-1', reason: 'x' }, 'amount_usd', 'above zero'],
  [{ kind: 'adjustment', amount_usd: '0', reason: 'x' }, 'amount_usd', 'below zero to take'],
  [{ kind: 'grant', amount_usd: '1' }, 'reason', '1 to 500 characters'],
  [{ kind: 'grant', amount_usd: '1', reason: 'x', once: '' }, 'once', '1 to 200 characters'],
  [{ kind: 'grant', amount_usd: '1', reason: 'x', won: true }, 'won', 'Unknown field'],
  [{ kind: 'dispute', amount_usd: '1', reason: 'x', won: true }, 'amount_usd', 'no more can be restored'],
  [{ kind: 'top_up', amount_usd: '1', reason: 'x', expires_at: '2099-01-01' }, 'expires_at', 'Only a grant can expire'],
  [{ kind: 'adjustment', amount_usd: '1', reason: 'x', expires_at: '2099-01-01' }, 'expires_at', 'Only a grant can'],
])('the ledger’s routes answer 400 to a posting of %j', async (body, param, message) => {
  const { workspace } = await openAccount(sql);
  const { status, error } = await post(`/workspaces/${workspace.id}/postings`, body);
  expect({ status, param: error['param'] }).toEqual({ status: 400, param });
  expect(error['message']).toContain(message);
});

test.each([
  [{ reason: 'x' }, null, 'either charge_usd or price_version'],
  [{ charge_usd: '0', price_version: 1, reason: 'x' }, null, 'either charge_usd or price_version'],
  [{ charge_usd: '-1', reason: 'x' }, 'charge_usd', 'zero or above'],
  [{ charge_usd: '1', reason: 'x' }, 'charge_usd', 'at most its hold'],
  [{ price_version: 0, reason: 'x' }, 'price_version', 'number of one'],
  [{ price_version: 9, reason: 'x' }, 'price_version', 'no price version 9'],
])('the ledger’s routes answer 400 to a correction of %j', async (body, param, message) => {
  const { receipt } = await charged();
  const { status, error } = await post(
    `/workspaces/${receipt.workspaceId}/receipts/${receipt.requestId}/corrections`,
    body,
  );
  expect({ status, param: error['param'] }).toEqual({ status: 400, param });
  expect(error['message']).toContain(message);
});

test.each([
  'history?limit=0',
  'history?limit=201',
  'history?cursor=first',
  'projects?page=2',
  'export/secrets',
  'export/receipts?from=now',
  'export/receipts?outcome=lost',
  'export/entries?model=gpt-5',
])('the ledger’s routes answer 400 to a request for %s', async (path) => {
  const { workspace } = await openAccount(sql);
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await fetch(`${url}/admin/v1/workspaces/${workspace.id}/${path}`, { headers });
  expect(response.status).toBe(400);
  await response.text();
});

test('unknown workspaces and receipts answer 404', async () => {
  const missing = [
    client.postCredit(NOBODY, { kind: 'top_up', amount_usd: '1', reason: 'x' }),
    client.listPostings(NOBODY),
    client.correctReceipt(NOBODY, { charge_usd: '0', reason: 'x' }),
    client.exportRecords(NOBODY, 'receipts'),
  ];
  for (const answer of await Promise.allSettled(missing)) {
    expect(answer).toMatchObject({ status: 'rejected', reason: { status: 404, code: 'NOT_FOUND' } });
  }
});

test('an export has the receipts that its filter chooses', async () => {
  const { account, receipt } = await charged();
  const exported = async (query: Parameters<AdminClient['exportRecords']>[2]) =>
    (await text(Readable.fromWeb(await client.exportRecords(account.workspace.id, 'receipts', query))))
      .trimEnd()
      .split('\r\n')
      .slice(1);
  expect(await exported({ key: account.key.id, outcome: 'completed' })).toEqual([
    expect.stringContaining(receipt.requestId),
  ]);
  expect(await exported({ outcome: 'failed' })).toEqual([]);
  expect(await exported({ min_charge_usd: '1000' })).toEqual([]);
});

const read = async (workspace: string) => text(Readable.fromWeb(await client.exportRecords(workspace, 'receipts')));

test('an export has what lies between its times alone, whatever is exported', async () => {
  const { account } = await charged();
  const { id } = account.workspace;
  const [now, later] = [new Date(Date.now() + 60_000).toISOString(), new Date(Date.now() + 120_000).toISOString()];
  const lines = async (what: 'receipts' | 'entries', times: { from?: string; to?: string }) => {
    const exported = await text(Readable.fromWeb(await client.exportRecords(id, what, times)));
    return exported.trimEnd().split('\r\n').length;
  };
  for (const what of ['receipts', 'entries'] as const) {
    const all = await lines(what, {});
    expect(all).toBeGreaterThan(1);
    expect(await lines(what, { from: '2020-01-01T00:00:00Z', to: now })).toBe(all);
    expect(await lines(what, { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' })).toBe(1);
    expect(await lines(what, { from: now, to: later })).toBe(1);
  }
});

/** Begins an export and reads its first chunk. */
async function begin(workspace: string) {
  const reader = (await client.exportRecords(workspace, 'receipts')).getReader();
  await reader.read();
  return reader;
}

test('a third concurrent export is refused with Retry-After, until one has ended or its client has disconnected', async () => {
  const { account } = await charged();
  const { id } = account.workspace;
  await sql.query(
    `insert into receipts select (r).* from (
         select jsonb_populate_record(receipts, jsonb_build_object('request_id',
           overlay(request_id::text placing lpad(to_hex(n), 12, '0') from 25), 'client_request_id', repeat('x', 8000))) as r
         from receipts, generate_series(1, 2500) n where workspace_id = $1) copies`,
    [id],
  );
  // Each is longer than the buffers in between, so it stalls until more of it is read.
  const [one, other] = [await begin(id), await begin(id)];
  const headers = { authorization: `Bearer ${TOKEN}` };
  const third = await fetch(`${url}/admin/v1/workspaces/${id}/export/entries`, { headers });
  expect({ status: third.status, retryAfter: third.headers.get('retry-after') }).toEqual({
    status: 503,
    retryAfter: '10',
  });
  expect(await third.text()).toContain('Two exports are running');
  const entries = async () => text(Readable.fromWeb(await client.exportRecords(id, 'entries'))).catch(() => '');
  const readTogether = (count: number) =>
    Promise.all(Array.from({ length: count }, entries)).catch((refused: unknown) => String(refused));
  await one.cancel();
  await expect.poll(() => readTogether(1), { timeout: 20_000 }).toEqual([expect.stringContaining('posting_id')]);
  while (!(await other.read()).done);
  await expect.poll(() => readTogether(2), { timeout: 20_000 }).toHaveLength(2);
});

test('an export answers 503 if there is no database at its start, and breaks the connection if it fails midway', async () => {
  const { account, receipt } = await charged();
  await sql.query(
    `insert into receipts select (r).* from (
         select jsonb_populate_record(receipts, jsonb_build_object('request_id',
           overlay(request_id::text placing lpad(to_hex(n), 12, '0') from 25), 'charge_nano_usd', 0)) as r
         from receipts, generate_series(1, 2500) n where request_id = $1) copies`,
    [receipt.requestId],
  );
  let pages = 0;
  fails = (statement) => statement.includes('from receipts') && ++pages > 2;
  const onStderr = vi.spyOn(console, 'error');
  await expect(read(account.workspace.id)).rejects.toThrow(/terminated|closed/);
  expect(pages).toBe(3);
  expect(onFault).toHaveBeenCalledWith(expect.any(DatabaseUnavailable));
  expect(onStderr).not.toHaveBeenCalled();
  await expect(read(account.workspace.id)).rejects.toMatchObject({ status: 503 });
  fails = () => false;
  expect((await read(account.workspace.id)).trimEnd().split('\r\n')).toHaveLength(2_502);
});

test('a statement and its file name the seller of the config and the buyer of the workspace', async () => {
  await countUsageIn(sql)();
  const { workspace } = await openAccount(sql, { credit: 5n });
  const unnamed = await client.showStatement(workspace.id, {});
  expect(unnamed).toMatchObject({
    seller: { name: 'Gate GmbH', address: '1 Main Street', tax_id: 'DE1' },
    buyer: { name: workspace.name, address: null, tax_id: null },
  });
  await client.changeWorkspace(workspace.id, { billing_name: '=Acme, Inc.', billing_tax_id: 'US9' });
  await expect(client.changeWorkspace(workspace.id, { billing_address: 'two\nlines' })).rejects.toThrow(
    /billing_address/,
  );
  const named = await client.showStatement(workspace.id, {});
  expect(named.buyer).toEqual({ name: '=Acme, Inc.', address: null, tax_id: 'US9' });
  const csv = await (
    await fetch(`${url}/admin/v1/workspaces/${workspace.id}/statement/export`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
  ).text();
  const [heading, line] = csv.split('\r\n');
  expect(heading).toMatch(/,id,expires_at,tax_nano_usd,tax_usd,statement,seller,buyer$/);
  expect(line).toContain(`,${named.number},"Gate GmbH, 1 Main Street, DE1","'=Acme, Inc., US9"`);
});
