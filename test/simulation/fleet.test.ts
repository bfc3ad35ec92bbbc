import { expect, test } from 'vitest';
import { runSeed } from './fleet-run.ts';
import { seedsFrom } from './seeds.ts';

// Several processes over one database, each with the spending engine as it runs in production, under limits of money and
// of rates: they crash, stand still, are cut off and fenced, statements take effect minutes late, rows are locked, clocks
// jump and differ in their rates, and another server takes over without the last commits. All of it is checked after every
// step. CI goes on behind these seeds. Many more, or one again: npm run simulate -- --seeds 1000 --from 1 --steps 200

const STEPS = 200;
const SEEDS = seedsFrom(1, 100);

test('no process spends what another has', async () => {
  const sums = new Map<string, number>();
  for (const seed of SEEDS) {
    const { happened } = await runSeed(seed, STEPS);
    for (const [kind, count] of Object.entries(happened)) sums.set(kind, (sums.get(kind) ?? 0) + count);
  }
  // Many runs meet with all that can happen, or they have said little.
  expect([...sums].filter(([, count]) => count === 0)).toEqual([]);
});
