import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCsv, sumOf } from '../../../test/support/csv.ts';
import { granted, openAccount, Spender } from '../../../test/support/accounts.ts';
import { openLargeWorkspace } from '../../../test/support/large-workspace.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { parseUsd } from '../../domain/money.ts';
import { EXTRA_FIELDS } from '../../domain/receipt.ts';
import { TOKEN_CLASSES } from '../../domain/usage.ts';
import { SystemClock } from '../../lib/clock.ts';
import { Pacer } from '../../lib/pacer.ts';
import type { Sql } from '../../lib/sql.ts';
import { correctReceipt } from './corrections.ts';
import { csvLine } from './csv.ts';
import { exportEntries, exportReceipts, type ExportRange } from './export.ts';
import { postCredit } from './postings.ts';
import type { ReceiptChoice } from './receipt-search.ts';

let testDatabase: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());

const parts = {
  get sql() {
    return sql;
  },
  pacer: new Pacer(new SystemClock()),
};
const ALL: ExportRange = { from: null, to: null };

async function read(pages: AsyncGenerator<string, void, undefined>) {
  const chunks: string[] = [];
  for await (const page of pages) chunks.push(page);
  return { rows: parseCsv(chunks.join('')), pages: chunks.length };
}

/** The objects of an export in lines of JSON. */
async function readObjects(
  slices: AsyncGenerator<string, void, undefined>,
): Promise<readonly Record<string, unknown>[]> {
  const lines: string[] = [];
  for await (const slice of slices) lines.push(...slice.split('\n').slice(0, -1));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('an export in lines of JSON has the columns and rows of the CSV, and texts as they are', async () => {
  const account = await openAccount(sql, { credit: 1_000n });
  const scope = scopeOf(account.workspace.id);
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 7n, charge: 5n });
  await spender.spend(account, { hold: 7n, charge: 6n }, { clientRequestId: '=2+2, "x"\n' });
  await spender.end();
  for (const exported of [exportReceipts, exportEntries]) {
    const { rows } = await read(exported(parts, scope, ALL));
    const objects = await readObjects(exported(parts, scope, ALL, 'ndjson'));
    expect(objects.length).toBe(rows.length);
    expect(objects.map((object) => Object.keys(object))).toEqual(rows.map((row) => Object.keys(row)));
    expect(objects.map((object) => object['amount_nano_usd'])).toEqual(rows.map((row) => row['amount_nano_usd']));
  }
  const objects = await readObjects(exportReceipts(parts, scope, ALL, 'ndjson'));
  expect(objects[1]).toMatchObject({
    charge_nano_usd: '6',
    charge_usd: '0.000000006',
    client_request_id: '=2+2, "x"\n',
    input_tokens: expect.any(Number),
    late: false,
    first_event_ms: null,
    superseded_by: null,
    dialect: 'chat_completions',
    fees_nano_usd: '0',
    session: null,
    left_out: null,
    retry: false,
  });
});

test('the manual names the columns of exported receipts up to the first of the extras, in their order', async () => {
  const manual = await readFile(new URL('../../../docs/money.md', import.meta.url), 'utf8');
  const [, listed = ''] = /^- \*\*receipts\*\*(.*?)^- /ms.exec(manual) ?? [];
  const tokens = TOKEN_CLASSES.map((tokenClass) => `\`${tokenClass}_tokens\``).join(' ');
  const named = listed.replace('`input_tokens` to `audio_output_tokens`', tokens).match(/(?<=`)\w+(?=`)/g);
  const [heading = ''] = await Array.fromAsync(exportReceipts(parts, scopeOf(randomUUID()), ALL));
  const names = heading
    .trim()
    .split(',')
    .map((name) => name.replace(/_nano_usd$/, ''));
  const [, ...laterExtras] = Object.values(EXTRA_FIELDS).map(({ wire }) => wire);
  expect(names.filter((name) => !name.endsWith('_usd'))).toEqual([...(named ?? []), ...laterExtras]);
});

