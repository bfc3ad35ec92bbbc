import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database, type DatabaseConnection } from '../../src/program/database/pool.ts';
import { SystemClock } from '../../src/lib/clock.ts';
import { ControlSql } from '../../src/lib/control-sql.ts';
import type { Sql } from '../../src/lib/sql.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/program/process/embedded-postgres/embedded-postgres.ts';
import { layCluster, PREPARED_CLUSTER, SERVER_PREFIX, SILENT_LOG } from './prepared-cluster.ts';

// A real database for tests: one server for each worker of a run of tests, started by its first database, and as many
// databases on it as its tests want, each fresh and migrated.

export interface TestDatabase {
  readonly database: Database;
  /** The same database, as the control plane uses it. */
  readonly control: ControlSql;
  readonly connection: Extract<DatabaseConnection, { socketDirectory: string }>;
  /** Closes and removes this database. The server stays until the run ends; outside of a run the last database stops it. */
  readonly stop: () => Promise<void>;
}

/** A server, and the database on it of which tests get copies. */
type CopiedServer = Pick<EmbeddedPostgres, 'socketDirectory' | 'user' | 'database'>;

export interface TestServer {
  readonly postgres: CopiedServer;
  /** Null: it is another's, who looks at the databases that tests have left, and removes them. */
  readonly stop: (() => Promise<void>) | null;
}

/** The environment's name for a server that runs already, as JSON. */
export const STANDING_SERVER = 'FAREGATE_TEST_SERVER';

let server: Promise<TestServer> | null = null;
let databases = 0;

/** Answers with a fresh database, migrated unless told otherwise. */
export async function startTestDatabase(
  options: { migrated?: boolean; connectionsMax?: number } = {},
): Promise<TestDatabase> {
  databases += 1;
  server ??= startTestServer();
  const { postgres, stop: stopServer } = await server;
  const connection = {
    socketDirectory: postgres.socketDirectory,
    user: postgres.user,
    database: `test_${randomUUID().replaceAll('-', '')}`,
  };
  // The prepared cluster's own has the schema already: a copy of it is there sooner than a database that is migrated, and
  // its files are copied in a third of the time that writing each page of it to the WAL takes.
  const template = options.migrated === false ? 'template1' : postgres.database;
  await onServer(postgres, `create database ${connection.database} template ${template} strategy file_copy`);
  const database = openDatabase({
    connection,
    connectionsMax: options.connectionsMax ?? 10,
    applicationName: 'faregate-test',
  });
  const stop = async (): Promise<void> => {
    await database.close();
    databases -= 1;
    if (stopServer === null) return;
    if (databases > 0 || PREPARED_CLUSTER in process.env) {
      await onServer(postgres, `drop database ${connection.database} with (force)`);
    } else {
      server = null;
      await stopServer();
    }
  };
  return { database, control: controlOf(database), connection, stop };
}

/** A database as the control plane uses it. */
export function controlOf(sql: Sql, connectionsMax = 3): ControlSql {
  return new ControlSql(sql, { clock: new SystemClock(), connectionsMax });
}

/** Runs a statement of the server's own, beside all databases that tests use. */
async function onServer({ socketDirectory, user }: CopiedServer, statement: string): Promise<void> {
  const admin = openDatabase({
    connection: { socketDirectory, user, database: 'postgres' },
    connectionsMax: 1,
    applicationName: 'faregate-test',
  });
  try {
    await admin.query(statement);
  } finally {
    await admin.close();
  }
}

/** A server of its own, with the prepared cluster; or the one that the environment names. */
export async function startTestServer(): Promise<TestServer> {
  const standing = process.env[STANDING_SERVER];
  if (standing !== undefined) return { postgres: JSON.parse(standing) as CopiedServer, stop: null };
  const directory = await mkdtemp(join(tmpdir(), SERVER_PREFIX));
  await layCluster(directory);
  const postgres = await startEmbeddedPostgres({
    dataDirectory: { path: directory, instanceId: randomUUID() },
    log: SILENT_LOG,
  });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
  return { postgres, stop };
}
