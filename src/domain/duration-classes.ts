// Durations are counted in classes, so that those of any number of requests are a few sums.

/** The upper ends of the classes, in milliseconds; the last class has none. */
export const DURATION_CLASSES_MS = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000] as const;

/** A duration of which only the class is known. */
export interface ClassifiedDuration {
  /** Estimated as if the durations of its class lay evenly in it. The last class counts as its lower end. */
  readonly ms: number;
  readonly isAtLeast: boolean;
}

/** The median of durations that were counted by class; null if there are none. */
export function medianOf(counts: readonly number[]): ClassifiedDuration | null {
  const half = counts.reduce((sum, count) => sum + count, 0) / 2;
  if (half === 0) return null;
  let below = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && below + count >= half) {
      const from = DURATION_CLASSES_MS[index - 1] ?? 0;
      const to = DURATION_CLASSES_MS[index];
      if (to === undefined) return { ms: from, isAtLeast: true };
      return { ms: from + ((to - from) * (half - below)) / count, isAtLeast: false };
    }
    below += count;
  }
  return null;
}