test('an export of a session has its receipts alone, and what they say beside all others', async () => {
  const account = await openAccount(sql, { credit: 1_000n });
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 10n, charge: 1n });
  const uses = { request: 1, web_search: 3 };
  const extras = { session: '=mine', leftOut: ['web_search', 'cache_control'], retry: true, uses } as const;
  const { requestId } = await spender.spend(
    account,
    { hold: 10n, charge: 2n },
    {
      extras,
      writeOff: 4n,
      fees: 1n,
      outcome: 'abandoned',
      dialect: 'responses',
      model: 'other-chat',
      streamed: true,
      firstEventMs: 5,
      clientRequestId: 'theirs',
      admittedAtMs: 1_700_000_000_000,
      usage: {
        certainty: 'estimated',
        tokens: {
          input: 1,
          cached_input: 2,
          cache_write_5m: 3,
          cache_write_1h: 4,
          audio_input: 5,
          output: 6,
          audio_output: 7,
        },
      },
    },
  );
  granted(await correctReceipt(sql, scopeOf(account.workspace.id), { requestId, charge: 9n, reason: 'too little' }));
  await spender.spend(account, { hold: 10n, charge: 3n }, { extras: { session: 'other' } });
  const choice = { session: '=mine' };
  const { rows } = await read(exportReceipts(parts, scopeOf(account.workspace.id), { ...ALL, choice }));
  expect(rows).toHaveLength(1);
  expect(rows).toMatchObject([
    {
      request_id: requestId,
      admitted_at: '2023-11-14T22:13:20.000Z',
      settled_at: expect.stringMatching(/^20\d\d-.+Z$/),
      project_id: account.project.id,
      project: account.project.name,
      key_id: account.key.id,
      key: account.key.name,
      model: 'other-chat',
      price_version: '',
      outcome: 'abandoned',
      usage_certainty: 'estimated',
      input_tokens: '1',
      cached_input_tokens: '2',
      cache_write_5m_tokens: '3',
      cache_write_1h_tokens: '4',
      audio_input_tokens: '5',
      output_tokens: '6',
      audio_output_tokens: '7',
      charge_nano_usd: '2',
      charge_usd: '0.000000002',
      correction_nano_usd: '7',
      correction_usd: '0.000000007',
      net_charge_nano_usd: '9',
      net_charge_usd: '0.000000009',
      hold_nano_usd: '10',
      hold_usd: '0.00000001',
      write_off_nano_usd: '4',
      write_off_usd: '0.000000004',
      late: 'false',
      streamed: 'true',
      duration_ms: '12',
      first_event_ms: '5',
      client_request_id: 'theirs',
      superseded_by: '',
      dialect: 'responses',
      fees_nano_usd: '1',
      fees_usd: '0.000000001',
      session: "'=mine",
      left_out: 'web_search, cache_control',
      retry: 'true',
      uses: 'request 1 web_search 3',
    },
  ]);
  const entries = await read(exportEntries(parts, scopeOf(account.workspace.id), ALL));
  const entry = { posting_id: expect.any(String), posted_at: expect.stringMatching(/^20\d\d-.+Z$/), actor: 'test' };
  const grant = { ...entry, kind: 'grant', reason: 'a test', receipt_request_id: '', once: '', expires_at: '' };
  const correction = {
    ...entry,
    kind: 'adjustment',
    reason: 'too little',
    receipt_request_id: requestId,
    once: '',
    expires_at: '',
  };
  expect(entries.rows).toEqual([
    { ...grant, account: 'credit', amount_nano_usd: '1000', amount_usd: '0.000001' },
    { ...grant, account: 'promotions', amount_nano_usd: '-1000', amount_usd: '-0.000001' },
    { ...correction, account: 'adjustments', amount_nano_usd: '7', amount_usd: '0.000000007' },
    { ...correction, account: 'credit', amount_nano_usd: '-7', amount_usd: '-0.000000007' },
  ]);
});

