// Bounds of one answer about usage. The console requests no more, and the admin API returns no more.

/** Three years. */
export const USAGE_DAYS_MAX = 3 * 366;

/** Points of all named groups in total: more would be no readable chart, and take too long to write. */
export const USAGE_POINTS_MAX = 5_000;

/** Groups that one answer may name. */
export const USAGE_GROUPS_MAX = 200;

/** The most groups in an answer with this many buckets; zero if not even one fits. */
export function usageGroupsThatFit(buckets: number): number {
  return buckets === 0 ? Infinity : Math.floor(USAGE_POINTS_MAX / buckets);
}
