import { setImmediate } from 'node:timers/promises';
import { Fleet } from './fleet.ts';

/** Runs one seed to its end. @throws Error that names the seed, whatever went wrong */
export async function runSeed(seed: number, steps: number): Promise<Fleet> {
  // Who watches over this thread gets a turn between two seeds.
  await setImmediate();
  const fleet = new Fleet(seed);
  try {
    await fleet.start();
    for (let step = 0; step < steps; step++) await fleet.step();
    await fleet.quiet();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${reason}; the same again: npm run simulate -- --seeds 1 --from ${seed} --steps ${steps}`, {
      cause,
    });
  }
  return fleet;
}
