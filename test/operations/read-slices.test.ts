import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slowness } from '../costs/computing.ts';
import type { Account } from '../support/accounts.ts';
import { describedOperations, type DescribedOperation } from '../support/described-api.ts';
import { printFigure } from '../support/figures.ts';
import { openLargeWorkspace } from '../support/large-workspace.ts';
import { LoopNotes } from '../support/loop-notes.ts';
import { type Program, startProgram } from '../support/program.ts';
import { spreadReceipts } from '../support/spread-receipts.ts';

// No read of the admin API keeps requests waiting: each computes in pieces, whatever the database holds. The reads are those
// of the API's document, with the largest answers that their parameters allow.

const KEYS = 250;
const RECEIPTS = 100_000;
const DAYS = 14;
/** Of the thread's own processor time, so that no other process stretches it; longer where the processor is slow. */
const PIECE_MS_MAX = 10;
/** One try may have a collection of garbage in it, or code that is compiled. */
const TRIES = 6;

const notes = new LoopNotes();
const running = new AsyncDisposableStack();
let program: Program;
let account: Account;

beforeAll(async () => {
  program = await startProgram({ env: notes.env });
  running.defer(() => program.dispose());
  const database = await program.openDatabase();
  account = await openLargeWorkspace(database, { keys: KEYS, receipts: RECEIPTS });
  await spreadReceipts(database, account, DAYS);
  await program.admin.rebuildUsage();
}, 180_000);
afterAll(async () => {
  await running.disposeAsync();
  notes.remove();
});

const fromTo = (): string => {
  const toMs = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
  const [from, to] = [toMs - DAYS * 86_400_000, toMs].map((timeMs) => new Date(timeMs).toISOString());
  return `from=${from}&to=${to}`;
};

/** Queries that make the answer of an operation as large as it may be; others are sent without parameters. */
function largestQueries({ operationId, parameters }: DescribedOperation): readonly string[] {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  if (operationId === 'showUsage' || operationId === 'showUsageOfAll') {
    const groupings = ['key', 'model', 'outcome'].map((by) => `group_by=${by}`);
    const hours = groupings.map((by) => `${by}&bucket=hour&limit=14&${fromTo()}`);
    return [...hours, `group_by=key&limit=200&compare=true&${fromTo()}`, `group_by=model&latency=true&${fromTo()}`];
  }
  if (operationId === 'lookUp') return [`key=${account.key.id}`];
  if (operationId === 'searchCells') return ['search=a'];
  if (operationId === 'showEndUser') return ['name=ada'];
  return [names.includes('limit') ? 'limit=200' : ''];
}

const VALUES = (): Readonly<Record<string, string>> => ({
  workspace: account.workspace.id,
  project: account.project.id,
  key: account.key.id,
});

/** The document's reads of JSON that need nothing but what is known. Exports and backups are paced streams. */
function readsOf(operations: readonly DescribedOperation[]): readonly string[] {
  const values = VALUES();
  return operations
    .filter(
      ({ method, responses }) => method.toLowerCase() === 'get' && responses['200']?.content?.['application/json'],
    )
    .filter((operation) => operation['x-access'] === 'workspace' || operation['x-access'] === 'operator')
    .flatMap((operation) => {
      const path = operation.path.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
      return path.includes('{')
        ? []
        : largestQueries(operation).map((query) => (query === '' ? path : `${path}?${query}`));
    });
}

test('no read of the admin API computes for more than 10 ms before the event loop goes on', async () => {
  const token = readFileSync(join(program.data, 'operator-token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const document = (await (await fetch(`${program.url}/admin/openapi.json`, { headers })).json()) as object;
  const reads = readsOf(describedOperations(document));
  expect(reads.length).toBeGreaterThan(30);
  const longest = new Map<string, number>();
  const refused = new Set<string>();
  const sizes: number[] = [];
  let left = reads;
  for (let count = 0; count < TRIES && left.length > 0; count++) {
    const pieces = new Map<string, number>();
    for (const path of left) {
      const fromMs = Date.now();
      const response = await fetch(program.url + path, { headers });
      sizes.push((await response.text()).length);
      // The note about the end of the answer.
      await new Promise((resolve) => setTimeout(resolve, 5));
      pieces.set(path, notes.longestStretchMs(program.pid, { fromMs, untilMs: Date.now() }));
      if (response.status >= 400) refused.add(`${path} ${response.status}`);
    }
    for (const [path, ms] of pieces) longest.set(path, Math.min(ms, longest.get(path) ?? Infinity));
    left = left.filter((path) => (longest.get(path) ?? 0) >= PIECE_MS_MAX * slowness());
  }
  printFigure('the longest piece of a read of the admin API', Math.max(...longest.values()), 'ms of CPU');
  expect(Object.fromEntries([...longest].filter(([path]) => left.includes(path)))).toEqual({});
  // They report on workers and on a move, of which there are none here.
  const { workspace } = account;
  expect([...refused].toSorted()).toEqual(['/admin/v1/restart 409', `/admin/v1/workspaces/${workspace.id}/move 404`]);
  // The largest answer is one: fourteen keys in each hour of a fortnight.
  expect(Math.max(...sizes)).toBeGreaterThan(1_000_000);
  // The probe sees what is long: a start is.
  expect(notes.longestStretchMs(program.pid, { fromMs: 0 })).toBeGreaterThan(PIECE_MS_MAX);
});
