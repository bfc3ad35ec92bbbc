import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeKeySecret } from '../../src/control/accounts/key-secret.ts';
import type { Database } from '../../src/program/database/pool.ts';
import { composeKey } from '../../src/domain/key.ts';
import { NANO_PER_USD } from '../../src/domain/money.ts';
import { openAccount } from '../support/accounts.ts';
import { printFigure } from '../support/figures.ts';
import type { PostgresProxy, SentStatement } from '../support/postgres-proxy.ts';
import { type Program, startProgram } from '../support/program.ts';
import { startProxiedPostgres } from '../support/proxied-postgres.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { SMALL_ANSWER, smallChatConfig } from '../support/small-chat.ts';

// A key that is met for the first time costs one statement before its upstream is called, which others share that come at
// the same time. Once it is known, its requests reach their upstream without a word to the database, and many requests
// share the statement that settles them. Every statement is seen on its way; polls and heartbeats, which come by the clock
// whether there are requests or not, are told apart by their text.

const WARM_UP = 20;
const SEQUENTIAL = 50;
const PARALLEL = 32;
const BURSTS = 10;
const COLD_KEYS = 20;
/** Long enough that a statement sent ahead of the call to the upstream has been seen before the answer. */
const ANSWER_DELAY_MS = 10;
const POLL = /from changes order by transaction_id desc|left join changes/;
const CLEAR_RESPONSES = /select request_id, items, input_length, response from stored_responses/;
const OUTBOX = /from notices where state = 'waiting' order by/;
const DECLARATIONS = /from offer_declarations order by/;
const ROUTES = /route_hours/;
const MOVES = /from workspace_moves where state not in/;
const GRANTS = /from (?:expiring|recurring)_grants/;
/** The bounds of a transaction of the control plane; the gate's statements are transactions by themselves. */
const CONTROL = /^(?:begin;set local idle_in_transaction_session_timeout|commit$)/;
const BY_THE_CLOCK = [
  POLL,
  OUTBOX,
  DECLARATIONS,
  ROUTES,
  GRANTS,
  MOVES,
  CONTROL,
  /update epochs set heartbeat_at = clock_timestamp\(\)/,
];

let proxy: PostgresProxy;
/** Past the proxy. */
let sql: Database;
let upstream: ScriptedUpstream;
let program: Program;
let key: string;
/** When the upstream was called, on performance.now()'s scale. */
const calls: number[] = [];

beforeAll(async () => {
  upstream = await startScriptedUpstream((response) => {
    calls.push(performance.now());
    setTimeout(
      () => response.writeHead(200, { 'content-type': 'application/json' }).end(SMALL_ANSWER),
      ANSWER_DELAY_MS,
    );
  });
  const postgres = await startProxiedPostgres();
  ({ proxy, database: sql } = postgres);
  program = await startProgram({
    beside: [upstream, postgres],
    args: ['--bootstrap'],
    env: { DATABASE_URL: postgres.url },
    config: smallChatConfig(upstream),
  });
  key = (await program.createTenant({ credit: '100' })).key;
  await untilHeard();
  await untilEncrypted();
  for (let count = 0; count < WARM_UP; count++) await ask();
});

afterAll(() => program.dispose());

async function ask(by = key): Promise<void> {
  const answer = await program.chat(by, {
    model: 'small-chat',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'hi' }],
  });
  expect(answer.status).toBe(200);
  await answer.text();
}

/** The statements since then that requests have caused. */
const statementsSince = (count: number): SentStatement[] =>
  proxy.statements.slice(count).filter(({ text }) => !BY_THE_CLOCK.some((pattern) => pattern.test(text)));

test(`none of ${SEQUENTIAL} requests sends a statement before its upstream is called`, async () => {
  const early: SentStatement[] = [];
  let settled = 0;
  for (let count = 0; count < SEQUENTIAL; count++) {
    const from = proxy.statements.length;
    await ask();
    const calledMs = calls.at(-1) ?? 0;
    const caused = statementsSince(from);
    early.push(...caused.filter(({ atMs }) => atMs < calledMs + ANSWER_DELAY_MS / 2));
    settled += caused.filter(({ text }) => text.includes('settle_receipts')).length;
  }
  expect(early).toEqual([]);
  expect(settled).toBe(SEQUENTIAL);
});

test(`requests share their statements, ${PARALLEL} at a time`, async () => {
  const from = proxy.statements.length;
  for (let burst = 0; burst < BURSTS; burst++) await Promise.all(Array.from({ length: PARALLEL }, () => ask()));
  const perRequest = statementsSince(from).length / (PARALLEL * BURSTS);
  printFigure(`at concurrency ${PARALLEL}`, perRequest, 'statements a request');
  expect(perRequest).toBeLessThan(0.5);
});

