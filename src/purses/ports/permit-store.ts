import type { RateLimits } from '../../domain/principal.ts';
import type { Waiting } from './purse-store.ts';

// The port behind which the rate limits' durable side sits. PostgreSQL implements it in database/; simulation replaces
// it.

/** What a process has at hand of one project's limits: whole permits, and places among the concurrent requests. */
export interface PermitStock {
  readonly requests: number;
  readonly tokens: number;
  readonly slots: number;
}

export const NO_STOCK: PermitStock = { requests: 0, tokens: 0, slots: 0 };

/** One project's draw. Numbered, and numbers rise over all draws of an epoch, so that a repeat changes nothing. */
export interface PermitDraw {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly sequence: number;
  /** Requests let through from stock since the last draw; what the process's share is reckoned by. */
  readonly taken: number;
  /** Requests that run, each in a slot. */
  readonly running: number;
  /** All that was in stock when the draw was made. */
  readonly stock: PermitStock;
  /** The part of it that this process goes on taking from during the draw; the rest is offered for the needs, or goes back. */
  readonly keep: PermitStock;
  /** What goes back beyond the stock; below zero: what was taken without having been drawn. */
  readonly returned: { readonly requests: number; readonly tokens: number };
  /** The tokens of each request that waits, oldest first. */
  readonly needs: readonly number[];
  /** The stock that is wished for afterwards, while the limits are ample. */
  readonly target: PermitStock;
}

/** Why a request may not run now, and when it may. */
export interface PermitShortage {
  readonly shortOf: 'requests' | 'tokens' | 'concurrency';
  readonly waitMs: number;
}

/** How a project's limits stand after a draw. */
export interface PermitReply {
  /** As the database has them. */
  readonly limits: RateLimits;
  /** What the process has in stock from now on, what it kept included. */
  readonly stock: PermitStock;
  /** For each need: null where it was met. */
  readonly shortages: readonly (PermitShortage | null)[];
  /** What lies in the buckets, in no process's stock; 60,000 parts are a permit. Null: no limit. */
  readonly left: {
    readonly requestParts: number | null;
    readonly tokenParts: number | null;
    readonly slots: number | null;
  };
  /** This process's part of all requests of the last minute, 0 to 1. */
  readonly share: number;
}

export interface PermitStore {
  /**
   * One round trip for all projects, replies in the same order. Null: the project's limits are busy, as draws of purses
   * report it. @throws EpochFenced, DatabaseUnavailable
   */
  drawPermits(
    epochId: bigint,
    draws: readonly PermitDraw[],
    options?: Waiting,
  ): Promise<readonly (PermitReply | null)[]>;
}
