import { Worker } from 'node:worker_threads';

/** Every `by`th seed from the first up to, but not including, the last. */
export interface Seeds {
  readonly from: number;
  readonly to: number;
  readonly by: number;
  readonly steps: number;
}

export interface SeedFailure {
  readonly seed: number;
  readonly reason: string;
}

/** Runs seeds on a thread of their own until one fails; null where none does. The simulation may be a copy of this one. */
export async function runSeeds(
  seeds: Seeds,
  workerUrl = new URL('./seeds-worker.ts', import.meta.url),
): Promise<SeedFailure | null> {
  const worker = new Worker(workerUrl, { workerData: seeds, execArgv: ['--disable-warning=ExperimentalWarning'] });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', (failure: SeedFailure | null) => resolve(failure));
    });
  } finally {
    await worker.terminate();
  }
}
