import { parentPort, workerData } from 'node:worker_threads';
import { runSeed } from './fleet-run.ts';
import type { SeedFailure, Seeds } from './seeds.ts';

const { seeds, steps } = workerData as Seeds;

async function run(): Promise<SeedFailure | null> {
  for (const seed of seeds) {
    try {
      await runSeed(seed, steps);
    } catch (fault) {
      return { seed, reason: fault instanceof Error ? fault.message : String(fault) };
    }
  }
  return null;
}

parentPort?.postMessage(await run(), []);
