import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EQUIVALENT } from '../test/database/equivalent-mutants.ts';
import { MutantStage } from '../test/database/mutant-stage.ts';
import { describeGroup, type GroupResult, readRecord, writeRecord } from '../test/database/mutants-record.ts';
import { CHECKS, type MutantGroup, sqlMutants } from '../test/database/sql-mutants.ts';
import { toolArguments } from './tool-arguments.ts';

// npm run mutants -- [--only FUNCTION,…] [--again] [--show]: whether the tests beside the code notice mistakes in the functions
// and tables of the database, one at a time. Of a function that hasn't changed since it was tried, only mutants that went
// unnoticed are tried; with --again, all of them. A mutant meets the files of tests that call its function. Ends with 1 if one
// goes unnoticed that test/database/equivalent-mutants.ts doesn't name. --show prints what is known, and tries nothing.
// --share PERCENT tries a share of each function's, chosen at random, another one for each --seed, and records nothing: a long
// function's are seen into before all of them are tried.

/** The rooms whose tests are about what the database does. */
const ROOMS = ['accounts', 'catalogue', 'database', 'ledger', 'payments', 'principals', 'usage'];
const ROOT = join(import.meta.dirname, '..');
/** It compares the text of the schema, so it would notice all of them, and say nothing of what they do. */
const LEFT_OUT = ['src/program/database/schema-snapshot.test.ts', 'src/program/database/landed-schema.test.ts'];
/** Which functions each file of tests calls, which takes minutes to find out. */
const CALLS = join(ROOT, 'node_modules', '.cache', 'faregate', 'called-functions.json');

/** The functions that each file of tests calls. */
type Calls = Readonly<Record<string, readonly string[]>>;
/** And the text of the file of which that is known. */
type KnownCalls = Record<string, { readonly sha256: string; readonly functions: readonly string[] }>;

const USAGE = 'usage: sql-mutants.ts [--only FUNCTION,…] [--again] [--show] [--share PERCENT] [--seed N]';

const { values } = toolArguments(USAGE, {
  options: {
    only: { type: 'string', default: '' },
    again: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
    share: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});

const isShare = values.share !== '100';

function isDrawn(name: string): boolean {
  const lot = createHash('sha256').update(`${values.seed}:${name}`).digest();
  return lot.readUInt16BE() % 100 < Number(values.share);
}

async function testFiles(): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const file of glob(`src/*/{${ROOMS.join(',')}}/**/*.test.ts`, { cwd: ROOT })) {
    const text = await readFile(join(ROOT, file), 'utf8');
    if (text.includes('startTestDatabase') && !LEFT_OUT.includes(file)) files.push(file);
  }
  return files.toSorted();
}

/** Runs files whose calls aren't known. Those that fail without any mutant are left out. */
async function readCalls(stage: MutantStage): Promise<Calls> {
  const known = JSON.parse(await readFile(CALLS, 'utf8').catch(() => '{}')) as KnownCalls;
  const calls: Record<string, readonly string[]> = {};
  for (const file of await testFiles()) {
    const sha256 = createHash('sha256')
      .update(await readFile(join(ROOT, file)))
      .digest('hex');
    if (known[file]?.sha256 !== sha256) {
      const { passed, called } = await stage.test([file], null);
      if (!passed) {
        process.stdout.write(`${file} fails without a mutant, and is left out\n`);
        continue;
      }
      known[file] = { sha256, functions: [...called] };
      await mkdir(dirname(CALLS), { recursive: true });
      await writeFile(CALLS, JSON.stringify(known));
    }
    calls[file] = known[file].functions;
  }
  return calls;
}

/** The files that call a function; all that call any, for the checks of tables and for what the planner puts in its place. */
function callersOf(name: string, calls: Calls): readonly string[] {
  const files = Object.keys(calls).filter((file) => calls[file]?.includes(name));
  return files.length > 0 ? files : Object.keys(calls).filter((file) => (calls[file]?.length ?? 0) > 0);
}

async function tryGroup(
  stage: MutantStage,
  { name: group, sha256, mutants }: MutantGroup,
  files: readonly string[],
  isKnown: (name: string) => boolean,
): Promise<GroupResult> {
  const unnoticed: string[] = [];
  let first = files.find((file) => file.includes(group === CHECKS ? 'table-checks' : group.replaceAll('_', '-')));
  for (const { name, sql } of mutants) {
    if (isKnown(name) || name in EQUIVALENT || !isDrawn(name)) continue;
    // What noticed the last one will often notice this one.
    const [before, rest] = [files.filter((file) => file === first), files.filter((file) => file !== first)];
    let run = before.length > 0 ? await stage.test(before, sql) : null;
    if ((run === null || run.passed) && rest.length > 0) run = await stage.test(rest, sql);
    first = run?.failedFile ?? first;
    if (run?.passed !== false) unnoticed.push(name);
    process.stdout.write(`${run?.passed === false ? 'noticed  ' : 'UNNOTICED'} ${name}\n`);
  }
  return { sha256, unnoticed };
}

const wanted = values.only === '' ? null : values.only.split(',');
const groups = (await sqlMutants()).filter(({ name }) => wanted?.some((each) => name === each) ?? true);
let record = await readRecord();
if (!values.show) {
  const stage = await MutantStage.start();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stage.stop().finally(() => process.exit(1)));
  }
  try {
    const calls = await readCalls(stage);
    for (const group of groups) {
      const former = record[group.name];
      const isKnown = (name: string): boolean =>
        !values.again && former?.sha256 === group.sha256 && !former.unnoticed.includes(name);
      const files = callersOf(group.name, calls);
      const result = await tryGroup(stage, group, files, isKnown);
      // Whatever makes tests fail now may have made them fail before.
      const { passed } = await stage.test(files, null);
      if (!passed) throw new Error(`the tests of ${group.name} fail without a mutant: nothing is known of it`);
      if (isShare) continue;
      record = { ...(await readRecord()), [group.name]: result };
      await writeRecord(record);
    }
  } finally {
    await stage.stop();
  }
}
const title = ['mutants', 'noticed', 'equivalent', 'unnoticed'].map((word) => word.padStart(10)).join('');
process.stdout.write(`\n${'function'.padEnd(30)}${title}\n`);
for (const group of groups) process.stdout.write(`${describeGroup(group, record[group.name])}\n`);
const isOpen = ({ name }: MutantGroup): boolean =>
  record[name]?.unnoticed.some((each) => !(each in EQUIVALENT)) ?? true;
process.exitCode = groups.some(isOpen) ? 1 : 0;
