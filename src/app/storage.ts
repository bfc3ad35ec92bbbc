import type { Config } from '../config/config.ts';
import { type Database, openDatabase } from '../database/pool.ts';
import type { Log } from '../telemetry/log.ts';
import type { DataDirectory } from '../process/data-directory.ts';
import { startEmbeddedPostgres } from '../process/embedded-postgres/embedded-postgres.ts';
import type { ServerLog } from '../process/embedded-postgres/server-log.ts';

const APPLICATION_NAME = 'faregate';

/** The database that this process works with, wherever it runs. */
export interface Storage {
  readonly database: Database;
  readonly kind: 'embedded' | 'external';
  /** Resolves with the reason if an embedded server ends before it is told to. */
  readonly lost: Promise<string>;
  /** Closes the connections, then stops the server where it is ours. */
  stop(): Promise<void>;
}

/** Starts the embedded PostgreSQL, or connects to the configured one. @throws a fault with one line to read */
export async function openStorage(config: Config, directory: DataDirectory, log: Log): Promise<Storage> {
  const { url, connectionsMax } = config.database;
  if (url !== null) {
    const database = openDatabase({ connection: { url }, connectionsMax, applicationName: APPLICATION_NAME });
    try {
      await database.ping();
    } catch (fault) {
      // A connection left open would keep the process from ending.
      await database.close();
      throw fault;
    }
    return { database, kind: 'external', lost: new Promise(() => undefined), stop: () => database.close() };
  }
  const server = await startEmbeddedPostgres({ dataDirectory: directory, log: serverLog(log) });
  const { socketDirectory, user, database: name } = server;
  const database = openDatabase({
    connection: { socketDirectory, user, database: name },
    connectionsMax,
    applicationName: APPLICATION_NAME,
  });
  const lost = server.exited.then(({ code, signal }) => `the embedded PostgreSQL has ended (${signal ?? code})`);
  const stop = async (): Promise<void> => {
    await database.close();
    await server.stop();
  };
  return { database, kind: 'embedded', lost, stop };
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
