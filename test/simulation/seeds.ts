import { Worker } from 'node:worker_threads';

/** What is simulated: the processes of one cell over their database, or a hundred cells. */
export type Simulated = 'processes' | 'cells';

export interface Seeds {
  readonly of: Simulated;
  readonly seeds: readonly number[];
  readonly steps: number;
}

export interface SeedFailure {
  readonly seed: number;
  readonly reason: string;
}

/** So many seeds, each one more than the last. */
export const seedsFrom = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index);

/** Runs seeds on a thread of their own until one fails; null where none does. The simulation may be a copy of this one. */
export async function runSeeds(
  work: Seeds,
  workerUrl = new URL('./seeds-worker.ts', import.meta.url),
): Promise<SeedFailure | null> {
  const worker = new Worker(workerUrl, { workerData: work, execArgv: ['--disable-warning=ExperimentalWarning'] });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', (failure: SeedFailure | null) => resolve(failure));
    });
  } finally {
    await worker.terminate();
  }
}
