import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseUrl, type ExternalPostgres, startExternalPostgres } from '../support/external-postgres.ts';
import { printFigure } from '../support/figures.ts';
import { type PostgresProxy, type SentStatement, startPostgresProxy } from '../support/postgres-proxy.ts';
import { type Program, startProgram } from '../support/program.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { chat, createTenant } from '../support/tenant.ts';

// Once a key is known, its requests reach their upstream without a word to the database, and many requests share the
// statement that settles them. Every statement is seen on its way; polls and heartbeats, which come by the clock
// whether there are requests or not, are told apart by their text.

const WARM_UP = 20;
const SEQUENTIAL = 50;
const PARALLEL = 32;
const BURSTS = 10;
/** Long enough that a statement sent ahead of the call to the upstream has been seen before the answer. */
const ANSWER_DELAY_MS = 10;
const BY_THE_CLOCK = [/left join changes/, /update epochs set heartbeat_at = clock_timestamp\(\)/];

const ANSWER = JSON.stringify({
  id: 'c-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  // Little beside a hold, so that what the leases have lasts for the whole test.
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

let postgres: ExternalPostgres;
let proxy: PostgresProxy;
let upstream: ScriptedUpstream;
let program: Program;
let key: string;
/** When the upstream was called, on performance.now()'s scale. */
const calls: number[] = [];

/** What is to be ended in the end, the last first, however far it has come. */
const running = new AsyncDisposableStack();
afterAll(() => running.disposeAsync());

beforeAll(async () => {
  upstream = await startScriptedUpstream((response) => {
    calls.push(performance.now());
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER), ANSWER_DELAY_MS);
  });
  running.defer(() => upstream.stop());
  postgres = await startExternalPostgres();
  running.defer(() => postgres.stop());
  proxy = await startPostgresProxy(postgres.port);
  running.defer(() => proxy.stop());
  program = await startProgram({
    args: ['--bootstrap'],
    env: { DATABASE_URL: databaseUrl(postgres, await postgres.createDatabase(), proxy.port) },
    config: `
providers:
  scripted: { kind: openai, base_url: "${upstream.origin}/v1" }
models:
  - id: small-chat
    routes: [{ provider: scripted, model: gpt }]
    price: { input: "0.25", output: "2.00" }
    context_window: 128000
    max_output: 16384
`,
  });
  running.defer(() => program.dispose());
  key = (await createTenant(program, { credit: '100' })).key;
  for (let count = 0; count < WARM_UP; count++) await ask();
});

async function ask(): Promise<void> {
  const answer = await chat(program, key, {
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

test(`${PARALLEL} requests at a time share their statements`, async () => {
  const from = proxy.statements.length;
  for (let burst = 0; burst < BURSTS; burst++) await Promise.all(Array.from({ length: PARALLEL }, ask));
  const perRequest = statementsSince(from).length / (PARALLEL * BURSTS);
  printFigure(`at concurrency ${PARALLEL}`, perRequest, 'statements a request');
  expect(perRequest).toBeLessThan(0.5);
});
