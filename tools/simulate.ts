import { availableParallelism } from 'node:os';
import { explore } from '../test/simulation/explore.ts';
import { failedSeeds, keepFailedSeed } from '../test/simulation/failed-seeds.ts';
import { tryMutation } from '../test/simulation/mutant.ts';
import { CELL_MUTATIONS } from '../test/simulation/cells/cell-mutations.ts';
import { MUTATIONS } from '../test/simulation/mutations.ts';
import { runSeeds, seedsFrom, type SeedFailure, type Simulated } from '../test/simulation/seeds.ts';
import { endWithUsage, toolArguments } from './tool-arguments.ts';

// Runs the simulation of many processes with as many seeds as one likes, and with `--failed` all that have ever failed:
//   npm run simulate -- --seeds 10000 --from 1 --steps 200 --failed
// or for so many minutes with seeds that nobody has run before, and keeps those that fail:
//   npm run simulate -- --explore 60 --threads 1
// or shows that it notices each of the mistakes that are listed:
//   npm run simulate -- --mutations --seeds 4000
// With `--cells`, each of these is about a hundred cells instead, between which workspaces move.

const USAGE =
  'usage: simulate.ts [--seeds N] [--from SEED] [--steps N] [--threads N] [--cells] [--failed] | --explore MINUTES | --mutations';
const PROGRESS_MS = 30_000;

interface Options {
  readonly of: Simulated;
  readonly seeds: number;
  readonly from: number;
  readonly steps: number;
  readonly threads: number;
}

/** Deals a range of seeds, and those that failed before, to the threads. */
async function runAll({ of, seeds, from, steps, threads }: Options, withFailed: boolean): Promise<void> {
  const startedMs = performance.now();
  const all = [...(withFailed ? await failedSeeds() : []), ...seedsFrom(from, seeds)];
  const shares = Array.from({ length: threads }, (_, thread) =>
    all.filter((_seed, place) => place % threads === thread),
  );
  const failures = await Promise.all(shares.map((share) => runSeeds({ of, seeds: share, steps })));
  for (const failure of failures) {
    if (failure === null) continue;
    console.error(failure.reason);
    process.exitCode = 1;
  }
  if (process.exitCode === 1) return;
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(
    `${all.length} seeds of ${steps} steps in ${seconds.toFixed(1)} s, ${(all.length / seconds).toFixed(0)} a second`,
  );
}

async function runExploration(minutes: number, { of, steps, threads }: Options): Promise<void> {
  const startedMs = performance.now();
  let toldMs = startedMs;
  const { base, seeds, failures } = await explore(
    { of, forMs: minutes * 60_000, threads, steps },
    {
      onBegin: (first) => console.log(`exploring from seed ${first}`),
      onProgress: (ran) => {
        if (performance.now() - toldMs < PROGRESS_MS) return;
        toldMs = performance.now();
        console.log(`${ran} seeds in ${((toldMs - startedMs) / 60_000).toFixed(1)} min`);
      },
      onFailure: async (failure: SeedFailure) => {
        console.error(failure.reason);
        if (of === 'processes') await keepFailedSeed(failure);
      },
    },
  );
  console.log(`${seeds} seeds from ${base}, ${failures.length} failed`);
  if (failures.length > 0) process.exitCode = 1;
}

async function runMutations({ of, seeds, steps }: Options): Promise<void> {
  let missed = 0;
  const mutations = of === 'cells' ? CELL_MUTATIONS : MUTATIONS;
  for (const mutation of mutations) {
    const { name, noticed } = await tryMutation(mutation, { of, seedsMax: seeds, steps });
    if (noticed === null) missed += 1;
    const verdict =
      noticed === null ? 'NOT NOTICED' : `noticed by seed ${noticed.seed}: ${noticed.reason.split(';')[0]}`;
    console.log(`${name}: ${verdict}`);
  }
  console.log(`${mutations.length - missed} of ${mutations.length} mutations noticed`);
  if (missed > 0) process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = toolArguments(USAGE, {
    options: {
      seeds: { type: 'string', default: '4000' },
      from: { type: 'string', default: '1' },
      steps: { type: 'string', default: '200' },
      threads: { type: 'string', default: String(availableParallelism()) },
      failed: { type: 'boolean', default: false },
      explore: { type: 'string' },
      mutations: { type: 'boolean', default: false },
      cells: { type: 'boolean', default: false },
    },
  });
  const numbers = {
    seeds: Number(values.seeds),
    from: Number(values.from),
    steps: Number(values.steps),
    threads: Number(values.threads),
  };
  const options: Options = { ...numbers, of: values.cells ? 'cells' : 'processes' };
  const minutes = values.explore === undefined ? null : Number(values.explore);
  const isWhole = Object.values(numbers).every((number) => Number.isSafeInteger(number) && number > 0);
  if (!isWhole || (minutes !== null && !(minutes > 0)))
    endWithUsage(USAGE, 'Numbers must be above 0, and whole but for minutes.');
  if (values.cells && values.failed) endWithUsage(USAGE, 'Seeds that have failed are kept of one cell alone.');
  if (values.mutations) await runMutations(options);
  else if (minutes !== null) await runExploration(minutes, options);
  else await runAll(options, values.failed);
}

await main();
