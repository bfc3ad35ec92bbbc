import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/program/database/pool.ts';
import type { Account } from '../support/accounts.ts';
import { Browser } from '../support/browser.ts';
import { startControlLoad } from '../support/control-load.ts';
import { printFigure } from '../support/figures.ts';
import { openLargeWorkspace } from '../support/large-workspace.ts';
import { LoopNotes } from '../support/loop-notes.ts';
import { HOME_QUESTIONS, openConsoles } from '../support/open-consoles.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn } from '../support/signed-in-person.ts';

// Whatever the control plane does, requests hardly notice: it has connections of its own, and computes in small pieces.

const KEYS = 10_000;
const RECEIPTS = 20_000;
const REQUESTS = 100;
const CONSOLES = 20;
/** As many as there are by default. */
const CONTROL_CONNECTIONS = 3;
/** Generous, because a busy machine stretches both: what this is for took 200 times as long. */
const SLOWER_MAX = 6;
const SLACK_MS = 20;
/** Of processor time, so no other process stretches it. */
const PIECE_MS_MAX = 40;

const notes = new LoopNotes();
const running = new AsyncDisposableStack();
let program: Program;
let database: Database;
let account: Account;

beforeAll(async () => {
  program = await startProgram({ env: notes.env });
  running.defer(() => program.dispose());
  database = await program.openDatabase();
  account = await openLargeWorkspace(database, { keys: KEYS, receipts: RECEIPTS });
});
afterAll(async () => {
  await running.disposeAsync();
  notes.remove();
});

async function ask(key: string): Promise<number> {
  const sinceMs = performance.now();
  const body = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'hi' }] };
  const response = await program.chat(key, body);
  await response.text();
  expect(response.status).toBe(200);
  return performance.now() - sinceMs;
}

/** The median of so many requests, one after the other. */
async function medianMs(key = program.key): Promise<number> {
  const times: number[] = [];
  while (times.length < REQUESTS) times.push(await ask(key));
  return times.toSorted((one, other) => one - other)[REQUESTS / 2] ?? 0;
}

function longestPieceMs(sinceMs: number): number {
  return notes.longestStretchMs(program.pid, { fromMs: sinceMs });
}

