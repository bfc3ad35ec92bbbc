import { openDatabase, type Database } from '../../src/program/database/pool.ts';
import { STANDING_SERVER, startTestServer, type TestServer } from '../support/database.ts';

// One server for all mutants of a room whose tests need a database: starting one takes longer than the tests of most mutants.

const SWEEP_MS = 5_000;

let server: TestServer | null = null;
let admin: Database | null = null;
let timer: NodeJS.Timeout | null = null;
let unused: ReadonlySet<string> = new Set();

/** Removes the databases that tests have left: those that nobody is connected to, twice in a row. */
async function sweep(database: Database): Promise<void> {
  const rows = await database.query<{ name: string }>(
    `select datname as name from pg_database
     where datname like 'test\\_%' and not exists (select from pg_stat_activity a where a.datname = pg_database.datname)`,
  );
  for (const { name } of rows) {
    if (unused.has(name)) await database.query(`drop database if exists ${name} with (force)`);
  }
  unused = new Set(rows.map(({ name }) => name));
}

/** Vitest calls it before the first test, in each process of Stryker's. */
export async function setup(): Promise<void> {
  server = await startTestServer();
  const { socketDirectory, user, database } = server.postgres;
  process.env[STANDING_SERVER] = JSON.stringify({ socketDirectory, user, database });
  const sweeper = openDatabase({
    connection: { socketDirectory, user, database: 'postgres' },
    connectionsMax: 1,
    applicationName: 'faregate-mutants',
  });
  admin = sweeper;
  timer = setInterval(() => void sweep(sweeper).catch(() => undefined), SWEEP_MS);
}

export async function teardown(): Promise<void> {
  if (timer !== null) clearInterval(timer);
  await admin?.close();
  await server?.stop?.();
}
