import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SqlFault, type Sql } from '../../lib/sql.ts';
import { takeTransactionLock, tryTransactionLock } from '../../lib/transaction-lock.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type AppliedFiles, migrate } from './migrate.ts';
import { type Database, openDatabase } from './pool.ts';

/** Has an instance in `public`, and gets another in the schema `apart`. */
let server: TestDatabase;
/** What each of two programs that started together has applied in `apart`. */
let applied: readonly AppliedFiles[];
const opened: Database[] = [];
beforeAll(async () => {
  server = await startTestDatabase();
  applied = await Promise.all([migrate(open('apart')), migrate(open('apart'))]);
});
afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()));
  await server.stop();
});

function open(schema: string | null): Database {
  const connection = { ...server.connection, schema };
  const database = openDatabase({ connection, connectionsMax: 2, applicationName: 'faregate-test' });
  opened.push(database);
  return database;
}

const whereIs = async (sql: Pick<Sql, 'query'>, table: string) =>
  await sql.query('select relnamespace::regnamespace::text as schema from pg_class where oid = to_regclass($1)', [
    table,
  ]);

test('a schema that a configuration names is made and filled once, by programs that start together too', async () => {
  expect(applied.filter(({ migrations }) => migrations.length > 0)).toHaveLength(1);
  expect(await whereIs(open('apart'), 'receipts')).toEqual([{ schema: 'apart' }]);
  expect(await whereIs(server.database, 'receipts')).toEqual([{ schema: 'public' }]);
});

const REAP = 'call commit_reap_epoch($1, $2, $3, $4, null, null)';

test('statements of every kind, transactions and procedures run in the schema, and leave it', async () => {
  const database = open('apart');
  const expected = [{ schema: 'apart' }];
  const text = 'select current_schema()::text as schema';
  expect(await database.query(text)).toEqual(expected);
  expect(await database.query(`${text} where $1`, [true])).toEqual(expected);
  for (let times = 0; times < 3; times += 1) {
    expect(await database.query(`${text} where $1`, [true], { isFrequent: true })).toEqual(expected);
  }
  expect(await database.query('select 1 where $1', [false])).toEqual([]);
  expect(await database.query('update workspaces set name = $1 where false', ['x'])).toEqual([]);
  expect(await database.transaction(async (tx) => [await tx.query(text), await tx.query(text)])).toEqual([
    expected,
    expected,
  ]);
  await expect(database.query('select * from nowhere where $1', [true])).rejects.toBeInstanceOf(SqlFault);
  expect(await database.query(`${text} where $1`, [true])).toEqual(expected);
  expect(await database.query(REAP, [0n, 0n, 10, false])).toEqual([{ last_purse: null, busy: null }]);
});

test('a schema that is named later has procedures that run in it, whatever its connection was lent for before', async () => {
  const named = open('public');
  expect(await migrate(named)).toEqual({ migrations: [], functions: [] });
  const [{ id } = { id: 0n }] = await named.query<{ id: bigint }>(
    `insert into epochs (instance_id, process_name, timeout_ms, fenced_at) values ($1, 'p', 1000, now()) returning id`,
    [randomUUID()],
  );
  // As a pooler may have lent the connection to another client before.
  await named.query('set search_path to apart');
  expect(await named.query('select current_schemas(false) as path where $1', [true])).toEqual([{ path: '{public}' }]);
  expect(await named.query(REAP, [id, 0n, 10, false])).toEqual([{ last_purse: null, busy: [] }]);
});

test('each schema has locks of its own, by the bare numbers in the one that was always there', async () => {
  const [one, other, always] = [open('apart'), open('pg_catalog'), server.database];
  await one.transaction(async (tx) => {
    await takeTransactionLock(tx, 77n);
    const tryIn = (sql: Sql) => sql.transaction((inner) => tryTransactionLock(inner, 77n));
    expect(await tryIn(one)).toBe(false);
    expect(await tryIn(other)).toBe(true);
    expect(await tryIn(always)).toBe(true);
    await always.transaction(async (bare) => {
      await bare.query('select pg_advisory_xact_lock(77)');
      expect(await tryIn(always)).toBe(false);
      expect(await tryIn(other)).toBe(true);
    });
  });
  for (const database of [one, always]) {
    await database.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock(lock_number(78))');
      expect(await database.transaction((inner) => tryTransactionLock(inner, 78n))).toBe(false);
    });
  }
});