/** Reads what else the control plane computes. */
async function lookAround(): Promise<void> {
  const token = readFileSync(join(program.data, 'operator-token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  for (const path of ['/metrics', '/admin/reference', '/admin/openapi.json', '/admin/v1/catalogue/diff']) {
    const response = await fetch(`${program.url}${path}`, { headers });
    await response.text();
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
  }
}

test('proofs, lists, exports and backups together neither delay requests nor pass for an outage', async () => {
  await medianMs();
  // What is made when it is first asked for.
  await lookAround();
  const quietMs = await medianMs();
  const sinceMs = Date.now();
  const control = startControlLoad(program.admin, account);
  running.defer(() => control.stop());
  await lookAround();
  const busyMs = await medianMs();
  await expect.poll(() => Object.values(control.tally).every((made) => made !== 0), { timeout: 60_000 }).toBe(true);
  await control.stop();
  printFigure('a request beside proofs, lists, exports and backups takes', busyMs / quietMs, '× the quiet median');
  printFigure('the longest piece of the event loop beside them', longestPieceMs(sinceMs), 'ms of CPU');
  expect(busyMs).toBeLessThan(SLOWER_MAX * quietMs + SLACK_MS);
  expect(longestPieceMs(sinceMs)).toBeLessThan(PIECE_MS_MAX);
  // The probe sees long pieces: a start has some.
  expect(longestPieceMs(0)).toBeGreaterThan(0);
  // Two exports of the three run at a time; nothing else was refused.
  expect([...control.tally.refused.keys()]).toEqual([expect.stringContaining('Two exports are running')]);
});

test('twenty consoles that show a busy workspace neither delay its requests nor are refused anything', async () => {
  const { key } = account.key;
  const workspaceId = account.workspace.id;
  const people = [await signedIn(program, { workspaceId }), await signedIn(program, { workspaceId })];
  await medianMs(key);
  const quietMs = await medianMs(key);
  const sinceMs = Date.now();
  const consoles = openConsoles(program.url, people, CONSOLES);
  running.defer(() => consoles.stop());
  await consoles.opened;
  const { tally } = consoles;
  const readAgain = tally.waits.length + CONSOLES * HOME_QUESTIONS.charged.length;
  const beside: number[] = [];
  while (tally.waits.length < readAgain) beside.push(await medianMs(key));
  const busyMs = Math.min(...beside);
  await consoles.stop();
  printFigure('a request beside twenty consoles takes', busyMs / quietMs, '× the quiet median');
  printFigure('the longest piece of the event loop beside them', longestPieceMs(sinceMs), 'ms of CPU');
  expect([...tally.refused]).toEqual([]);
  expect(busyMs).toBeLessThan(SLOWER_MAX * quietMs + SLACK_MS);
  expect(longestPieceMs(sinceMs)).toBeLessThan(PIECE_MS_MAX);
});

test('what many ask in the same moment is answered by the rights of each, in the workspace of each', async () => {
  const workspaceId = account.workspace.id;
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  await program.admin.createKey(account.project.id, { name: 'ends soon', expires_at: soon });
  const stranger = await signedIn(program);
  const [owner, billing] = [
    await signedIn(program, { workspaceId }),
    await signedIn(program, { workspaceId, role: 'billing' }),
  ];
  const operator = { authorization: `Bearer ${program.operatorToken}` };
  const askers = [
    ...[owner, billing].map(
      ({ session }) =>
        (path: string) =>
          session.get(`/workspaces/${workspaceId}${path}`),
    ),
    (path: string) => stranger.session.get(`/workspaces/${stranger.workspaceId}${path}`),
    (path: string) => new Browser(fetch, program.url).get(`/workspaces/${workspaceId}${path}`, operator),
  ];
  const toMs = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
  const [from, to] = [toMs - 86_400_000, toMs].map((timeMs) => new Date(timeMs).toISOString());
  const questions = ['/overview', `/usage?group_by=model&from=${from}&to=${to}`, '/receipts?limit=5'].flatMap((path) =>
    askers.map((askFor) => async (): Promise<string> => JSON.stringify((await askFor(path)).body)),
  );
  const alone: string[] = [];
  for (const question of questions) alone.push(await question());
  // Keys are not shown to those for billing, costs to the operator alone, and to a stranger nothing.
  const different = [alone.slice(0, 2), alone.slice(4, 8), alone.slice(8)].map((answers) => new Set(answers).size);
  expect(different).toEqual([2, 3, 2]);
  for (const together of await Promise.all([1, 2, 3].map(() => Promise.all(questions.map((question) => question()))))) {
    expect(together).toEqual(alone);
  }
});

test('requests go on while all connections of the control plane wait, and its next caller is told so', async () => {
  const admin = program.admin;
  const history = (): Promise<unknown> => admin.listPostings(account.workspace.id);
  const outcomes = await database.transaction(
    async (tx) => {
      await tx.query('lock table ledger_postings in access exclusive mode');
      const waiting = Promise.allSettled(Array.from({ length: CONTROL_CONNECTIONS }, history));
      const countWaiting = async (): Promise<number> =>
        (
          await tx.query(
            `select from pg_stat_activity where application_name = 'faregate control' and wait_event_type = 'Lock'`,
          )
        ).length;
      await expect.poll(countWaiting, { timeout: 20_000 }).toBe(CONTROL_CONNECTIONS);
      const [refused] = await Promise.all([history().catch(String), medianMs()]);
      expect(refused).toContain("All of the control plane's connections to the database are in use");
      return { waiting };
    },
    { idleMsMax: 120_000 },
  );
  for (const outcome of await outcomes.waiting) {
    // One that waited for too long is stopped by the server; nothing is called an outage.
    const message = outcome.status === 'rejected' ? String(outcome.reason) : 'took too long';
    expect(message).toContain('took too long');
  }
  expect(await history()).toMatchObject({ data: [expect.anything()] });
});
