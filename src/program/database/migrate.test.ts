import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { recordSchema } from './landed-schema.ts';
import { migrate, planUpgrade, requireServableSchema } from './migrate.ts';
import { openDatabase } from './pool.ts';
import { readSchemaFiles, schemaList } from './schema-files.ts';
import { MigrationFault } from './schema-record.ts';

let keeper: TestDatabase;
let fresh: TestDatabase;
let directory: string;

// One database stays open, so that all tests share its server.
beforeAll(async () => void (keeper = await startTestDatabase({ migrated: false })));
afterAll(() => keeper.stop());
beforeEach(async () => {
  fresh = await startTestDatabase({ migrated: false });
  directory = await mkdtemp(join(tmpdir(), 'faregate-migrations-'));
  await mkdir(join(directory, 'migrations'));
  await mkdir(join(directory, 'functions'));
  await mkdir(join(directory, 'releases'));
  await writeFile(join(directory, 'migrations', 'checksums'), '');
  await writeFile(join(directory, 'functions', 'landed'), '');
  await write('migrations/0001_first', 'create table one (id bigint); insert into one values (1);');
  await write('migrations/0002_second', 'create table two ();');
  await write('functions/answer', 'create or replace function answer() returns int language sql as $$ select 42 $$;');
  await recordSchema(directory);
});
afterEach(async () => {
  await fresh.stop();
  await rm(directory, { recursive: true, force: true });
});

const write = (name: string, sql: string): Promise<void> => writeFile(join(directory, `${name}.sql`), sql);
const remove = (name: string): Promise<void> => rm(join(directory, `${name}.sql`));
const apply = (): Promise<object> => migrate(fresh.database, { directory });
const check = (): Promise<void> => requireServableSchema(fresh.database, directory);
const BEHIND = /schema of an older version of this program: stop the instance and start it/;

/** Lands a change of functions, as tools/schema-snapshot.ts does, and applies it. */
async function land(functions: Readonly<Record<string, string>>): Promise<object> {
  for (const [name, sql] of Object.entries(functions)) await write(`functions/${name}`, sql);
  await recordSchema(directory);
  return apply();
}

async function functionsThere(): Promise<readonly string[]> {
  const rows = await fresh.database.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
  );
  return rows.map(({ name }) => name);
}

test('migrations of this program make the schema of a fresh database current', async () => {
  await expect(requireServableSchema(fresh.database)).rejects.toThrow(BEHIND);
  const applied = await migrate(fresh.database);
  expect(applied.migrations[0]).toMatch(/^0001_/);
  expect(applied.functions).toContain('settle_receipts');
  await requireServableSchema(fresh.database);
});

test('migrations are applied in order, once', async () => {
  expect(await apply()).toEqual({ migrations: ['0001_first', '0002_second'], functions: ['answer'] });
  await write('migrations/0003_third', 'alter table one add column more text');
  await expect(check()).rejects.toThrow(BEHIND);
  expect(await apply()).toMatchObject({ migrations: ['0003_third'] });
  expect(await apply()).toEqual({ migrations: [], functions: [] });
  expect(await fresh.database.query('select id, more, answer() from one')).toEqual([
    { id: 1n, more: null, answer: 42 },
  ]);
});

test('migrations are applied once by programs that start together', async () => {
  const others = Array.from({ length: 4 }, () =>
    openDatabase({ connection: fresh.connection, connectionsMax: 1, applicationName: 'other' }),
  );
  const results = await Promise.all(others.map((db) => migrate(db, { directory })));
  expect(results.flatMap(({ migrations }) => migrations).toSorted()).toEqual(['0001_first', '0002_second']);
  expect(results.flatMap(({ functions }) => functions)).toEqual(['answer']);
  expect(await fresh.database.query('select id from one')).toEqual([{ id: 1n }]);
  await Promise.all(others.map((db) => db.close()));
});

test('migrations leave the database as it was if one of them or a function fails, and run once it is mended', async () => {
  await write('migrations/0003_third', 'create table three (); select 1 / 0;');
  await expect(apply()).rejects.toMatchObject({ sqlState: '22012' });
  await write('migrations/0003_third', 'create table three ()');
  await write('functions/broken', 'create or replace function broken() returns nothing language sql as $$ $$;');
  await expect(apply()).rejects.toMatchObject({ sqlState: '42704' });
  const there = await fresh.database.query(`select from pg_class where relnamespace = 'public'::regnamespace`);
  expect([there, await functionsThere()]).toEqual([[], []]);
  await remove('functions/broken');
  expect(await apply()).toMatchObject({ migrations: ['0001_first', '0002_second', '0003_third'] });
});

