import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { equivalentMutants, onOneLine } from '../test/mutants/equivalents.ts';
import { MUTATED_ROOMS } from '../test/mutants/rooms.ts';
import { toolArguments } from './tool-arguments.ts';

// npm run mutants:code -- ROOM [--only PATTERN] [--all]: whether the tests of a room notice changes of its code, one at a time.
// Prints those that go unnoticed in the form of test/mutants/equivalents.tsv, then a table by file. Ends with 1 if fewer than
// 90 % are noticed. What has not changed since the last run is not run again, unless --all is given.
// --ignore-static leaves out code that runs once at import, each change of which needs all tests of the room. --share PERCENT
// tries a share of the functions, chosen at random, another one for each --seed: where tests need a database, a change takes seconds.

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const SHARE_MIN = 0.9;
const KILLED = new Set<MutantResult['status']>(['Killed', 'Timeout']);
const UNNOTICED = new Set<MutantResult['status']>(['Survived', 'NoCoverage']);

const root = join(import.meta.dirname, '..');
const USAGE = `usage: code-mutants.ts ROOM [--only PATTERN] [--all] [--concurrency N] [--share PERCENT] [--seed N] [--ignore-static]

Rooms: ${Object.keys(MUTATED_ROOMS).join(', ')}`;

const { values, positionals } = toolArguments(USAGE, {
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '2' },
    share: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    'ignore-static': { type: 'boolean', default: false },
  },
});
const name = positionals[0] ?? '';
const room = MUTATED_ROOMS[name];
if (room === undefined) {
  process.stderr.write(`Name one of these rooms: ${Object.keys(MUTATED_ROOMS).join(', ')}.\n`);
  process.exit(2);
}

process.chdir(root);
process.env.MUTATED_ROOM = name;
process.env.MUTATED_SHARE = values.share;
process.env.MUTATED_SEED = values.seed;
const isShare = values.share !== '100';
const record = isShare ? `${name}-${values.share}-${values.seed}` : name;
const results = await new Stryker({
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', join(root, 'test/mutants/left-out.ts')],
  ignorers: ['left-out'],
  vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
  mutate: [...(values.only === undefined ? room.files : [values.only]), '!**/*.test.ts', '!**/*.test.tsx'],
  ignorePatterns: ['/data', '/screenshots', '/bench/results'],
  // TypeScript 7 has no programming interface by which Stryker could adapt a tsconfig.json, and nothing here reads one.
  tsconfigFile: 'none',
  // Nothing checks types here; by default every file of the tree is rewritten so that nothing does.
  disableTypeChecks: false,
  incremental: true,
  incrementalFile: `node_modules/.cache/mutants/${record}.json`,
  force: values.all,
  ignoreStatic: values['ignore-static'],
  // Not below node_modules: Node strips no types there, and threads that tests start would not load.
  tempDirName: join(tmpdir(), 'faregate-mutants'),
  concurrency: Number(values.concurrency),
  // A test that waits for ever fails by its own time-out; one whose machine has become busier must not count as a failure.
  timeoutFactor: 3,
  timeoutMS: 30_000,
  dryRunTimeoutMinutes: 30,
  reporters: ['progress-append-only'],
  allowEmpty: true,
}).runMutationTest();

const equivalents = new Set(
  (await equivalentMutants()).map(({ file, code, replacement }) => `${file}\t${code}\t${replacement}`),
);
const sources = new Map<string, readonly string[]>();
for (const file of new Set(results.map(({ fileName }) => fileName))) {
  sources.set(file, (await readFile(file, 'utf8')).split('\n'));
}

/** The code that a mutant replaces. Positions count from 1. */
function replacedCode({ fileName, location: { start, end } }: MutantResult): string {
  const lines = (sources.get(fileName) ?? []).slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return onOneLine(
    lines
      .map((line, at) => line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined))
      .join('\n'),
  );
}

interface Score {
  killed: number;
  equivalent: number;
  unnoticed: number;
}

const scores = new Map<string, Score>();
for (const mutant of results) {
  const file = relative(root, mutant.fileName);
  const score = scores.get(file) ?? { killed: 0, equivalent: 0, unnoticed: 0 };
  scores.set(file, score);
  if (KILLED.has(mutant.status)) score.killed += 1;
  if (!UNNOTICED.has(mutant.status)) continue;
  const line = `${file}\t${replacedCode(mutant)}\t${onOneLine(mutant.replacement ?? '')}`;
  if (equivalents.has(line)) {
    score.equivalent += 1;
    continue;
  }
  score.unnoticed += 1;
  process.stdout.write(`${mutant.status} line ${mutant.location.start.line}\t${line}\n`);
}

function share({ killed, unnoticed }: Score): number {
  return killed + unnoticed === 0 ? 1 : killed / (killed + unnoticed);
}

const all: Score = { killed: 0, equivalent: 0, unnoticed: 0 };
for (const [file, score] of [...scores].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  for (const kind of ['killed', 'equivalent', 'unnoticed'] as const) all[kind] += score[kind];
  process.stdout.write(row(file, score));
}
process.stdout.write(row(name, all));
process.exitCode = share(all) < SHARE_MIN ? 1 : 0;

function row(what: string, score: Score): string {
  const percent = `${(100 * share(score)).toFixed(1)} %`;
  return `${percent.padStart(8)}  ${score.killed} killed, ${score.unnoticed} unnoticed, ${score.equivalent} equivalent  ${what}\n`;
}
