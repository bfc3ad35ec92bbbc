import { CellsWorld } from './cells-world.ts';

/** Runs one seed to its end. @throws Error that names the seed, whatever went wrong */
export async function runCellsSeed(seed: number, steps: number): Promise<CellsWorld> {
  const world = new CellsWorld(seed);
  try {
    for (let step = 0; step < steps; step += 1) await world.step();
    await world.quiet();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `${reason}; the same again: npm run simulate -- --cells --seeds 1 --from ${seed} --steps ${steps}`,
      {
        cause,
      },
    );
  }
  return world;
}
