import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { outputPricedConfig } from '../support/output-priced.ts';
import type { PostgresProxy } from '../support/postgres-proxy.ts';
import { type Program, startProgram } from '../support/program.ts';
import { startProxiedPostgres } from '../support/proxied-postgres.ts';

// One of two workers is killed while the database is away. The other one goes on, the first is back once the database
// is, and a stop in the next outage ends all of them.

/** More starts that come to nothing than a program forgives that fails by itself. */
const FAILED_STARTS = 6;
/** Well above what a stop takes, and below what a program takes that is ended by its own last resort. */
const STOP_MS = 20_000;

let proxy: PostgresProxy;
let upstream: MockUpstream;
let program: Program;
let livingWorkers: () => Promise<readonly number[]>;

beforeAll(async () => {
  upstream = await startMockUpstream({ usage: () => ({ prompt_tokens: 0, completion_tokens: 300 }) });
  const postgres = await startProxiedPostgres();
  ({ proxy } = postgres);
  program = await startProgram({
    beside: [upstream, postgres],
    args: ['--bootstrap', '--workers', '2'],
    env: { DATABASE_URL: postgres.url },
    config: outputPricedConfig(upstream, 'timeouts: { epoch: 60s, drain: 1s, lame_duck: 0s }'),
  });
  livingWorkers = async () => {
    const rows = await postgres.database.query<{ name: string }>(
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

const deaths = (): number => program.stderr().split('"a worker died; a replacement starts"').length - 1;

test('a worker that is killed in an outage takes no other along, and is back after it', async () => {
  const [killed, survivor] = await livingWorkers();
  proxy.cut();
  process.kill(killed ?? 0, 'SIGKILL');
  await vi.waitUntil(() => deaths() > FAILED_STARTS, { timeout: 60_000, interval: 50 });
  expect(await isLive()).toBe(true);
  proxy.mend();
  await vi.waitUntil(
    async () => {
      const workers = await livingWorkers();
      return workers.length === 2 && workers.includes(survivor ?? 0) && !workers.includes(killed ?? 0);
    },
    { timeout: 60_000, interval: 50 },
  );
  const messages = [{ role: 'user', content: 'hi' }];
  const answer = await program.chat(program.key, { model: 'output-priced', max_tokens: 1_000, messages });
  expect(answer.status).toBe(200);
  await answer.text();
});

test('SIGTERM ends the program in an outage, what a dead worker has left included', async () => {
  const [killed] = await livingWorkers();
  const before = deaths();
  proxy.cut();
  process.kill(killed ?? 0, 'SIGKILL');
  await vi.waitUntil(() => deaths() > before + 1, { timeout: 60_000, interval: 50 });
  const sinceMs = performance.now();
  expect(await program.signal('SIGTERM')).toBe(0);
  expect(performance.now() - sinceMs).toBeLessThan(STOP_MS);
});
