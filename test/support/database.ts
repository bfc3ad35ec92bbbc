import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/database/migrate.ts';
import { ensureReceiptPartitions } from '../../src/database/partitions.ts';
import { openDatabase, type Database, type DatabaseConnection } from '../../src/database/pool.ts';
import { SystemClock } from '../../src/lib/clock.ts';
import { ControlSql } from '../../src/lib/control-sql.ts';
import type { Sql } from '../../src/lib/sql.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/process/embedded-postgres/embedded-postgres.ts';

// A real database for tests: one server for each test file, started by its first database, and as many databases on
// it as the file's tests want, each fresh and migrated.

export interface TestDatabase {
  readonly database: Database;
  /** The same database, as the control plane uses it. */
  readonly control: ControlSql;
  readonly connection: Extract<DatabaseConnection, { socketDirectory: string }>;
  /** Closes this database; the last one stops the server. */
  readonly stop: () => Promise<void>;
}

interface TestServer {
  readonly postgres: EmbeddedPostgres;
  readonly directory: string;
}

/** Has the schema already: a database that is copied from it is there sooner than one that is migrated. */
const TEMPLATE = 'migrated';

let server: Promise<TestServer> | null = null;
let databases = 0;

/** Answers with a fresh database, migrated unless told otherwise. */
export async function startTestDatabase(
  options: { migrated?: boolean; connectionsMax?: number } = {},
): Promise<TestDatabase> {
  databases += 1;
  server ??= startServer();
  const { postgres } = await server;
  const connection = {
    socketDirectory: postgres.socketDirectory,
    user: postgres.user,
    database: `test_${randomUUID().replaceAll('-', '')}`,
  };
  const template = options.migrated === false ? 'template1' : TEMPLATE;
  await onServer(postgres, `create database ${connection.database} template ${template}`);
  const database = openDatabase({
    connection,
    connectionsMax: options.connectionsMax ?? 10,
    applicationName: 'faregate-test',
  });
  const stop = async (): Promise<void> => {
    await database.close();
    databases -= 1;
    if (databases === 0) await stopServer();
    else await onServer(postgres, `drop database ${connection.database} with (force)`);
  };
  return { database, control: controlOf(database), connection, stop };
}

/** A database as the control plane uses it. */
export function controlOf(sql: Sql, connectionsMax = 3): ControlSql {
  return new ControlSql(sql, { clock: new SystemClock(), connectionsMax });
}

async function onDatabase(
  postgres: EmbeddedPostgres,
  database: string,
  work: (database: Database) => Promise<unknown>,
): Promise<void> {
  const { socketDirectory, user } = postgres;
  const opened = openDatabase({
    connection: { socketDirectory, user, database },
    connectionsMax: 1,
    applicationName: 'faregate-test',
  });
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
}

function onServer(postgres: EmbeddedPostgres, statement: string): Promise<void> {
  return onDatabase(postgres, postgres.database, async (admin) => {
    // As the program does when it makes its own: compressing each page of a copy takes longer than all else.
    await admin.query('set wal_compression = off');
    await admin.query(statement);
  });
}

async function makeTemplate(postgres: EmbeddedPostgres): Promise<void> {
  await onServer(postgres, `create database ${TEMPLATE}`);
  await onDatabase(postgres, TEMPLATE, async (template) => {
    await migrate(template);
    await ensureReceiptPartitions(template, Date.now());
    // What tools/sql-mutants.ts leaves out of the schema, to see whether a test notices.
    const mutation = process.env['FAREGATE_TEST_SQL'];
    if (mutation !== undefined) await template.query(mutation);
  });
}

async function startServer(): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), 'faregate-test-'));
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const postgres = await startEmbeddedPostgres({
    dataDirectory: { path: directory, instanceId: randomUUID() },
    log: silent,
  });
  await makeTemplate(postgres);
  return { postgres, directory };
}

async function stopServer(): Promise<void> {
  const stopping = await server;
  server = null;
  if (stopping === null) return;
  await stopping.postgres.stop();
  await rm(stopping.directory, { recursive: true, force: true });
}