/** What the statements do, in the order in which they were sent. */
const functionsIn = (statements: readonly SentStatement[]): (string | undefined)[] =>
  statements.map(({ text }) => /(look_up_keys|draw_leases|draw_permits|settle_receipts)\b/.exec(text)?.[1] ?? text);

/** Resolves when the program has heard of all changes so far: a changed purse takes its slack back. */
async function untilHeard(): Promise<void> {
  const polls = (): number => proxy.statements.filter(({ text }) => POLL.test(text)).length;
  const before = polls();
  // When the next but one is sent, the next one has been answered.
  await vi.waitFor(() => expect(polls()).toBeGreaterThan(before + 1), { timeout: 5_000 });
}

/** Resolves when the program has looked once for what earlier versions have left in clear, which it does after its start. */
async function untilEncrypted(): Promise<void> {
  const isOver = (): boolean => {
    const { statements } = proxy;
    const last = statements.findIndex(({ text }) => CLEAR_RESPONSES.test(text));
    return last >= 0 && statements.slice(last).some(({ text }) => text === 'commit');
  };
  await vi.waitFor(() => expect(isOver()).toBe(true), { timeout: 60_000 });
}

/** Workspaces whose requests pass three limited purses and every rate limit, once the program has heard of them all. */
async function openLimited(count: number): Promise<readonly string[]> {
  const accounts = await Promise.all(
    Array.from({ length: count }, () =>
      openAccount(sql, {
        credit: 100n * NANO_PER_USD,
        project: { requestsPerMinute: 1_000, tokensPerMinute: 1_000_000, concurrency: 100, budget: 50n * NANO_PER_USD },
        key: { spendLimit: 20n * NANO_PER_USD },
      }),
    ),
  );
  await untilHeard();
  return accounts.map(({ key: { key: secret } }) => secret);
}

/** The key with one digit of its secret mistyped. */
function otherDigit(intact: string): string {
  return `${intact.slice(0, 30)}${intact[30] === 'x' ? 'y' : 'x'}${intact.slice(31)}`;
}

test('a cold key with money and rate limits at all levels costs one statement before its upstream is called', async () => {
  const [cold] = await openLimited(1);
  const from = proxy.statements.length;
  await ask(cold);
  expect(functionsIn(statementsSince(from))).toEqual(['look_up_keys', 'settle_receipts']);
});

test(`a cold key shares its statement with others: ${COLD_KEYS} at the same time cost a few`, async () => {
  const keys = await openLimited(COLD_KEYS);
  const from = proxy.statements.length;
  await Promise.all(keys.map((cold) => ask(cold)));
  const sent = functionsIn(statementsSince(from));
  const lookUps = sent.filter((name) => name === 'look_up_keys').length;
  printFigure(`${COLD_KEYS} cold keys at the same time`, lookUps, 'look-ups');
  expect(lookUps).toBeLessThanOrEqual(COLD_KEYS / 4);
  expect(sent.filter((name) => name === 'draw_leases' || name === 'draw_permits')).toEqual([]);
});

test('a cold key that its characters show to be none costs no statement, and the refusal says how they do', async () => {
  const from = proxy.statements.length;
  const intact = makeKeySecret('00').key;
  const foreign = composeKey(`7f${'A'.repeat(12)}`, 'b'.repeat(33));
  const wrong = { [intact.slice(0, -3)]: /form/, [otherDigit(intact)]: /check characters/, [foreign]: /another/ };
  for (const [sent, says] of Object.entries(wrong)) {
    const answer = await program.chat(sent, { model: 'small-chat', messages: [{ role: 'user', content: 'hi' }] });
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    expect({ status: answer.status, code: error.code }).toEqual({ status: 401, code: 'INVALID_API_KEY' });
    expect(error.message).toMatch(says);
    expect(error.message).not.toContain(sent.slice(8, 16));
  }
  expect(functionsIn(statementsSince(from))).toEqual([]);
});

test('a cold key that nobody has costs one statement, and nothing of it is left', async () => {
  const from = proxy.statements.length;
  const unknown = makeKeySecret('00').key;
  for (const _ of [1, 2, 3]) {
    const answer = await program.chat(unknown, { model: 'small-chat', messages: [{ role: 'user', content: 'hi' }] });
    expect(answer.status).toBe(401);
    await answer.text();
  }
  expect(functionsIn(statementsSince(from))).toEqual(['look_up_keys']);
});
