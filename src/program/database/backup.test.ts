import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, afterEach, expect, onTestFinished, test } from 'vitest';
import { fillDatabase } from '../../../test/database/fill-database.ts';
import { type Account, granted, openAccount, Spender } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { sessionsWithSnapshot } from '../../../test/support/held-snapshots.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { countUsageIn, pacedBy, verifyLedger } from '../../../test/support/verify-ledger.ts';
import { readModelPrices } from '../../control/catalogue/model-prices.ts';
import { reserveReceiptLayout } from '../../control/ledger/receipt-layout.ts';
import { DatabaseUnavailable, type Sql } from '../../lib/sql.ts';
import { SystemClock } from '../../lib/clock.ts';
import { Pacer } from '../../lib/pacer.ts';
import { readUsage } from '../../control/usage/usage-report.ts';
import { backupTables, BackupFault } from './backup-format.ts';
import { checkBackup, restoreBackup } from './backup-restore.ts';
import { writeBackup } from './backup.ts';
import type { Database } from './pool.ts';

let filled: TestDatabase;
let empty: TestDatabase;
let backup: Buffer;
const workspace = randomUUID();
const most = 9_223_372_036_854_775_807n;

beforeAll(async () => {
  filled = await startTestDatabase();
  await fill(filled.database);
  backup = await take(filled.database);
});
afterAll(() => filled.stop());
beforeEach(async () => void (empty = await startTestDatabase()));
afterEach(() => empty.stop());

async function fill(db: Database): Promise<void> {
  await db.query('insert into workspaces (id, name) values ($1, $2)', [workspace, 'Ünïcode "quotes"\nand a line']);
  await db.query(
    `insert into projects (workspace_id, id, name, models) values ($1, gen_random_uuid(), 'p', '{"a/b","c,d"}')`,
    [workspace],
  );
  await db.query(
    `insert into keys (workspace_id, id, project_id, name, public_id, last_four, secret_sha256)
     select $1, gen_random_uuid(), id, 'k', 'public', 'last', $2 from projects`,
    [workspace, Buffer.from([0, 1, 254, 255])],
  );
  const [purse] = await db.query<{ id: bigint }>(
    `insert into purses (workspace_id, kind, subject_id, period, window_start, limit_nano_usd, leased_nano_usd)
     values ($1, 'credit', $1, 'never', '2026-11-21T08:00:00.123456Z', $2, 1000) returning id`,
    [workspace, most],
  );
  const epochs = await db.query<{ id: bigint }>(
    `insert into epochs (instance_id, process_name) select gen_random_uuid(), 'p' from generate_series(1, 3) returning id`,
  );
  await db.query(
    'insert into leases (epoch_id, purse_id, granted_nano_usd, charged_nano_usd) values ($2, $1, 1000, 400)',
    [purse?.id ?? 0n, epochs[2]?.id ?? 0n],
  );
  await db.query(
    `insert into quarantined_receipts (request_id, receipt, reason) select n::text, '{}', 'r' from generate_series(1, 3) n`,
  );
  await db.transaction(async (tx) => {
    const [posting] = await tx.query<{ id: string }>(
      `insert into ledger_postings (id, workspace_id, kind, actor, reason, balance_nano_usd) values (gen_random_uuid(), $1, 'grant', 'a', 'r', 5) returning id`,
      [workspace],
    );
    await tx.query(`insert into ledger_entries values ($1, $2, 'credit', 5), ($1, $2, 'promotions', -5)`, [
      workspace,
      posting?.id ?? '',
    ]);
  });
  await db.query(`insert into price_versions (model, version, terms) values ('m', 1, '{"input":"0.25","n":[1,null]}')`);
  await db.query(
    `with adjustment as (
       insert into price_adjustments (workspace_id, id, basis_points) values ($1, gen_random_uuid(), -5) returning id
     )
     insert into price_versions (model, version, terms, workspace_id, list_id, adjustment_id)
     select model, 2, terms, $1, price_versions.id, adjustment.id from price_versions, adjustment`,
    [workspace],
  );
  await db.query(
    `insert into receipts (workspace_id, request_id, project_id, key_id, epoch_id, credit_purse_id, project_purse_id,
       key_purse_id, dialect, model, price_version_id, outcome, charge_nano_usd, hold_nano_usd, write_off_nano_usd,
       usage_certainty, input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
       audio_input_tokens, output_tokens, audio_output_tokens, streamed, admitted_at, duration_ms, attempts)
     select $1, ('0193e0c0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, gen_random_uuid(), gen_random_uuid(), 3, 1, 1, 1,
       'chat_completions', 'm', 1, 'completed', $2, $2, 0, 'exact', 1, 0, 0, 0, 0, 1, 0, false, now(), 1, '[]' from generate_series(1, 1200) n`,
    [workspace, most - 1n],
  );
}

