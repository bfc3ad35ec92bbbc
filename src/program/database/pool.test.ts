import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { startPostgresProxy } from '../../../test/support/postgres-proxy.ts';
import { DatabaseUnavailable, SqlFault } from '../../lib/sql.ts';
import { DatabaseUnsupported } from './pool-faults.ts';
import { openDatabase, requireSupportedServer, type Database } from './pool.ts';

let test1: TestDatabase;
let db: Database;
beforeAll(async () => {
  test1 = await startTestDatabase({ migrated: false });
  db = test1.database;
  await db.query('create table coins (id bigint constraint coins_once primary key, name text not null)');
});
afterAll(() => test1.stop());

test('a connection names its program, so that an operator finds it in pg_stat_activity', async () => {
  await withSingle(async (single) => {
    expect(await single.query('show application_name')).toEqual([{ application_name: 'single' }]);
  });
});

/** A pool of a single connection, so that a test knows which one it gets. */
async function withSingle(work: (single: Database) => Promise<void>, statementMsMax = 10_000): Promise<void> {
  const single = openDatabase({
    connection: test1.connection,
    connectionsMax: 1,
    applicationName: 'single',
    statementMsMax,
  });
  try {
    await work(single);
  } finally {
    await single.close();
  }
}

const backend = async (runner: Database): Promise<number | undefined> =>
  (await runner.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid;

const terminate = (pid: number | undefined): Promise<unknown> =>
  db.query('select pg_terminate_backend($1)', [pid ?? 0]);

test('values keep their meaning both ways', async () => {
  const most = 9_223_372_036_854_775_807n;
  const at = new Date('2026-11-21T08:00:00.123Z');
  const id = '0193e0c0-0000-7000-8000-0000000000ab';
  const [row] = await db.query(
    `select $1::bigint as amount, $2::bigint[] as amounts, $3::timestamptz as at, $4::jsonb as doc, $5::uuid as id,
              $6::bytea as bytes, $7::text[] as names, $8::bool as yes, $9::text as nothing, 7 as small`,
    [
      most,
      [1n, -most, null],
      at,
      '{"a":[1,"b"]}',
      id.toUpperCase(),
      Buffer.from([0, 255]),
      ['a"b', 'c,d', null],
      true,
      null,
    ],
  );
  expect(row).toEqual({
    amount: most,
    amounts: [1n, -most, null],
    at,
    doc: { a: [1, 'b'] },
    id,
    bytes: Buffer.from([0, 255]),
    names: ['a"b', 'c,d', null],
    yes: true,
    nothing: null,
    small: 7,
  });
});

test('values leave no prepared statement in a session, which a pooler would hand to somebody else', async () => {
  await withSingle(async (single) => {
    for (const value of [1n, 2n]) await single.query('select $1::bigint', [value]);
    expect(await single.query('select name from pg_prepared_statements')).toEqual([]);
  });
});

test('a refused statement names its state and constraint but no value, and keeps its connection', async () => {
  await withSingle(async (single) => {
    const before = await backend(single);
    await single.query('insert into coins values ($1, $2)', [1n, 'one']);
    const fault = await single.query('insert into coins values ($1, $2)', [1n, 'two']).catch((error: unknown) => error);
    expect(fault).toMatchObject({ name: 'SqlFault', sqlState: '23505', constraint: 'coins_once' });
    expect((fault as Error).message).not.toMatch(/\(1\)|two/);
    expect(fault).not.toHaveProperty('cause');
    expect(await backend(single)).toBe(before);
  });
});

test('a refused statement of bad data does not repeat the data', async () => {
  const fault = await db.query('select $1::uuid', ['sk-very-secret']).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(SqlFault);
  expect((fault as SqlFault).sqlState).toBe('22P02');
  expect((fault as Error).message).not.toContain('secret');
});

test('a transaction commits what its work did, or none of it', async () => {
  await db.transaction((tx) => tx.query('insert into coins values (10, $1)', ['ten']));
  const bug = new Error('bug');
  await expect(
    db.transaction(async (tx) => {
      await tx.query('insert into coins values (11, $1)', ['eleven']);
      throw bug;
    }),
  ).rejects.toBe(bug);
  expect(await db.query('select id from coins where id in (10, 11)')).toEqual([{ id: 10n }]);
});

test('a transaction that hides a failed statement does not pass for committed', async () => {
  const hiding = db.transaction(async (tx) => {
    await tx.query('insert into coins values (20, $1)', ['twenty']);
    await tx.query('select 1 / 0').catch(() => undefined);
  });
  await expect(hiding).rejects.toMatchObject({ sqlState: '25P02' });
  expect(await db.query('select id from coins where id = 20')).toEqual([]);
});

test('a transaction whose connection breaks says that the database is away, and the pool goes on', async () => {
  await withSingle(async (single) => {
    const broken = single.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await terminate(row?.pid);
      await tx.query('select 1');
    });
    await expect(broken).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await single.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test('a transaction that fails on its own after its connection broke fails with its own error', async () => {
  await withSingle(async (single) => {
    const bug = new Error('bug');
    const broken = single.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await terminate(row?.pid);
      throw bug;
    });
    await expect(broken).rejects.toBe(bug);
    expect(await single.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test('a transaction cannot be used after its end', async () => {
  let leaked: { query(text: string): Promise<unknown> } | undefined;
  await db.transaction(async (tx) => void (leaked = tx));
  expect(() => leaked?.query('select 1')).toThrow('after its end');
});

test('a database that is away does not end the process by closing idle connections', async () => {
  await withSingle(async (single) => {
    await terminate(await backend(single));
    await expect
      .poll(() => single.query('select 1 as one').catch((error: unknown) => (error as Error).name), {
        interval: 10,
        timeout: 20_000,
      })
      .toEqual([{ one: 1 }]);
  });
});

test('a database that is away is told apart from refusals', async () => {
  const nobody = createServer().listen(0, '127.0.0.1');
  await once(nobody, 'listening');
  const address = nobody.address();
  const port = typeof address === 'object' ? address?.port : 0;
  nobody.close();
  for (const connection of [
    { url: `postgres://u:secret-word@127.0.0.1:${port}/d` },
    { ...test1.connection, socketDirectory: '/nowhere' },
  ]) {
    const away = openDatabase({ connection, connectionsMax: 1, applicationName: 'away' });
    const fault = await away.ping().catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(DatabaseUnavailable);
    expect((fault as Error).message).toMatch(/ECONNREFUSED|ENOENT/);
    expect((fault as Error).message).not.toContain('secret-word');
    await away.close();
  }
  const missing = openDatabase({
    connection: { ...test1.connection, database: 'missing' },
    connectionsMax: 1,
    applicationName: 'm',
  });
  await expect(missing.ping()).rejects.toMatchObject({ name: 'SqlFault', sqlState: '3D000' });
  await missing.close();
});

const SILENCE_MS = 2_000;

/** A pool of one connection through a proxy, on a clock that goes on only as far as a test wants. */
async function behindProxy() {
  const { socketDirectory, user, database } = test1.connection;
  const proxy = await startPostgresProxy({ path: join(socketDirectory, '.s.PGSQL.5432') });
  const clock = new ManualClock();
  const single = openDatabase({
    connection: { url: `postgres://${user}@127.0.0.1:${proxy.port}/${database}` },
    connectionsMax: 1,
    applicationName: 'silent',
    // So that nothing but the silence ends a statement.
    statementMsMax: 600_000,
    silenceMsMax: SILENCE_MS,
    clock,
  });
  onTestFinished(async () => {
    await single.close();
    await proxy.stop();
  });
  /** Lets time pass, as fast as it can, until this is settled. */
  const passUntil = async (work: Promise<unknown>): Promise<void> => {
    const settled = new AbortController();
    const settle = (): void => settled.abort();
    work.then(settle, settle);
    while (!settled.signal.aborted) await clock.advance(SILENCE_MS / 4);
  };
  return { proxy, single, clock, passUntil };
}

test('a database of which nothing is heard any more holds up nobody for long, and serves as soon as it is back', async () => {
  const { proxy, single, clock, passUntil } = await behindProxy();
  expect(await single.query('select 1 as one')).toEqual([{ one: 1 }]);
  proxy.swallow();
  const waiting = Promise.allSettled(Array.from({ length: 3 }, () => single.query('select 1')));
  await passUntil(waiting);
  for (const outcome of await waiting) expect(outcome).toMatchObject({ reason: { name: 'DatabaseUnavailable' } });
  // Without a moment's wait: the clock stands still.
  await expect(single.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect(single.transaction((tx) => tx.query('select 1'))).rejects.toBeInstanceOf(DatabaseUnavailable);
  proxy.mend();
  // Between two looks there is time enough to connect.
  const answer = async (): Promise<unknown> => {
    await clock.advance(SILENCE_MS / 4);
    return single.query('select 1 as one').catch(() => null);
  };
  await expect.poll(answer, { interval: 250, timeout: 20_000 }).toEqual([{ one: 1 }]);
});

test('a database of which nothing is heard any more is told from one that is not asked', async () => {
  const { single, clock } = await behindProxy();
  const before = await backend(single);
  await clock.advance(SILENCE_MS * 10);
  expect(await backend(single)).toBe(before);
});

test('a pool that is closed within a time breaks off what runs for longer', async () => {
  const single = openDatabase({ connection: test1.connection, connectionsMax: 1, applicationName: 'single' });
  const broken = single.query('select pg_sleep(30)').catch((fault: unknown) => fault);
  await single.close(50);
  expect(await broken).toBeInstanceOf(DatabaseUnavailable);
});

test('a statement may have less time than others', async () => {
  await withSingle(async (single) => {
    await expect(single.query('select pg_sleep(30)', [], { statementMsMax: 100 })).rejects.toBeInstanceOf(
      DatabaseUnavailable,
    );
    expect(await single.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test.each([
  ['53100', 'the disk is full'],
  ['53200', 'no memory is left'],
  ['57014', 'somebody stopped it'],
  ['58030', 'the machine failed it'],
  ['40001', 'others were in the way'],
  ['40P01', 'it waited for others, and they for it'],
])(
  'a fault by which the database is away for a moment says nothing about a statement: %s: %s',
  async (state, reason) => {
    const raise = `do $$ begin raise exception '${reason}' using errcode = '${state}'; end $$`;
    await expect(db.query(raise)).rejects.toThrow(DatabaseUnavailable);
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  },
);

test('a transaction whose process stands still keeps its locks no longer than it may', async () => {
  await db.query('insert into coins values (77, $1)', ['locked']);
  const locked = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const still = db.transaction(
    async (tx) => {
      await tx.query('select 1 from coins where id = 77 for update');
      locked.resolve();
      await gone.promise;
      await tx.query('select 1');
    },
    // Long enough for a busy machine to come from one statement to the next.
    { idleMsMax: 2_000 },
  );
  const outcome = still.catch((fault: unknown) => fault);
  await locked.promise;
  // Waits for the lock, which nobody gives back.
  await db.query('update coins set name = $1 where id = 77', ['free']);
  gone.resolve();
  expect(await outcome).toBeInstanceOf(DatabaseUnavailable);
});

test('a server is good from version 15 on', async () => {
  await expect(db.ping()).resolves.toBeUndefined();
  expect(() => requireSupportedServer(150_000, '15.0')).not.toThrow();
  expect(() => requireSupportedServer(140_011, '14.11')).toThrow(DatabaseUnsupported);
  expect(() => requireSupportedServer(140_011, '14.11')).toThrow(
    'the database is PostgreSQL 14.11; Faregate needs version 15 or newer',
  );
});
