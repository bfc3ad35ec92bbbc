import type { ByteBudget } from '../lib/byte-budget.ts';
import type { ConnectionQuota } from './connection-quota.ts';

/** How long a connection waits for another request. */
export const KEEP_ALIVE_MS = 75_000;
/** How long what comes after the last answer is read and thrown away, so that its caller gets to read that answer. */
export const LINGER_MS = 2_000;
/** How often connections are looked at that may have taken too long. */
export const WATCH_MS = 500;

/** How long what may take; milliseconds. */
export interface ServerPatience {
  /** How long a connection may stand still in both directions, answers that nobody reads included. */
  readonly idleMs: number;
  /** A caller's headers, and a caller's whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
}

/** What a request's body may take. */
export interface BodyLimits {
  readonly bodyBytesMax: number;
  /** What all bodies together may take. */
  readonly budget: ByteBudget;
}

export interface ServerLimits extends ServerPatience, BodyLimits {
  readonly headerBytesMax: number;
  readonly connections: ConnectionQuota;
}
