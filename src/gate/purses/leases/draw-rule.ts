import type { NanoUsd } from '../../../domain/money.ts';
import type { DrawReply } from '../ports/database.ts';

/**
 * Every constant of the rule of draws: how much of a purse one process has, and when that is moved. Those of a purse's modes
 * are applied by `draw` (src/program/database/functions/draw.sql); src/program/database/draw-rule.test.ts holds its figures to these.
 */
export const DRAW_RULE = {
  /** A lease's first draw is made for so many holds of the last amount that was held here, */
  firstHolds: 8n,
  /** or of this amount if no hold has been placed yet. */
  firstHold: 10_000_000n,
  /** A lease is refilled once it has less than the most that holds took together, with this part of a second's charges */
  lowRate: { part: 1n, of: 2n },
  /** and this part of its reserve; it is refilled to all of the three. */
  lowReserve: { part: 3n, of: 4n },
  /** A reserve lasts for so long while the database is away: an epoch's time-out by default. */
  reserveSeconds: 30n,
  /** It is this part, at most, of what is left of a purse */
  reservePart: 16n,
  /** once this many times what is in use is set aside, so that reserves turn no purse dry, however many processes have one. */
  inUseSetAside: 8n,
  /** Slack that has been idle for so long goes back, */
  idleMs: 2_000,
  /** unless it is smaller than this part of what its purse has left. */
  materialPart: 64n,
  /** A lease that nothing needed for so long is closed. */
  forgetMs: 600_000,
  /** A draw brings no more ahead of need than this part of what the purse has left. */
  aheadPart: 8n,
  /** A purse turns dry if a draw would leave less than so many times what is in use, */
  dryBelow: 2n,
  /** and wet again above so many times. The gap keeps it from turning back and forth. */
  wetAbove: 4n,
} as const;

/** What a lease has been asked for, and may keep beyond that. */
export interface LeaseNeeds {
  /** The most that holds took together. */
  readonly peak: NanoUsd;
  /** What was charged in a second. */
  readonly rate: NanoUsd;
  readonly reserve: NanoUsd;
}

/** What a lease is drawn ahead for, with holds of this amount, as long as it has no history. */
export function firstAhead(hold: NanoUsd): NanoUsd {
  return hold * DRAW_RULE.firstHolds;
}

/** The least that a lease has before it is refilled: so much that no request has to wait for the draw. */
export function refillBelow({ peak, rate, reserve }: LeaseNeeds): NanoUsd {
  const { lowRate, lowReserve } = DRAW_RULE;
  return peak + (rate * lowRate.part) / lowRate.of + (reserve * lowReserve.part) / lowReserve.of;
}

/** What a lease has after it was refilled. */
export function refillTo({ peak, rate, reserve }: LeaseNeeds): NanoUsd {
  return peak + rate + reserve;
}

/** Whether slack that nothing here needs is worth the way back. `available`: what its purse has left; null if unlimited. */
export function isMaterial(slack: NanoUsd, available: NanoUsd | null): boolean {
  return slack > 0n && slack * DRAW_RULE.materialPart > (available ?? 0n);
}

/** The largest reserve of a lease that has been drawn with this reply. `charged`: by that lease. */
export function largestReserve({ limit, available, spentByOthers }: DrawReply, charged: NanoUsd): NanoUsd {
  if (limit === null || available === null) return 0n;
  const inUse = limit - spentByOthers - charged - available;
  const spare = available - inUse * DRAW_RULE.inUseSetAside;
  return spare > 0n ? spare / DRAW_RULE.reservePart : 0n;
}

/** The reserve of a lease that is charged so much in a second. */
export function reserveAt(rate: NanoUsd, largest: NanoUsd): NanoUsd {
  const wanted = rate * DRAW_RULE.reserveSeconds;
  return wanted < largest ? wanted : largest;
}
