import type { Config } from '../config/config.ts';
import { type Database, type DatabaseConnection, openDatabase } from '../database/pool.ts';
import type { Log } from '../telemetry/log.ts';
import type { DataDirectory } from '../process/data-directory.ts';
import { startEmbeddedPostgres } from '../process/embedded-postgres/embedded-postgres.ts';
import type { ServerLog } from '../process/embedded-postgres/server-log.ts';

const APPLICATION_NAME = 'faregate';

/** The database that a gateway works with, wherever it runs. */
export interface GatewayStorage {
  readonly database: Database;
  readonly kind: 'embedded' | 'external';
}

/** The same for the process that is responsible for it. */
export interface Storage extends GatewayStorage {
  /** How other processes of this instance reach it. */
  readonly connection: DatabaseConnection;
  /** Resolves with the reason if an embedded server ends before it is told to. */
  readonly lost: Promise<string>;
  /** Closes the connections, then stops the server where it is ours. */
  stop(): Promise<void>;
}

/** Starts the embedded PostgreSQL, or connects to the configured one. @throws a fault with one line to read */
export async function openStorage(config: Config, directory: DataDirectory, log: Log): Promise<Storage> {
  const { url, connectionsMax } = config.database;
  if (url !== null) {
    const connection = { url };
    const database = openDatabase({ connection, connectionsMax, applicationName: APPLICATION_NAME });
    try {
      await database.ping();
    } catch (fault) {
      // A connection left open would keep the process from ending.
      await database.close();
      throw fault;
    }
    const lost = new Promise<string>(() => undefined);
    return { database, connection, kind: 'external', lost, stop: () => database.close() };
  }
  const server = await startEmbeddedPostgres({ dataDirectory: directory, log: serverLog(log) });
  const { socketDirectory, user, database: name } = server;
  const connection = { socketDirectory, user, database: name };
  const database = openDatabase({ connection, connectionsMax, applicationName: APPLICATION_NAME });
  const lost = server.exited.then(({ code, signal }) => `the embedded PostgreSQL has ended (${signal ?? code})`);
  const stop = async (): Promise<void> => {
    await database.close();
    await server.stop();
  };
  return { database, connection, kind: 'embedded', lost, stop };
}

/** Connects to a database that another process of this instance is responsible for. */
export function joinStorage(
  connection: DatabaseConnection,
  kind: Storage['kind'],
  connectionsMax: number,
): GatewayStorage {
  return { database: openDatabase({ connection, connectionsMax, applicationName: APPLICATION_NAME }), kind };
}

function serverLog(log: Log): ServerLog {
  const fields = { part: 'postgres' };
  return {
    debug: (line) => log.debug(fields, line),
    info: (line) => log.info(fields, line),
    warn: (line) => log.warn(fields, line),
    error: (line) => log.error(fields, line),
  };
}