test('a backup knows which requests were answered, so that a repeat is not charged again, and holds no answer', async () => {
  const { database } = filled;
  await database.query(
    `insert into idempotent_requests (workspace_id, key_id, idempotency_key, body_sha256, epoch_id, request_id, completed_at, answer)
     select $1, gen_random_uuid(), 'once', sha256('b'), 1, gen_random_uuid(), now(), 'what a model said'`,
    [workspace],
  );
  await restore(await take(database));
  const rows = (sql: Sql) =>
    sql.query(`select idempotency_key, body_sha256, completed_at, answer::text from idempotent_requests`);
  const [before] = await rows(database);
  expect(await rows(empty.database)).toEqual([{ ...before, answer: null }]);
  await database.query('delete from idempotent_requests');
});

const pacer = new Pacer(new SystemClock());

async function take(db: Database, paced: Pick<Pacer, 'slice'> = pacer): Promise<Buffer> {
  const stream = new PassThrough();
  const [taken] = await Promise.all([buffer(stream), writeBackup({ sql: db, pacer: paced }, stream)]);
  return taken;
}

const restore = (bytes: Buffer): Promise<void> => restoreBackup(empty.database, Readable.from([bytes]));

async function contents(db: Sql, table: string): Promise<readonly object[]> {
  return db.query(`select (to_jsonb(t) - 'settled_xid')::text as line from ${table} t order by 1`);
}

test('a restored backup has every row as it was, receipts in the partitions of their weeks', async () => {
  await restore(backup);
  await countUsageIn(filled.database)();
  for (const table of await backupTables(filled.database)) {
    if (['epochs', 'leases', 'purses'].includes(table)) continue;
    expect({ table, rows: await contents(empty.database, table) }).toEqual({
      table,
      rows: await contents(filled.database, table),
    });
  }
  // A transaction's number says nothing to another server.
  expect(await empty.database.query('select from receipts where settled_xid is not null')).toEqual([]);
  const partitions = await empty.database.query('select distinct tableoid::regclass::text as name from receipts');
  expect(partitions).toEqual([{ name: 'receipts_2024_w51' }]);
});

test('a restored backup has no processes of then: what they had charged is spent, what they had left is back', async () => {
  await restore(backup);
  expect(await empty.database.query('select spent_nano_usd as spent, leased_nano_usd as leased from purses')).toEqual([
    { spent: 400n, leased: 0n },
  ]);
  expect(await empty.database.query('select epoch_id from leases')).toEqual([]);
  expect(await empty.database.query('select id from epochs where fenced_at is null or reaped_at is null')).toEqual([]);
});

test('a restored backup goes on counting where the other had stopped', async () => {
  await restore(backup);
  const added = await empty.database.query(
    `insert into quarantined_receipts (request_id, receipt, reason) values ('4', '{}', 'r') returning id`,
  );
  expect(added).toEqual([{ id: 4n }]);
});

const edit = (change: (text: string) => string): Buffer => gzipSync(change(gunzipSync(backup).toString()));

test.each<[string, () => Buffer, RegExp]>([
  ['when it is cut off', () => backup.subarray(0, backup.length >> 1), /damaged or truncated/],
  ['when it ends early', () => edit((text) => text.slice(0, text.indexOf('["end"'))), /truncated/],
  [
    'when rows are missing',
    () => edit((text) => text.replace(/\{[^\n]*"promotions"[^\n]*\n/, '')),
    /numbers of rows in the backup differ/,
  ],
  ['when it is something else', () => gzipSync('hello\n'), /not a backup/],
  ['when it is not even compressed', () => Buffer.from('hello\n'), /damaged/],
  ['when another schema made it', () => edit((text) => text.replace('0001_baseline', '0001_other')), /another version/],
  [
    'when a program from before the first release took it',
    () => edit((text) => text.replace('0001_baseline', '0001_initial')),
    /from before the first release.*restore it with the program that took it/,
  ],
  ['when a newer format is used', () => edit((text) => text.replace('"version":1', '"version":2')), /format 2/],
])('a backup is refused, leaving nothing behind: %s', async (_, bytes, message) => {
  const refusal = await restore(bytes()).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(BackupFault);
  expect((refusal as Error).message).toMatch(message);
  expect(await empty.database.query('select id from workspaces')).toEqual([]);
});

test('a backup is looked at before a database is made for it: what no later step would restore is refused', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'faregate-backup-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'backup');
  const check = async (bytes: Buffer) => {
    await writeFile(file, bytes);
    await checkBackup(createReadStream(file));
  };
  await expect(check(edit((content) => content.replace('"version":1', '"version":2')))).rejects.toThrow(/format 2/);
  await expect(check(edit((content) => content.replace('0001_baseline', '0001_initial')))).rejects.toThrow(
    /from before the first release/,
  );
  await expect(check(gzipSync('hello\n'))).rejects.toThrow(/not a backup/);
  await check(backup);
});