test('an export adds up to the ledger to the last nano-USD, over many pages', async () => {
  const before = await verifyLedger(sql);
  const account = await openAccount(sql, { credit: 9_007_199_254_740_993n });
  const { id: workspaceId } = account.workspace;
  const spender = await Spender.begin(sql);
  const receipt = await spender.spend(account, { hold: 9_007_199_254_740_001n, charge: 9_007_199_254_740_000n });
  await sql.query(
    `insert into receipts select (r).* from (
         select jsonb_populate_record(receipts, jsonb_build_object('request_id',
           overlay(request_id::text placing lpad(to_hex(n), 12, '0') from 25), 'charge_nano_usd', 0)) as r
         from receipts, generate_series(1, 2500) n where request_id = $1) copies`,
    [receipt.requestId],
  );
  for (let n = 0; n < 3; n++) {
    granted(await postCredit(sql, scopeOf(workspaceId), { kind: 'adjustment', amount: -7n, reason: 'a, "b"' }));
  }
  const correction = { requestId: receipt.requestId, charge: 1n, reason: '=1+1' };
  granted(await correctReceipt(sql, scopeOf(workspaceId), correction));
  const entries = await read(exportEntries(parts, scopeOf(workspaceId), ALL));
  const receipts = await read(exportReceipts(parts, scopeOf(workspaceId), ALL));
  expect(receipts.rows).toHaveLength(2_501);
  expect(receipts.pages).toBeGreaterThan(10);
  const posted = sumOf(
    entries.rows.filter(({ account: name }) => name === 'credit' || name === 'owed'),
    'amount_nano_usd',
  );
  const charges = sumOf(receipts.rows, 'charge_nano_usd');
  expect(sumOf(entries.rows, 'amount_nano_usd')).toBe(0n);
  const report = await verifyLedger(sql);
  expect({ posted, charges, left: posted - charges }).toEqual({
    posted: report.credit - before.credit,
    charges: report.charges - before.charges,
    left: report.balance - before.balance,
  });
  for (const row of receipts.rows) {
    expect(parseUsd(row['charge_usd'] ?? '')).toBe(BigInt(row['charge_nano_usd'] ?? ''));
  }
  expect(sumOf(receipts.rows, 'correction_nano_usd')).toBe(-9_007_199_254_739_999n);
  expect(receipts.rows.find((row) => row['request_id'] === receipt.requestId)).toMatchObject({
    net_charge_nano_usd: '1',
    input_tokens: '7',
    outcome: 'completed',
    project: account.project.name,
  });
  expect(entries.rows.at(-1)).toMatchObject({ reason: `'=1+1`, receipt_request_id: receipt.requestId });
});

test('an export holds what its range says, from its first moment up to but not including its last', async () => {
  const account = await openAccount(sql, { credit: 100n });
  const spender = await Spender.begin(sql);
  const idAt = (ms: number) =>
    `${ms
      .toString(16)
      .padStart(12, '0')
      .replace(/(.{8})/, '$1-')}-7000-8000-000000000001`;
  const now = Date.now();
  for (const at of [now - 2_000, now - 1_000, now]) {
    await spender.spend(account, { hold: 1n, charge: 1n }, { requestId: idAt(at) });
  }
  const { rows } = await read(
    exportReceipts(parts, scopeOf(account.workspace.id), { from: new Date(now - 1_000), to: new Date(now) }),
  );
  expect(rows.map((row) => row['request_id'])).toEqual([idAt(now - 1_000)]);
  const future = { from: new Date(now + 60_000), to: null };
  expect((await read(exportEntries(parts, scopeOf(account.workspace.id), future))).rows).toEqual([]);
  expect(
    (await read(exportEntries(parts, scopeOf(account.workspace.id), { from: null, to: future.from }))).rows,
  ).toHaveLength(2);
  await spender.end();
});

test('an export has the chosen receipts and no other, however far apart they lie', async () => {
  const { workspace, key } = await openLargeWorkspace(sql, { keys: 600, receipts: 12_000 });
  const chosen = async (choice: ReceiptChoice) =>
    (await read(exportReceipts(parts, scopeOf(workspace.id), { ...ALL, choice }))).rows;
  const [{ key_id: keyId } = { key_id: '' }] = await sql.query<{ key_id: string }>(
    'select key_id from receipts where workspace_id = $1 limit 1',
    [workspace.id],
  );

  const ofKey = await chosen({ keyId });
  expect(ofKey.map((row) => row['key_id'])).toEqual(Array.from({ length: 20 }, () => keyId));
  const ids = ofKey.map((row) => row['request_id'] ?? '');
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(20);
  expect(await chosen({ outcome: 'failed' })).toEqual([]);
  expect(await chosen({ keyId, chargeMin: 1_001n })).toEqual([]);
  expect(await chosen({ keyId: key.id, model: 'a-model' })).toHaveLength(20);
});

test('a line of CSV is read as it was written, and no text in it as a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }), (texts) => {
      const heading = texts.map((_, index) => `c${index}`).join(',');
      const [row = {}] = parseCsv(`${heading}\r\n${csvLine(texts)}`);
      texts.forEach((text, index) => {
        const field = row[`c${index}`] ?? '';
        expect([text, `'${text}`]).toContain(field);
        expect(field).not.toMatch(/^(?:[\t\r\n]|[\s\p{C}]*[=+\-@])/u);
      });
    }),
  );
});
