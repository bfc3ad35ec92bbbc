import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { until } from '../support/eventually.ts';
import { outputPricedConfig } from '../support/output-priced.ts';
import type { PostgresProxy } from '../support/postgres-proxy.ts';
import { type Program, startProgram } from '../support/program.ts';
import { type ProxiedPostgres, startProxiedPostgres } from '../support/proxied-postgres.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';

// Workers are killed while the database is away. The others go on, the killed are back once the database is, what they have
// answered is charged, and a stop in the next outage ends all of them.

/** More starts that come to nothing than a program forgives that fails by itself. */
const FAILED_STARTS = 6;
/** For so many starts on a machine that is busy with other things. */
const PATIENCE_MS = 240_000;
vi.setConfig({ testTimeout: 2 * PATIENCE_MS });
/** Well above what a stop takes, and below what a program takes that is ended by its own last resort. */
const STOP_MS = 20_000;

const ANSWER = JSON.stringify({
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'gpt',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 300, total_tokens: 301 },
});

let proxy: PostgresProxy;
/** Answers of the upstream that wait until they are called; null: none waits. */
let waiting: (() => void)[] | null = null;
let program: Program;
let database: ProxiedPostgres['database'];
let livingWorkers: () => Promise<readonly number[]>;

beforeAll(async () => {
  const upstream = await startScriptedUpstream((response) => {
    const answer = (): void => void response.end(ANSWER);
    if (waiting === null) answer();
    else waiting.push(answer);
  });
  const postgres = await startProxiedPostgres();
  ({ proxy, database } = postgres);
  program = await startProgram({
    fromSource: true,
    beside: [upstream, postgres],
    args: ['--bootstrap', '--workers', '2'],
    env: { DATABASE_URL: postgres.url },
    config: outputPricedConfig(
      { baseUrl: `${upstream.origin}/v1` },
      'timeouts: { epoch: 60s, drain: 1s, lame_duck: 0s }',
    ),
  });
  livingWorkers = async () => {
    const rows = await database.query<{ name: string }>(
      'select process_name as name from epochs where fenced_at is null order by id',
    );
    return rows.map((row) => Number(/\d+$/.exec(row.name)?.[0]));
  };
});

afterAll(() => program.dispose());

async function isLive(): Promise<boolean> {
  const response = await fetch(`${program.url}/livez`, { headers: { connection: 'close' } });
  return response.ok;
}

async function chat(): Promise<{ readonly status: number; readonly requestId: string | null }> {
  const messages = [{ role: 'user', content: 'hi' }];
  const response = await program.chat(program.key, { model: 'output-priced', max_tokens: 1_000, messages });
  await response.text();
  return { status: response.status, requestId: response.headers.get('x-request-id') };
}

const deaths = (): number => program.stderr().split('"a worker died; a replacement starts"').length - 1;

test('a worker that is killed in an outage takes no other along, and is back after it', async () => {
  const [killed, survivor] = await livingWorkers();
  proxy.cut();
  process.kill(killed ?? 0, 'SIGKILL');
  await vi.waitUntil(() => deaths() > FAILED_STARTS, { timeout: PATIENCE_MS, interval: 50 });
  expect(await isLive()).toBe(true);
  proxy.mend();
  await vi.waitUntil(
    async () => {
      const workers = await livingWorkers();
      return workers.length === 2 && workers.includes(survivor ?? 0) && !workers.includes(killed ?? 0);
    },
    { timeout: PATIENCE_MS, interval: 50 },
  );
  expect((await chat()).status).toBe(200);
});

test("a killed worker's journal is charged once the database is back, without a restart", async () => {
  waiting = [];
  const sent = Array.from({ length: 6 }, chat);
  await until(() => waiting?.length === sent.length);
  proxy.cut();
  for (const answer of waiting) answer();
  waiting = null;
  const answers = await Promise.all(sent);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  for (const worker of await livingWorkers()) process.kill(worker, 'SIGKILL');
  proxy.mend();
  const requestIds = answers.map(({ requestId }) => requestId);
  await vi.waitUntil(
    async () => {
      const rows = await database.query('select from receipts where request_id = any($1)', [requestIds]);
      return rows.length === sent.length && (await livingWorkers()).length === 2;
    },
    { timeout: PATIENCE_MS, interval: 50 },
  );
});

test('SIGTERM ends the program in an outage, what a dead worker has left included', async () => {
  const [killed] = await livingWorkers();
  const before = deaths();
  proxy.cut();
  process.kill(killed ?? 0, 'SIGKILL');
  await vi.waitUntil(() => deaths() > before + 1, { timeout: PATIENCE_MS, interval: 50 });
  const sinceMs = performance.now();
  expect(await program.signal('SIGTERM')).toBe(0);
  expect(performance.now() - sinceMs).toBeLessThan(STOP_MS);
});
