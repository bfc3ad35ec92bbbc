import { randomInt } from 'node:crypto';
import { runSeeds, seedsFrom, type SeedFailure, type Simulated } from './seeds.ts';

/** Seeds that a thread runs at a stretch. */
const SEEDS_AT_A_STRETCH = 100;

export interface Exploration {
  /** The first seed that was drawn; all others follow it. */
  readonly base: number;
  readonly seeds: number;
  readonly failures: readonly SeedFailure[];
}

/**
 * Runs seeds that nobody has run before, on so many threads, for so long. A seed that fails is told at once, and the
 * others go on.
 */
export async function explore(
  { of, forMs, threads, steps }: { of: Simulated; forMs: number; threads: number; steps: number },
  { onBegin, onProgress, onFailure }: ExplorationEvents,
): Promise<Exploration> {
  const base = randomInt(10 ** 6, 2 ** 31);
  const untilMs = performance.now() + forMs;
  const failures: SeedFailure[] = [];
  let next = base;
  let ran = 0;
  const run = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      const to = next + SEEDS_AT_A_STRETCH;
      let from = next;
      next = to;
      while (from < to) {
        const failure = await runSeeds({ of, seeds: seedsFrom(from, to - from), steps });
        ran += (failure === null ? to : failure.seed + 1) - from;
        from = failure === null ? to : failure.seed + 1;
        if (failure === null) continue;
        failures.push(failure);
        await onFailure(failure);
      }
      onProgress(ran);
    }
  };
  onBegin(base);
  await Promise.all(Array.from({ length: threads }, run));
  return { base, seeds: ran, failures };
}

interface ExplorationEvents {
  readonly onBegin: (base: number) => void;
  /** Called now and then with the number of seeds that have run. */
  readonly onProgress: (seeds: number) => void;
  readonly onFailure: (failure: SeedFailure) => Promise<void>;
}
