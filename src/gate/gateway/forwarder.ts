import type { Caller } from './caller.ts';

/**
 * Why no answer of a cell has begun. `unknown`: its address is not known here. `full`: too many requests are being forwarded.
 * `away`: the request has not reached it. `broken`: it has, and then the connection broke, or nothing came in time.
 */
export type ForwardFailure = 'unknown' | 'full' | 'away' | 'broken';

/** A request for another cell. */
export interface ForwardedRequest {
  readonly caller: Caller;
  /** Of the cell where its workspace lives. */
  readonly shard: string;
  /** The address that the caller has here. */
  readonly address: string;
  /** Null: it has none. */
  readonly body: Buffer | null;
}

/** The port to other cells; http/ implements it. */
export interface Forwarder {
  /**
   * Sends a request once, and passes the answer on as it comes. Resolves once the answer, or the caller's connection, has
   * ended; or with the failure if no answer has begun.
   */
  forward(request: ForwardedRequest): Promise<ForwardFailure | null>;
}