test('a backup is refused, leaving nothing behind, when the database has rows already', async () => {
  await restore(backup);
  await expect(restore(backup)).rejects.toThrow(/is not empty/);
});

test('a backup shows one moment, whatever is written while it is made', async () => {
  const stream = new PassThrough({ highWaterMark: 1 });
  await fill(empty.database);
  const writing = writeBackup({ sql: empty.database, pacer }, stream);
  await new Promise((resolve) => stream.once('readable', resolve));
  await empty.database.query(`insert into workspaces (id, name) values (gen_random_uuid(), 'late')`);
  const [taken] = await Promise.all([buffer(stream), writing]);
  expect(gunzipSync(taken).toString()).not.toContain('"name": "late"');
});

test('a backup keeps no snapshot between its slices, and receipts where they are', async () => {
  await fill(empty.database);
  const seen: unknown[] = [];
  const watched = pacedBy(async () => {
    seen.push(await sessionsWithSnapshot(empty.database));
    expect(await empty.database.transaction(reserveReceiptLayout)).toBe(false);
  });
  await take(empty.database, watched);
  expect(seen.length).toBeGreaterThan(5);
  expect(seen.flat()).toEqual([]);
  expect(await empty.database.transaction(reserveReceiptLayout)).toBe(true);
  expect(await empty.database.query('select from backup_lines')).toEqual([]);
});

test('a backup that is taken while several processes settle proves clean where it is restored', async () => {
  const source = await startTestDatabase();
  try {
    const sql = source.database;
    const accounts = await Promise.all(Array.from({ length: 3 }, () => openAccount(sql, { credit: 100_000n })));
    const spenders = await Promise.all(Array.from({ length: 4 }, () => Spender.begin(sql)));
    let round = 0;
    const settle = async (): Promise<void> => {
      round += 1;
      const spend = (spender: Spender, index: number) =>
        spender.spend(accounts[(round + index) % accounts.length] as Account, {
          hold: 20n,
          charge: BigInt(1 + ((round * 7 + index * 3) % 11)),
        });
      await Promise.all(spenders.map(spend));
    };
    await settle();
    let settling = settle();
    // Some are settled between the snapshot and each slice, others at any time.
    const pacerOfSettlers = pacedBy(async () => {
      await settling;
      settling = settle();
    });
    const bytes = await take(sql, pacerOfSettlers);
    await settling;
    await restore(bytes);
    const { ok, differences, receipts } = await verifyLedger(empty.database);
    expect({ ok, differences }).toEqual({ ok: true, differences: [] });
    expect(receipts).toBeGreaterThanOrEqual(4n);
    expect(receipts).toBeLessThan((await verifyLedger(sql)).receipts);
  } finally {
    await source.stop();
  }
});

test('a restored instance has the prices of its workspaces and the costs of its requests, and proves clean', async () => {
  const source = await startTestDatabase();
  const known = async (sql: Database) => {
    const [adjusted] = await sql.query<{ id: string }>('select distinct workspace_id as id from price_adjustments');
    const prices = await readModelPrices(sql, scopeOf(adjusted?.id ?? ''), { withHistory: true });
    const stretch = { fromMs: Date.UTC(2020, 0), toMs: Date.UTC(2100, 0) };
    const request = { stretch, filter: {}, groupBy: 'workspace', groupsMax: 10, bucket: null, before: null } as const;
    const usage = granted(await readUsage(sql, operatorScope(), { ...request, withLatency: false }));
    return { prices, usage, proof: (await verifyLedger(sql)).differences };
  };
  try {
    await fillDatabase(source);
    await countUsageIn(source.database)();
    const before = await known(source.database);
    expect(before.proof).toEqual([]);
    expect(before.prices.flatMap(({ periods }) => periods.map(({ adjustment }) => adjustment?.basisPoints))).toContain(
      2_500,
    );
    expect(before.usage.total.costs?.amount).toBeGreaterThan(0n);
    await restore(await take(source.database));
    expect(await known(empty.database)).toEqual(before);
  } finally {
    await source.stop();
  }
});

test('a backup whose connection was lost breaks off, and leaves the next one whole', async () => {
  await fill(empty.database);
  const lose = pacedBy(() =>
    empty.database.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock'
         and database = (select oid from pg_database where datname = current_database())`,
    ),
  );
  const lost = writeBackup({ sql: empty.database, pacer: lose }, new PassThrough().resume());
  await expect(lost).rejects.toBeInstanceOf(DatabaseUnavailable);
  const again = async (): Promise<boolean> =>
    await writeBackup({ sql: empty.database, pacer }, new PassThrough().resume());
  await expect.poll(again, { timeout: 20_000 }).toBe(true);
});
