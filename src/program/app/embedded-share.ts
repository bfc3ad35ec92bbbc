import type { DatabaseConfig, ServerConfig } from '../../config/config.ts';

/** The most connections of each kind for a process. */
export type ConnectionLimits = Pick<DatabaseConfig, 'connectionsMax' | 'controlConnectionsMax'>;

/** The connections of the embedded PostgreSQL, less those for its own work and for an operator on its socket. */
const EMBEDDED_CONNECTIONS = 90;

/** One of this many is for the control plane. */
const CONTROL_SHARE = 4;
/** A proof or a backup holds one, and reads on another. */
const CONTROL_MIN = 2;

/** The gate needs at least one in addition to those. */
const PROCESSES_MAX = Math.floor(EMBEDDED_CONNECTIONS / (CONTROL_MIN + 1));

interface ShareRequest {
  readonly server: Pick<ServerConfig, 'workers'>;
  readonly database: ConnectionLimits;
}

/** With workers there is the supervisor too, and during a replacement one more worker. */
function processesOf(workers: number): number {
  return workers === 1 ? 1 : workers + 2;
}

/** Each process's share of the embedded server's connections. */
export function embeddedShare({ server, database }: ShareRequest): ConnectionLimits {
  const share = Math.floor(EMBEDDED_CONNECTIONS / processesOf(server.workers));
  const { connectionsMax, controlConnectionsMax: wished } = database;
  const controlConnectionsMax = Math.max(CONTROL_MIN, Math.min(wished, Math.floor(share / CONTROL_SHARE)));
  return {
    connectionsMax: Math.max(1, Math.min(connectionsMax, share - controlConnectionsMax)),
    controlConnectionsMax,
  };
}

/** Why so many workers can't share the embedded server; null: they can. */
export function embeddedWorkersProblem(workers: number): string | null {
  if (processesOf(workers) <= PROCESSES_MAX) return null;
  return `server.workers is ${workers}, but the embedded database has connections for ${PROCESSES_MAX - 2} workers at most: lower it, or name a PostgreSQL of your own in database.url`;
}
