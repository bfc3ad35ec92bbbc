import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { controlOf, startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { type Database, openDatabase } from '../program/database/pool.ts';
import type { ControlSql } from './control-sql.ts';
import { DatabaseUnavailable, type SqlRunner } from './sql.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await startTestDatabase({ migrated: false });
  await testDatabase.database.query('create table coins (id bigint primary key)');
});
afterAll(() => testDatabase.stop());

/** Statements that name this mark and still run on the server. */
async function running(mark: string): Promise<number> {
  const rows = await testDatabase.database.query(
    `select from pg_stat_activity where state = 'active' and query like '%' || $1 || '%' and pid <> pg_backend_pid()`,
    [mark],
  );
  return rows.length;
}

test.each([
  ['by itself', (limits: object) => testDatabase.control.query(statement, [], limits)],
  ['in a transaction', (limits: object) => testDatabase.control.transaction((tx) => tx.query(statement), limits)],
])(
  'a statement that takes longer than it may: %s is ended by the server, which is not called away',
  async (_how, run) => {
    const fault = await run({ statementMsMax: 100 }).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(DatabaseUnavailable);
    expect(fault).toMatchObject({ reason: 'stopped' });
    expect((fault as Error).message).toContain('longer than 0.1 s');
    // Queried immediately: a statement that the server has answered doesn't run there any more.
    expect(await running(mark)).toBe(0);
  },
);

const mark = randomUUID();
const statement = `select '${mark}' from pg_sleep(30)`;

test('a statement that takes longer than it may leaves its connection as good as it was', async () => {
  const single = openDatabase({ connection: testDatabase.connection, connectionsMax: 1, applicationName: 'single' });
  onTestFinished(() => single.close());
  const control = controlOf(single);
  const backend = async (): Promise<unknown> => control.query('select pg_backend_pid() as pid');
  const before = await backend();
  await expect(control.query('select pg_sleep(30)', [], { statementMsMax: 50 })).rejects.toThrow('longer than');
  expect(await backend()).toEqual(before);
});

test('settings end with the transaction, so that a pooler hands them to nobody else', async () => {
  const single = openDatabase({ connection: testDatabase.connection, connectionsMax: 1, applicationName: 'single' });
  onTestFinished(() => single.close());
  const settings = `select current_setting('statement_timeout') as statements,
    current_setting('max_parallel_workers_per_gather') as workers`;
  expect(await controlOf(single).query(settings, [], { statementMsMax: 7_000 })).toEqual([
    { statements: '7s', workers: '0' },
  ]);
  expect(await single.query(settings)).not.toMatchObject([{ statements: '7s' }]);
});

test("the gate's connections do not pass for the control plane's", () => {
  expectTypeOf<Database>().not.toExtend<ControlSql>();
});

test('what a transaction did is committed, or none of it', async () => {
  const { control, database } = testDatabase;
  await control.transaction((tx) => tx.query('insert into coins values (1)'));
  await control.query('insert into coins values (2)');
  const failed = control.transaction(async (tx) => {
    await tx.query('insert into coins values (3)');
    throw new Error('bug');
  });
  await expect(failed).rejects.toThrow('bug');
  expect(await database.query('select id from coins order by id')).toEqual([{ id: 1n }, { id: 2n }]);
});

test('work that may be long never takes the last connection', async () => {
  const control = controlOf(testDatabase.database, 2);
  const end = Promise.withResolvers<void>();
  const stand = async (tx: SqlRunner): Promise<void> => {
    await tx.query('select 1');
    await end.promise;
  };
  const long = [1, 2].map(() => control.transaction(stand, { statementMsMax: 1_800_000 }));
  expect(await control.query('select 1 as one')).toEqual([{ one: 1 }]);
  end.resolve();
  await Promise.all(long);
});

test('what finds no connection among very many others is refused as that', async () => {
  const control = controlOf(testDatabase.database, 2);
  const end = Promise.withResolvers<void>();
  const crowd = Array.from({ length: 202 }, () => control.transaction(() => end.promise));
  const busy = { name: 'DatabaseUnavailable', reason: 'busy' };
  await expect(control.query('select 1')).rejects.toMatchObject(busy);
  await expect(control.glance('select 1')).rejects.toMatchObject(busy);
  end.resolve();
  await Promise.all(crowd);
});

test('a glance is one statement, which leaves nothing begun and no setting behind', async () => {
  const single = openDatabase({ connection: testDatabase.connection, connectionsMax: 1, applicationName: 'single' });
  onTestFinished(() => single.close());
  const sent: string[] = [];
  const control = controlOf({
    query: (text, values, limits) => {
      sent.push(text);
      return single.query(text, values, limits);
    },
    transaction: () => expect.unreachable('a glance begins no transaction'),
  });
  const text = `select current_setting('statement_timeout') as statements, $1::text as said`;
  for (const said of ['one', 'other']) expect(await control.glance(text, [said])).toEqual([{ statements: '0', said }]);
  expect(sent).toEqual([text, text]);
});
