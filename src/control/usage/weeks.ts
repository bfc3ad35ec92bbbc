import { leastUuid7At } from '../../lib/uuid7.ts';

// Receipts are sealed and dropped by the week of their ids. Buckets name that week, so that those of receipts which are
// gone stay as they are when others are made again.

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Weeks are counted from Monday, 29 December 1969. */
const MONDAY_MS = -3 * DAY_MS;
/** Ids are not older than this program: 6 January 2020. */
const FIRST_WEEK = 2_610;

/** The number of the week of this time, in UTC. */
export function weekAt(timeMs: number): number {
  return Math.floor((timeMs - MONDAY_MS) / WEEK_MS);
}

/** The ids of a week's receipts, the upper bound not among them. */
export function idsOfWeek(week: number): { readonly from: string; readonly to: string } {
  const startMs = MONDAY_MS + week * WEEK_MS;
  return { from: leastUuid7At(startMs), to: leastUuid7At(startMs + WEEK_MS) };
}

/** The least id of each week until some time from now: what `weekSql` looks ids up in. */
export function weekBounds(nowMs: number): readonly string[] {
  const count = weekAt(nowMs) + 53 - FIRST_WEEK;
  return Array.from({ length: count }, (_, index) => idsOfWeek(FIRST_WEEK + index).from);
}

/** SQL for the week of `request_id`, given the parameter that has the bounds. */
export function weekSql(bounds: string): string {
  return `${FIRST_WEEK - 1} + width_bucket(request_id, ${bounds}::uuid[])`;
}
