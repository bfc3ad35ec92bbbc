import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { tryMutation } from '../test/simulation/mutant.ts';
import { MUTATIONS } from '../test/simulation/mutations.ts';
import { runSeeds } from '../test/simulation/seeds.ts';

// Runs the simulation of many processes with as many seeds as one likes:
//   npm run simulate -- --seeds 10000 --from 1 --steps 200
// or shows that it notices each of the mistakes that are listed:
//   npm run simulate -- --mutations --seeds 4000

async function runAll(from: number, seeds: number, steps: number): Promise<void> {
  const startedMs = performance.now();
  const by = Math.min(availableParallelism(), seeds);
  const shares = Array.from({ length: by }, (_, index) => ({ from: from + index, to: from + seeds, by, steps }));
  const failures = await Promise.all(shares.map((share) => runSeeds(share)));
  for (const failure of failures) {
    if (failure === null) continue;
    console.error(failure.reason);
    process.exitCode = 1;
  }
  if (process.exitCode === 1) return;
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(`${seeds} seeds of ${steps} steps in ${seconds.toFixed(1)} s, ${(seeds / seconds).toFixed(0)} a second`);
}

async function runMutations(seeds: number, steps: number): Promise<void> {
  let missed = 0;
  for (const mutation of MUTATIONS) {
    const { name, noticed } = await tryMutation(mutation, seeds, steps);
    if (noticed === null) missed += 1;
    const verdict =
      noticed === null ? 'NOT NOTICED' : `noticed by seed ${noticed.seed}: ${noticed.reason.split(';')[0]}`;
    console.log(`${name}: ${verdict}`);
  }
  console.log(`${MUTATIONS.length - missed} of ${MUTATIONS.length} mutations noticed`);
  if (missed > 0) process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '4000' },
      from: { type: 'string', default: '1' },
      steps: { type: 'string', default: '200' },
      mutations: { type: 'boolean', default: false },
    },
  });
  const [seeds, from, steps] = [Number(values.seeds), Number(values.from), Number(values.steps)];
  if (![seeds, from, steps].every((number) => Number.isSafeInteger(number) && number > 0)) {
    throw new Error('usage: simulate.ts [--seeds N] [--from SEED] [--steps N] [--mutations]');
  }
  if (values.mutations) await runMutations(seeds, steps);
  else await runAll(from, seeds, steps);
}

await main();
