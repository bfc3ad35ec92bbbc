import { expect, test } from 'vitest';
import { tryMutation } from '../mutant.ts';
import { seedsFrom } from '../seeds.ts';
import { CELL_MUTATIONS } from './cell-mutations.ts';
import { runCellsSeed } from './cells-run.ts';

// A hundred cells with a thousand processes: workspaces move between them, requests are forwarded, processes end and stand still,
// messages are lost, and whole cells. Many more, or one again: npm run simulate -- --cells --seeds 1000 --from 1

const STEPS = 200;
const SEEDS = seedsFrom(1, 30);

test('a workspace lives in one of a hundred cells, and its keys work unless what is in their way is away', async () => {
  const sums = new Map<string, number>();
  for (const seed of SEEDS) {
    const { happened } = await runCellsSeed(seed, STEPS);
    for (const [kind, count] of Object.entries(happened)) sums.set(kind, (sums.get(kind) ?? 0) + count);
  }
  // Many runs meet with all that can happen, or they have said little.
  expect([...sums].filter(([, count]) => count === 0)).toEqual([]);
});

for (const name of ['a move goes back from behind the point of no return', 'a request is forwarded once']) {
  test(`the simulation of cells notices that ${name}`, async () => {
    const mutation = CELL_MUTATIONS.find((each) => each.name === name);
    expect(mutation).toBeDefined();
    if (mutation === undefined) return;
    const { noticed } = await tryMutation(mutation, { of: 'cells', seedsMax: 60, steps: STEPS });
    expect(noticed).not.toBeNull();
  });
}
