import type { NanoUsd } from '../../domain/money.ts';

/**
 * How a value stands to a threshold: it has crossed it; it is so far from it that the next crossing is another one; or it is
 * between, where nothing changes, so that a value which trembles around the threshold makes one alert.
 */
export type Standing = 'crossed' | 'between' | 'clear';

/**
 * What counts as used up, in percent: a request that no longer fits is refused before the last cent is spent, so the whole may
 * never be reached.
 */
const USED_UP = 99n;
/** How far a share must fall below its threshold, in percent of the limit. */
const SHARE_BACK = 5n;

/** A balance against the amount that it should not fall below: clear from a tenth above it. */
export function standingOfBalance(balance: NanoUsd, threshold: NanoUsd): Standing {
  if (balance < threshold) return 'crossed';
  return balance * 10n >= threshold * 11n ? 'clear' : 'between';
}

/** The used part of a limit against a percentage of it: clear from five hundredths of the limit below, or half if it is small. */
export function standingOfShare(used: NanoUsd, limit: NanoUsd, percent: bigint): Standing {
  const threshold = effectivePercent(percent);
  if (used * 100n >= limit * threshold) return 'crossed';
  const back = threshold < 2n * SHARE_BACK ? threshold : 2n * SHARE_BACK;
  return used * 200n < limit * (2n * threshold - back) ? 'clear' : 'between';
}

/** The percentage from which on a share counts as crossed. */
export function effectivePercent(percent: bigint): bigint {
  return percent > USED_UP ? USED_UP : percent;
}
