import { parentPort, workerData } from 'node:worker_threads';
import { runCellsSeed } from './cells/cells-run.ts';
import { runSeed } from './fleet-run.ts';
import type { SeedFailure, Seeds } from './seeds.ts';

const { seeds, steps, of } = workerData as Seeds;

async function run(): Promise<SeedFailure | null> {
  for (const seed of seeds) {
    try {
      await (of === 'cells' ? runCellsSeed(seed, steps) : runSeed(seed, steps));
    } catch (fault) {
      return { seed, reason: fault instanceof Error ? fault.message : String(fault) };
    }
  }
  return null;
}

parentPort?.postMessage(await run(), []);
