const FIRST_MS = 30_000;
const LONGEST_MS = 4 * 3_600_000;
/** Each delay is between three and five quarters of its length, so that what failed together is not tried together. */
const JITTER_MIN = 0.75;
const JITTER_SPAN = 0.5;

/** How long to wait after the attempt with this number (from 1). `random` is from 0 to below 1. */
export function retryDelayMs(attempt: number, random: number): number {
  const delayMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return Math.round(delayMs * (JITTER_MIN + JITTER_SPAN * random));
}
