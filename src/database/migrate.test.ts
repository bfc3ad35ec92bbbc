import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { migrate, MigrationFault, schemaIsCurrent } from './migrate.ts';
import { openDatabase } from './pool.ts';

let keeper: TestDatabase;
let fresh: TestDatabase;
let directory: string;

// One database stays open, so that all tests share its server.
beforeAll(async () => void (keeper = await startTestDatabase({ migrated: false })));
afterAll(() => keeper.stop());
beforeEach(async () => {
  fresh = await startTestDatabase({ migrated: false });
  directory = await mkdtemp(join(tmpdir(), 'faregate-migrations-'));
  await write('0001_first', 'create table one (id bigint); insert into one values (1);');
  await write('0002_second', 'create function two() returns int language sql as $$ select 2 $$;');
});
afterEach(async () => {
  await fresh.stop();
  await rm(directory, { recursive: true, force: true });
});

const write = (name: string, sql: string): Promise<void> => writeFile(join(directory, `${name}.sql`), sql);

describe('migrations', () => {
  test('of this program make a fresh database current', async () => {
    expect(await schemaIsCurrent(fresh.database)).toBe(false);
    expect((await migrate(fresh.database)).applied[0]).toBe('0001_initial');
    expect(await schemaIsCurrent(fresh.database)).toBe(true);
  });

  test('are applied in order, once', async () => {
    expect(await migrate(fresh.database, directory)).toEqual({ applied: ['0001_first', '0002_second'] });
    await write('0003_third', 'alter table one add column more text');
    expect(await schemaIsCurrent(fresh.database, directory)).toBe(false);
    expect(await migrate(fresh.database, directory)).toEqual({ applied: ['0003_third'] });
    expect(await migrate(fresh.database, directory)).toEqual({ applied: [] });
    expect(await fresh.database.query('select id, more, two() as two from one')).toEqual([
      { id: 1n, more: null, two: 2 },
    ]);
  });

  test('are applied once by programs that start together', async () => {
    const others = Array.from({ length: 4 }, () =>
      openDatabase({ connection: fresh.connection, connectionsMax: 1, applicationName: 'other' }),
    );
    const results = await Promise.all(others.map((db) => migrate(db, directory)));
    expect(results.flatMap(({ applied }) => applied).toSorted()).toEqual(['0001_first', '0002_second']);
    expect(await fresh.database.query('select id from one')).toEqual([{ id: 1n }]);
    await Promise.all(others.map((db) => db.close()));
  });

  test('that fail leave nothing of themselves, and run once they are mended', async () => {
    await write('0003_third', 'create table three (); select 1 / 0;');
    await expect(migrate(fresh.database, directory)).rejects.toMatchObject({ sqlState: '22012' });
    expect(
      await fresh.database.query(`select to_regclass('three')::text as three, to_regclass('one')::text as one`),
    ).toEqual([{ three: null, one: 'one' }]);
    await write('0003_third', 'create table three ()');
    expect(await migrate(fresh.database, directory)).toEqual({ applied: ['0003_third'] });
  });

  test('that were edited after they had been applied are refused; line ends do not count', async () => {
    await write('0003_third', 'create table three ();\n');
    await migrate(fresh.database, directory);
    await write('0003_third', 'create table three ();\r\n');
    expect(await migrate(fresh.database, directory)).toEqual({ applied: [] });
    await write('0001_first', 'create table one (id bigint, extra text)');
    await expect(migrate(fresh.database, directory)).rejects.toThrow(/0001_first was edited after/);
    expect(await schemaIsCurrent(fresh.database, directory)).toBe(false);
  });

  test('that this program does not know, or that came too late, are refused with what to do', async () => {
    await write('0004_fourth', 'select 4');
    await migrate(fresh.database, directory);
    await write('0003_third', 'select 3');
    await expect(migrate(fresh.database, directory)).rejects.toThrow(/0003_third is older than 0004_fourth/);
    await rm(join(directory, '0003_third.sql'));
    await rm(join(directory, '0004_fourth.sql'));
    const refusal = await migrate(fresh.database, directory).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MigrationFault);
    expect((refusal as Error).message).toMatch(/0004_fourth.*the database is newer, so start the program that made it/);
    expect(await schemaIsCurrent(fresh.database, directory)).toBe(false);
  });
});
