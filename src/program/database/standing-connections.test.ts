import { hash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { drawReceipt, drawsOf } from '../../../test/support/account-purses.ts';
import { type Account, drawAll, openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type PostgresProxy, startPostgresProxy } from '../../../test/support/postgres-proxy.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { PERIODS, windowAt } from '../../domain/window.ts';
import { NO_STOCK } from '../../gate/purses/ports/database.ts';
import { PostgresKeyStore } from './key-store.ts';
import { PostgresPermitStore } from './permit-store.ts';
import { type Database, openDatabase } from './pool.ts';
import { PostgresPurseStore } from './purse-store.ts';

// A statement about rows of many, on a connection that stands still as soon as it has sent it: before the message that
// would end its transaction. All that the statement has locked is free, and the same statement on another connection takes
// no effect beside it.

let db: TestDatabase;
let store: PostgresPurseStore;
let proxy: PostgresProxy;
/** A process's connections, of which the next one that sends a statement stands still. */
let standing: Database;

beforeAll(async () => {
  db = await startTestDatabase();
  store = new PostgresPurseStore(db.database);
});
afterAll(() => db.stop());
beforeEach(async () => {
  const { socketDirectory, user, database } = db.connection;
  proxy = await startPostgresProxy({ path: join(socketDirectory, '.s.PGSQL.5432') });
  const url = `postgres://${user}@127.0.0.1:${proxy.port}/${database}`;
  standing = openDatabase({ connection: { url }, connectionsMax: 2, applicationName: 'standing' });
});
afterEach(async () => {
  await proxy.stop();
  await standing.close();
});

const beginEpoch = (): Promise<bigint> => store.beginEpoch(randomUUID(), 'test', 30_000);

const open = (): Promise<Account> =>
  openAccount(db.database, {
    credit: 1_000n,
    project: { requestsPerMinute: 60, budget: 1_000n },
    key: { spendLimit: 900n },
  });

/** How many rows of an account somebody has locked. */
async function lockedRows({ workspace }: Account): Promise<bigint> {
  const tables = ['purses', 'rate_buckets', 'projects', 'keys'];
  const counts = tables.map(
    (table) => `(select count(*) from ${table} where workspace_id = $1) -
      (select count(*) from (select from ${table} where workspace_id = $1 for update skip locked) free)`,
  );
  const leases = `(select count(*) from leases where purse_id in (select id from purses where workspace_id = $1)) -
      (select count(*) from (
        select from leases where purse_id in (select id from purses where workspace_id = $1) for update skip locked
      ) free)`;
  const [row] = await db.database.query<{ locked: bigint }>(`select ${[...counts, leases].join(' + ')} as locked`, [
    workspace.id,
  ]);
  return row?.locked ?? -1n;
}

/** Resolves when the server has run what stands still, and waits for its client's next word. */
async function hasRun(): Promise<void> {
  const waiting = `select from pg_stat_activity
    where application_name = 'standing' and datname = current_database() and state = 'active' and wait_event = 'ClientRead'`;
  await expect.poll(() => db.database.query(waiting)).toHaveLength(1);
}

/** What a process asks of the database about many accounts in one statement, here about one. */
const STATEMENTS: Readonly<Record<string, (account: Account) => Promise<(sql: Database) => Promise<unknown>>>> = {
  'a draw of leases': async (account) => {
    const epoch = await beginEpoch();
    return (sql) => new PostgresPurseStore(sql).draw(epoch, drawsOf(account));
  },
  'a draw of permits': async ({ workspace, project }) => {
    const epoch = await beginEpoch();
    const counts = { taken: 0, running: 0, stock: NO_STOCK, keep: NO_STOCK, returned: { requests: 0, tokens: 0 } };
    const ids = { workspaceId: workspace.id, projectId: project.id };
    const draw = { ...ids, sequence: 1, ...counts, needs: [0], target: NO_STOCK };
    return async (sql) => {
      const [reply] = await new PostgresPermitStore(sql).drawPermits(epoch, [draw]);
      return { stock: reply?.stock, shortages: reply?.shortages };
    };
  },
  'a look-up with its first draws': async ({ key }) => {
    const epoch = await beginEpoch();
    const windows = PERIODS.map((period) => windowAt(period, Date.now()));
    const draw = { windows, sequence: 1n, ahead: 10n, permitSequence: 1, tokens: 1 };
    return async (sql) => {
      const found = await new PostgresKeyStore(sql).findAndDraw(epoch, [hash('sha256', key.key, 'buffer')], draw);
      return [found.principals, [...found.leases], [...found.permits.keys()]];
    };
  },
  'a settlement': async (account) => {
    const epoch = await beginEpoch();
    const receipt = await drawReceipt(store, epoch, account, 10n);
    return (sql) => new PostgresPurseStore(sql).settle(epoch, [receipt], new Map());
  },
  'a release of leases': async (account) => {
    const epoch = await beginEpoch();
    const [credit] = await drawAll(store, epoch, drawsOf(account));
    const release = { purseId: credit?.purseId ?? 0n, charged: 0n, sequence: 1n };
    return (sql) => new PostgresPurseStore(sql).release(epoch, [release]);
  },
  'a fence of an epoch that has leases': async (account) => {
    const epoch = await beginEpoch();
    await drawAll(store, epoch, drawsOf(account));
    await db.database.query('update epochs set fenced_at = now() where id = $1', [epoch]);
    return (sql) => new PostgresPurseStore(sql).settleLate(epoch, [], new Map());
  },
  'a settlement of late receipts': async (account) => {
    const epoch = await beginEpoch();
    const receipt = await drawReceipt(store, epoch, account, 10n);
    await store.fence(epoch);
    return (sql) => new PostgresPurseStore(sql).settleLate(epoch, [receipt], new Map());
  },
};
const LATE = 'a settlement of late receipts';

test.each(Object.entries(STATEMENTS))(
  'a statement whose connection stands keeps nobody else from its rows once it has run, and takes effect once: %s',
  async (name, prepare) => {
    const account = await open();
    const work = await prepare(account);
    const halted = proxy.haltIn(name === LATE ? /settle_late/ : /./);
    const unanswered = work(standing).catch((fault: unknown) => fault);
    await halted;
    await hasRun();
    expect(await lockedRows(account)).toBe(0n);
    const again = await work(db.database);
    // The first statement has run, so only its answer is missing: another repeat is answered in the same way.
    expect(await work(db.database)).toEqual(again);
    expect((await verifyLedger(db.database)).differences).toEqual([]);
    proxy.cut();
    expect(await unanswered).toMatchObject({ name: 'DatabaseUnavailable' });
  },
);
