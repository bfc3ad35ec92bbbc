import type { NanoUsd } from '../../domain/money.ts';

// How much a workspace spends a day. All that it has ever spent is one sum, which is noted down once a day; so the burn of a
// week is a difference of two sums, and no receipt is read for it.

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** What had been spent at a moment. */
export interface SpendingMark {
  readonly atMs: number;
  readonly spent: NanoUsd;
}

/** The marks with one for now if a day has passed since the last, and without those that are not needed for a week. */
export function withMark(marks: readonly SpendingMark[], now: SpendingMark): readonly SpendingMark[] {
  const last = marks.at(-1);
  const all = last === undefined || now.atMs - last.atMs >= DAY_MS ? [...marks, now] : marks;
  const needed = all.findLastIndex(({ atMs }) => now.atMs - atMs >= WEEK_MS);
  return all.slice(Math.max(0, needed));
}

/** What was spent a day on average, over the last week or as much of it as is known; null if that is less than a day. */
export function dailyBurn(marks: readonly SpendingMark[], now: SpendingMark): NanoUsd | null {
  const [first] = marks;
  if (first === undefined || now.atMs - first.atMs < DAY_MS) return null;
  return ((now.spent - first.spent) * BigInt(DAY_MS)) / BigInt(now.atMs - first.atMs);
}
