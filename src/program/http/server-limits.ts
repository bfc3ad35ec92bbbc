import type { ByteBudget } from '../../lib/byte-budget.ts';
import type { ConnectionQuota } from './connection-quota.ts';

/** How long a connection waits for another request. */
export const KEEP_ALIVE_MS = 75_000;
/** The interval of checks for connections that have taken too long. */
export const WATCH_MS = 500;

/** The server's timeouts; milliseconds. */
export interface ServerTimeouts {
  /** How long a connection may be idle in both directions, including unread answers. */
  readonly idleMs: number;
  /** A caller's headers, and a caller's whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
}

/** The limit of a request's body. */
export interface BodyLimits {
  readonly bodyBytesMax: number;
  /** The budget of all bodies together. */
  readonly budget: ByteBudget;
}

export interface ServerLimits extends ServerTimeouts, BodyLimits {
  readonly headerBytesMax: number;
  readonly connections: ConnectionQuota;
}
