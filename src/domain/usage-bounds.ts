// How much one answer about usage may hold. The console asks for no more, and the admin API grants no more.

/** Three years. */
export const USAGE_DAYS_MAX = 3 * 366;

/** Points of all named groups together: more would be no chart, and take too long to be written. */
export const USAGE_POINTS_MAX = 5_000;

/** Groups that one answer may name. */
export const USAGE_GROUPS_MAX = 200;

/** How many groups an answer of so many buckets may name; zero where not even one fits. */
export function usageGroupsThatFit(buckets: number): number {
  return buckets === 0 ? Infinity : Math.floor(USAGE_POINTS_MAX / buckets);
}