test('migrations that were edited after they had been applied are refused; line ends do not count', async () => {
  await write('migrations/0003_third', 'create table three ();\n');
  await apply();
  await write('migrations/0003_third', 'create table three ();\r\n');
  expect(await apply()).toMatchObject({ migrations: [] });
  await write('migrations/0001_first', 'create table one (id bigint, extra text)');
  await expect(apply()).rejects.toThrow(/0001_first was edited after/);
  await expect(check()).rejects.toThrow(/0001_first was edited after/);
});

test('migrations that this program does not know, or that came too late, are refused with what to do', async () => {
  await write('migrations/0004_fourth', 'select 4');
  await apply();
  await write('migrations/0003_third', 'select 3');
  await expect(apply()).rejects.toThrow(/0003_third is older than 0004_fourth/);
  await remove('migrations/0003_third');
  await remove('migrations/0004_fourth');
  for (const attempt of [apply, check]) {
    const refusal = await attempt().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MigrationFault);
    expect((refusal as Error).message).toMatch(/0004_fourth.*the database is newer.*so start the program that made it/);
  }
});

test('a database from before the first release is refused with what to do, and not touched', async () => {
  await fresh.database.query('create table schema_migrations (name text primary key, sha256 text not null)');
  await fresh.database.query(
    `insert into schema_migrations values ('0001_initial', 'x'), ('0025_leases_wait_briefly', 'y')`,
  );
  for (const attempt of [migrate, requireServableSchema]) {
    await expect(attempt(fresh.database)).rejects.toThrow(
      /from before the first release.*export what you need with the program that made it.*nothing was changed/,
    );
  }
  expect(
    await fresh.database.query(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    ),
  ).toEqual([{ name: 'schema_migrations' }]);
});

