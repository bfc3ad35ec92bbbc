import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startMockUpstream } from '../support/aimock.ts';
import { outputPricedConfig } from '../support/output-priced.ts';
import { type Program, startProgram } from '../support/program.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// How attempts at routes ended over the last day: the sum over all workers, kept over restarts.

const WORKERS = 2;
const PATIENCE = { timeout: 60_000, interval: 100 };

let program: Program;
let tenant: Tenant;

beforeAll(async () => {
  const failing = await startScriptedUpstream((response) => response.writeHead(500).end('{}'));
  const upstream = await startMockUpstream({});
  program = await startProgram({
    beside: [failing, upstream],
    args: ['--workers', String(WORKERS)],
    // A failing route is tried by every request.
    config: outputPricedConfig(upstream, 'routing: { results_min: 1000 }', failing.origin),
  });
  tenant = await program.createTenant({ credit: '100.00' });
});
afterAll(() => program.dispose());

async function send(count: number): Promise<void> {
  const messages = [{ role: 'user', content: 'hi' }];
  const answers = Array.from({ length: count }, (_, n) =>
    program.chat(tenant.key, { model: 'output-priced', max_tokens: 100, stream: n % 2 === 0, messages }),
  );
  for (const answer of await Promise.all(answers)) await answer.text();
}

const dayOf = async (provider: string) =>
  (await program.admin.listProviders()).data.find(({ name }) => name === provider)?.day;

test('attempts of all workers add up by provider and route within seconds, and outlive a restart', async () => {
  const database = await program.openDatabase();
  let sent = 0;
  await vi.waitUntil(
    async () => {
      sent += 20;
      await send(20);
      const [row] = await database.query<{ epochs: bigint }>('select count(distinct epoch_id) as epochs from receipts');
      return row?.epochs === BigInt(WORKERS);
    },
    { ...PATIENCE, interval: 0 },
  );
  const first = { attempts: sent, answered: 0, failed: sent, faults: [{ kind: 'failed', attempts: sent }] };
  const second = { attempts: sent, answered: sent, failed: 0, faults: [] };
  await expect.poll(() => dayOf('first'), PATIENCE).toMatchObject(first);
  await expect.poll(() => dayOf('mock'), PATIENCE).toMatchObject(second);
  expect(await dayOf('mock')).toMatchObject({
    first_event_ms: { p50: expect.any(Number), p99: expect.any(Number) },
    whole_ms: { p50: expect.any(Number), p99: expect.any(Number) },
    last_answer_at: expect.any(String),
    last_fault: null,
  });

  const { last_fault: last } = (await dayOf('first')) ?? {};
  expect(last).toMatchObject({ kind: 'failed', status: 500 });
  const receipt = await program.admin.showRequest(tenant.workspaceId, last?.request_id ?? '');
  expect(receipt).toMatchObject({ kind: 'receipt', receipt: { attempts: [{ provider: 'first', status: 500 }, {}] } });

  await program.signal('SIGTERM');
  program = await program.restart();
  expect(await dayOf('first')).toMatchObject(first);
  await send(2);
  await expect.poll(() => dayOf('mock'), PATIENCE).toMatchObject({ attempts: sent + 2 });
});

test('what was counted before a stop is stored by the stop', async () => {
  const before = (await dayOf('mock'))?.attempts ?? 0;
  await send(4);
  await program.signal('SIGTERM');
  program = await program.restart();
  expect((await dayOf('mock'))?.attempts).toBe(before + 4);
});
