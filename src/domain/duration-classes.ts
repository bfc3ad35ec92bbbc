// Durations are counted in classes, so that those of any number of requests are a few sums.

/** The upper ends of the classes of usage, in milliseconds; the last class has none. */
export const DURATION_CLASSES_MS = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000] as const;

/** Those of attempts at routes: each √2 times the former, from 10 ms to 11 minutes. */
export const ATTEMPT_CLASSES_MS: readonly number[] = Array.from({ length: 33 }, (_, at) =>
  Math.round(10 * 2 ** (at / 2)),
);

/** The class of a duration, counted from 0. */
export function classOf(ms: number, classes: readonly number[]): number {
  const found = classes.findIndex((most) => ms <= most);
  return found < 0 ? classes.length : found;
}

/** A duration of which only the class is known. */
export interface ClassifiedDuration {
  /** Estimated as if the durations of its class lay evenly in it. The last class counts as its lower end. */
  readonly ms: number;
  readonly isAtLeast: boolean;
}

/** The median of durations that were counted by class; null if there are none. */
export function medianOf(counts: readonly number[]): ClassifiedDuration | null {
  return quantileOf(counts, 0.5, DURATION_CLASSES_MS);
}

/** The duration that this share of all does not exceed; null if there are none. */
export function quantileOf(
  counts: readonly number[],
  share: number,
  classes: readonly number[],
): ClassifiedDuration | null {
  const rank = counts.reduce((sum, count) => sum + count, 0) * share;
  if (rank === 0) return null;
  let below = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && below + count >= rank) {
      const from = classes[index - 1] ?? 0;
      const to = classes[index];
      if (to === undefined) return { ms: from, isAtLeast: true };
      return { ms: from + ((to - from) * (rank - below)) / count, isAtLeast: false };
    }
    below += count;
  }
  return null;
}
