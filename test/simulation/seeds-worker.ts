import { parentPort, workerData } from 'node:worker_threads';
import { runSeed } from './fleet-run.ts';
import type { SeedFailure, Seeds } from './seeds.ts';

const { from, to, by, steps } = workerData as Seeds;

async function run(): Promise<SeedFailure | null> {
  for (let seed = from; seed < to; seed += by) {
    try {
      await runSeed(seed, steps);
    } catch (fault) {
      return { seed, reason: fault instanceof Error ? fault.message : String(fault) };
    }
  }
  return null;
}

parentPort?.postMessage(await run(), []);
