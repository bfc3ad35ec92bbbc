import type { NanoUsd } from '../../../domain/money.ts';
import type { DrawReply } from '../ports/database.ts';

/**
 * Every constant of the draw rule: how much of a purse one process has, and when it is moved. `draw`
 * (src/program/database/functions/draw.sql) applies those of a purse's modes; src/program/database/draw-rule.test.ts
 * compares.
 */
export const DRAW_RULE = {
  /** A lease's first draw covers this many holds of the last amount held here, */
  firstHolds: 8n,
  /** or of this amount if no hold has been placed yet. */
  firstHold: 10_000_000n,
  /** A lease is refilled once it has less than the largest total held, plus this part of a second's charges */
  lowRate: { part: 1n, of: 2n },
  /** and this part of its reserve; it is refilled to the sum of all three. */
  lowReserve: { part: 3n, of: 4n },
  /** A reserve lasts for this long while the database is away: an epoch's time-out by default. */
  reserveSeconds: 30n,
  /** It is at most this part of what a purse has left */
  reservePart: 16n,
  /**
   * after this many times what is in use is set aside. So reserves turn no purse dry, however many processes it has.
   */
  inUseSetAside: 8n,
  /** Slack that has been idle for this long is given back, */
  idleMs: 2_000,
  /** unless it is smaller than this part of what its purse has left. */
  materialPart: 64n,
  /** A lease that was not needed for this long is closed. */
  forgetMs: 600_000,
  /** So is one of a brief purse, of which there are many, after this long: */
  briefForgetMs: 5_000,
  /** no process has more of them, */
  briefMost: 20_000,
  /** and a project has at most this part of those. */
  briefProjectPart: 2,
  /** Ahead of need, a draw brings at most this part of what the purse has left. */
  aheadPart: 8n,
  /** A purse turns dry if a draw would leave less than this many times what is in use, */
  dryBelow: 2n,
  /** and wet again above this many times. The gap keeps it from alternating. */
  wetAbove: 4n,
} as const;

/** Recent demand on a lease, and its reserve. */
export interface LeaseNeeds {
  /** The largest total held. */
  readonly peak: NanoUsd;
  /** The total charged in a second. */
  readonly rate: NanoUsd;
  readonly reserve: NanoUsd;
}

/** The amount drawn ahead for a lease without a history, for holds of this amount. */
export function firstAhead(hold: NanoUsd): NanoUsd {
  return hold * DRAW_RULE.firstHolds;
}

/** A lease with less than this is refilled, early enough that no request has to wait for the draw. */
export function refillBelow({ peak, rate, reserve }: LeaseNeeds): NanoUsd {
  const { lowRate, lowReserve } = DRAW_RULE;
  return peak + (rate * lowRate.part) / lowRate.of + (reserve * lowReserve.part) / lowReserve.of;
}

/** What a lease has after a refill. */
export function refillTo({ peak, rate, reserve }: LeaseNeeds): NanoUsd {
  return peak + rate + reserve;
}

/** Whether unneeded slack is worth giving back. `available`: what its purse has left; null if unlimited. */
export function isMaterial(slack: NanoUsd, available: NanoUsd | null): boolean {
  return slack > 0n && slack * DRAW_RULE.materialPart > (available ?? 0n);
}

/** The largest reserve of a lease after this reply. `charged`: by that lease. */
export function largestReserve({ limit, available, spentByOthers }: DrawReply, charged: NanoUsd): NanoUsd {
  if (limit === null || available === null) return 0n;
  const inUse = limit - spentByOthers - charged - available;
  const spare = available - inUse * DRAW_RULE.inUseSetAside;
  return spare > 0n ? spare / DRAW_RULE.reservePart : 0n;
}

/** The reserve of a lease that is charged this much per second. */
export function reserveAt(rate: NanoUsd, largest: NanoUsd): NanoUsd {
  const wanted = rate * DRAW_RULE.reserveSeconds;
  return wanted < largest ? wanted : largest;
}
