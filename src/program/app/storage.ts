import type { Config } from '../../config/config.ts';
import { type Database, type DatabaseConnection, openDatabase } from '../database/pool.ts';
import { SystemClock } from '../../lib/clock.ts';
import { ControlSql } from '../../lib/control-sql.ts';
import { Pacer } from '../../lib/pacer.ts';
import type { Log } from '../telemetry/log.ts';
import type { DataDirectory } from '../process/data-directory.ts';
import { startEmbeddedPostgres } from '../process/embedded-postgres/embedded-postgres.ts';
import { type ConnectionLimits, embeddedShare } from './embedded-share.ts';
import type { ServerLog } from '../process/embedded-postgres/server-log.ts';

const APPLICATION_NAME = 'faregate';

/** Time for the control plane's running work when the program stops, since a proof may take half an hour. */
const CONTROL_CLOSE_MS = 1_000;

/** The database of a gateway, in any process of the instance. */
export interface GatewayStorage {
  /** The gate's connections: requests of callers, and the money. */
  readonly database: Database;
  /** Separate connections for everything else, so that it never delays requests. */
  readonly control: ControlSql;
  /** Spreads the long work of the control plane. */
  readonly pacer: Pacer;
  readonly kind: 'embedded' | 'external';
  /** Closes the connections, then stops the server if it is embedded. */
  stop(): Promise<void>;
}

/** The database, in the process that is responsible for it. */
export interface Storage extends GatewayStorage {
  /** The address for other processes of this instance. */
  readonly connection: DatabaseConnection;
  /** Resolves with the reason if an embedded server exits without a request to stop. */
  readonly lost: Promise<string>;
}

/** Starts the embedded PostgreSQL, or opens a pool to the configured one. @throws a fault whose message is one line */
export async function openStorage(config: Config, directory: DataDirectory, log: Log): Promise<Storage> {
  const { url, schema } = config.database;
  if (url !== null) {
    const connection = { url, schema };
    const storage = joinStorage(connection, 'external', config.database);
    return { ...storage, connection, lost: new Promise<string>(() => undefined) };
  }
  const server = await startEmbeddedPostgres({ dataDirectory: directory, log: serverLog(log) });
  const { socketDirectory, user, database: name } = server;
  const connection = { socketDirectory, user, database: name, schema };
  const storage = joinStorage(connection, 'embedded', embeddedShare(config));
  const lost = server.exited.then(({ code, signal }) => `the embedded PostgreSQL has ended (${signal ?? code})`);
  const stop = async (): Promise<void> => {
    await storage.stop();
    await server.stop();
  };
  return { ...storage, connection, lost, stop };
}

/** Connects to a database that another process of this instance is responsible for. */
export function joinStorage(
  connection: DatabaseConnection,
  kind: Storage['kind'],
  { connectionsMax, controlConnectionsMax }: ConnectionLimits,
): GatewayStorage {
  const database = openDatabase({ connection, connectionsMax, applicationName: APPLICATION_NAME });
  const controlDatabase = openDatabase({
    connection,
    connectionsMax: controlConnectionsMax,
    applicationName: `${APPLICATION_NAME} control`,
  });
  // Opens the first connection while the start waits for others: a slow database takes seconds for each of its answers.
  controlDatabase.ping().catch(() => undefined);
  const clock = new SystemClock();
  const control = new ControlSql(controlDatabase, { clock, connectionsMax: controlConnectionsMax });
  const stop = async (): Promise<void> => {
    await Promise.all([controlDatabase.close(CONTROL_CLOSE_MS), database.close()]);
  };
  return { database, control, pacer: new Pacer(clock), kind, stop };
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