describe('functions', () => {
  beforeEach(() => apply());

  test('functions that changed are replaced, and a program with others is behind until it has done so', async () => {
    await write('functions/answer', 'create or replace function answer() returns int language sql as $$ select 43 $$;');
    await recordSchema(directory);
    await expect(check()).rejects.toThrow(BEHIND);
    expect(await apply()).toEqual({ migrations: [], functions: ['answer'] });
    await check();
    expect(await fresh.database.query('select answer()')).toEqual([{ answer: 43 }]);
  });

  test('functions keep their grants if they keep their parameters and results', async () => {
    await fresh.database.query('revoke execute on function answer() from public');
    await land({ answer: 'create or replace function answer() returns int language sql as $$ select 43 $$;' });
    expect(await fresh.database.query(`select proacl::text as acl from pg_proc where proname = 'answer'`)).toEqual([
      { acl: expect.not.stringContaining('{=X') as unknown },
    ]);
  });

  test.each([
    ['result', 'create or replace function answer() returns text language sql as $$ select 1::text $$;', 'answer()'],
    [
      'parameters',
      'create or replace function answer(a int) returns int language sql as $$ select a $$;',
      'answer(integer)',
    ],
    [
      'parameters with defaults',
      'create or replace function answer(a int default 1) returns int language sql as $$ select a $$;',
      'answer(integer)',
    ],
  ])(
    'functions that changed their %s replace the former ones, and none stays beside them',
    async (_what, sql, signature) => {
      await land({ answer: sql });
      expect(await functionsThere()).toEqual([signature]);
      await check();
    },
  );

  test('functions call each other whatever their order, and one that is gone is dropped', async () => {
    await land({
      a_caller: 'create or replace function a_caller() returns int language sql as $$ select z_called() $$;',
      z_called: 'create or replace function z_called() returns int language sql as $$ select 7 $$;',
    });
    expect(await fresh.database.query('select a_caller()')).toEqual([{ a_caller: 7 }]);
    await remove('functions/a_caller');
    await land({});
    expect(await functionsThere()).toEqual(['answer()', 'z_called()']);
    await check();
  });

  test('functions that a migration dropped to change what they depend on are there again after it', async () => {
    await land({
      ones: 'create or replace function ones() returns setof one language sql as $$ select * from one $$;',
    });
    await write('migrations/0003_third', 'drop function ones; drop table one; create table one (id text);');
    await apply();
    expect(await fresh.database.query('select * from ones()')).toEqual([]);
  });

  test('functions that a table uses are replaced in place, and keep their parameters', async () => {
    await write('migrations/0003_third', 'alter table one add column n int default answer()');
    await land({ answer: 'create or replace function answer() returns int language sql as $$ select 43 $$;' });
    expect(await fresh.database.query('insert into one (id) values (2) returning n')).toEqual([{ n: 43 }]);
    const changed = 'create or replace function answer() returns bigint language sql as $$ select 44::bigint $$;';
    await expect(land({ answer: changed })).rejects.toMatchObject({ sqlState: '2BP01' });
    expect(await fresh.database.query('insert into one (id) values (3) returning n')).toEqual([{ n: 43 }]);
  });

  test('functions of an unknown version are not replaced: the database is newer', async () => {
    const sql = 'create or replace function answer() returns int language sql as $$ select 43 $$;';
    await write('functions/answer', sql);
    await apply();
    await write('functions/answer', sql.replace('43', '42'));
    for (const attempt of [apply, check]) {
      await expect(attempt()).rejects.toThrow(/functions that this program doesn't know: the database is newer/);
    }
    expect(await fresh.database.query('select answer()')).toEqual([{ answer: 43 }]);
  });

  test('functions of files that are named for another function are refused', async () => {
    const sql = 'create or replace function other() returns int language sql as $$ select 1 $$;';
    await expect(land({ mine: sql })).rejects.toThrow('creates the function that it is named for');
  });
});

describe('a database that a newer program has upgraded', () => {
  let newer: string;

  /** Upgrades the database by a program that has more, beside which the release of `directory` may serve. */
  beforeEach(async () => {
    await apply();
    newer = await mkdtemp(join(tmpdir(), 'faregate-migrations-'));
    await cp(directory, newer, { recursive: true });
    await writeFile(join(newer, 'releases', '0.1.0'), schemaList(await readSchemaFiles(directory)));
    await writeFile(join(newer, 'migrations', '0003_third.sql'), 'alter table one add column more text');
    await writeFile(join(newer, 'functions', 'more.sql'), MORE);
    await recordSchema(newer);
  });
  afterEach(() => rm(newer, { recursive: true }));

  const MORE = 'create or replace function more() returns int language sql as $$ select 1 $$;';

  test('a program of the former release starts on a database that a newer one has upgraded, and changes nothing', async () => {
    await migrate(fresh.database, { directory: newer });
    expect(await apply()).toEqual({ migrations: [], functions: [] });
    await check();
    expect(await functionsThere()).toEqual(['answer()', 'more()']);
    expect(await planUpgrade(fresh.database, { directory })).toMatchObject({ standing: 'ahead', problem: null });
    expect(await migrate(fresh.database, { directory: newer })).toEqual({ migrations: [], functions: [] });
  });

  test('a program up to 0.2.0 finds its own schema in a database that a newer one has upgraded', async () => {
    const former = 'select name from schema_migrations union all select name from schema_functions order by 1';
    const before = await fresh.database.query(former);
    await migrate(fresh.database, { directory: newer });
    expect(await fresh.database.query(former)).toEqual(before);
    expect(before).toEqual([{ name: '0001_first' }, { name: '0002_second' }, { name: 'answer' }]);
  });

  test('a program that may not serve on a database that a newer one has upgraded is told which versions may', async () => {
    await migrate(fresh.database, { directory: newer });
    await rm(join(directory, 'functions', 'answer.sql'));
    await recordSchema(directory);
    for (const attempt of [apply, check]) {
      await expect(attempt()).rejects.toThrow(
        /migration 0003_third, .*newer \(0\.1\.0 and \d+\.\d+\.\d+\S* may serve on it, and this is .*start the program that made it/,
      );
    }
  });

  test('what a start would do with a database is said before it is done', async () => {
    expect(await planUpgrade(fresh.database, { directory: newer })).toMatchObject({
      standing: 'behind',
      migrations: ['0003_third'],
      functions: ['answer', 'more'],
    });
    expect(await fresh.database.query(`select from schema_files where name = 'more'`)).toEqual([]);
    await migrate(fresh.database, { directory: newer });
    expect(await planUpgrade(fresh.database, { directory: newer })).toMatchObject({ standing: 'same', functions: [] });
  });
});

test('a migration that waits for a table lets the requests behind it pass, and is done once the table is free', async () => {
  await apply();
  await write('migrations/0003_third', 'alter table one add column more text');
  const held = Promise.withResolvers<void>();
  const reading = fresh.database.transaction(async (tx) => {
    await tx.query('select from one');
    await held.promise;
  });
  const migrating = apply();
  const waiting = `select from pg_locks where locktype = 'relation' and relation = 'one'::regclass and not granted`;
  await vi.waitUntil(async () => (await fresh.database.query(waiting)).length > 0, { timeout: 20_000 });
  expect(await fresh.database.query('select id from one')).toEqual([{ id: 1n }]);
  held.resolve();
  await reading;
  expect(await migrating).toMatchObject({ migrations: ['0003_third'] });
});

test('every function of this program passes the checks that creating it skips', async () => {
  await migrate(fresh.database);
  const functions = await fresh.database.query<{ name: string; validator: string; id: bigint }>(
    `select p.oid::regprocedure::text as name, l.lanvalidator::regproc::text as validator, p.oid::bigint as id
       from pg_proc p join pg_language l on l.oid = p.prolang where p.pronamespace = 'public'::regnamespace`,
  );
  expect(functions.length).toBeGreaterThan(30);
  for (const { validator, id } of functions) await fresh.database.query(`select ${validator}($1::bigint::oid)`, [id]);
});
