import type { ServerConfig } from '../config/config.ts';
import type { ConnectionLimits } from './storage.ts';

/** The connections of the embedded PostgreSQL, less those for its own work and for an operator on its socket. */
const EMBEDDED_CONNECTIONS = 90;

/** One of this many is for the control plane. */
const CONTROL_SHARE = 4;
/** A proof or a backup holds one, and reads on another. */
const CONTROL_MIN = 2;

interface ShareRequest {
  readonly server: Pick<ServerConfig, 'workers'>;
  readonly database: ConnectionLimits;
}

/** Each process's share of the embedded server's connections. */
export function embeddedShare({ server, database }: ShareRequest): ConnectionLimits {
  // During a replacement there is one more worker, and this process has connections too.
  const share = Math.floor(EMBEDDED_CONNECTIONS / (server.workers + 2));
  const { connectionsMax, controlConnectionsMax: wished } = database;
  const controlConnectionsMax = Math.max(CONTROL_MIN, Math.min(wished, Math.floor(share / CONTROL_SHARE)));
  return {
    connectionsMax: Math.max(1, Math.min(connectionsMax, share - controlConnectionsMax)),
    controlConnectionsMax,
  };
}
