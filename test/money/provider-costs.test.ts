import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../src/program/database/pool.ts';
import { startMockUpstream } from '../support/aimock.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { Tenant } from '../support/tenant.ts';

// What the operator sees of providers' costs, and a workspace's prices, in an instance of two workers.

const PATIENCE = { timeout: 20_000, interval: 50 };
const PARALLEL = 16;

let program: Program;
let database: Database;
let tenant: Tenant;

beforeAll(async () => {
  const upstream = await startMockUpstream({
    text: () => 'Hi.',
    usage: () => ({ prompt_tokens: 1_000, completion_tokens: 100 }),
  });
  program = await startProgram({
    beside: [upstream],
    args: ['--workers', '2'],
    config: `
providers:
  mock: { kind: openai, base_url: "${upstream.baseUrl}" }
models:
  - id: costed
    routes: [{ provider: mock, model: gpt, cost: { input: "0.4321987", output: "1" } }]
    price: { input: "1", output: "3" }
    context_window: 128000
    max_output: 1000
  - id: unknown
    routes: [{ provider: mock, model: gpt }]
    price: { input: "1", output: "3" }
    context_window: 128000
    max_output: 1000
`,
  });
  database = await program.openDatabase();
  tenant = await program.createTenant();
});
afterAll(() => program.dispose());

/** A request of its own connection, so that any worker may get it. */
async function pay(model: string): Promise<void> {
  const response = await fetch(`${program.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ model, max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }),
  });
  await response.text();
  expect(response.status).toBe(200);
}

test('the operator sees what requests cost their providers and what is left, and members and keys see neither', async () => {
  await pay('costed');
  await pay('costed');
  await pay('unknown');
  const { workspaceId } = tenant;
  const usage = await program.admin.showUsage(workspaceId, { group_by: 'model' });
  // Of 1,000 and 100 tokens: 432,198.7 + 100,000 nano-USD, rounded up; charged are 1,000,000 + 300,000.
  expect(usage.groups).toMatchObject([
    {
      group: 'costed',
      total: { requests: 2, costed_requests: 2, cost_nano_usd: '1064398', margin_nano_usd: '1535602' },
    },
    { group: 'unknown', total: { requests: 1, costed_requests: 0, cost_nano_usd: '0', margin_nano_usd: '1300000' } },
  ]);
  const all = await program.admin.showUsage(null, { group_by: 'workspace' });
  expect(all.groups).toContainEqual(expect.objectContaining({ group: workspaceId, total: usage.total }));
  const shown = await program.cli('usage', workspaceId, '--by', 'model', '--margin');
  expect(shown.stdout).toMatch(/^costed +2 +2000 +200 +0\.0026 +0\.00 +0\.001064398 +0\.001535602 +2$/m);
  expect(shown.stdout).toMatch(/^unknown +1 .* unknown +unknown +0$/m);
  expect(shown.stdout).toMatch(/^total +3 .* >= 0\.001064398 +<= 0\.002835602 +2$/m);
  const listed = await program.cli('workspace', 'list', '--margin', '--since', '1d');
  expect(listed.stdout).toMatch(/ 0\.0039 +>= 0\.001064398 +<= 0\.002835602 +2 /);
  expect((await program.cli('usage', workspaceId)).stdout).not.toContain('MARGIN');
  expect((await program.cli('catalogue', 'list')).stdout).toMatch(
    /^costed +mock\/gpt +- +0\.4321987 +0\.4321987 +1\.00 /m,
  );

  const ids = await database.query<{ id: string }>('select request_id as id from receipts');
  for (const path of ['/v1/models', ...ids.map(({ id }) => `/v1/receipts/${id}`)]) {
    const answer = await fetch(`${program.url}${path}`, { headers: { authorization: `Bearer ${tenant.key}` } });
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toMatch(/4321987|532199|margin/);
  }
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});

/** What each worker charged for the requests after `since`, in the order in which it settled them. */
async function chargesByWorker(since: Date): Promise<ReadonlyMap<bigint, readonly bigint[]>> {
  const rows = await database.query<{ epoch: bigint; charge: bigint }>(
    `select epoch_id as epoch, charge_nano_usd as charge from receipts where admitted_at > $1 order by request_id`,
    [since],
  );
  const byEpoch = Map.groupBy(rows, ({ epoch }) => epoch);
  return new Map([...byEpoch].map(([epoch, receipts]) => [epoch, receipts.map(({ charge }) => charge)]));
}

test('a price of one workspace reaches the workers that did not set it, for good', async () => {
  const payUntil = (since: Date, charge: bigint): Promise<void> =>
    vi.waitFor(async () => {
      await Promise.all(Array.from({ length: PARALLEL }, () => pay('costed')));
      const last = [...(await chargesByWorker(since)).values()].map((charges) => charges.at(-1));
      expect(last).toEqual([charge, charge]);
    }, PATIENCE);
  await payUntil(new Date(0), 1_300_000n);
  const changed = new Date();
  await program.admin.adjustPrices(tenant.workspaceId, { model: 'costed', change_percent: '-10' });
  await payUntil(changed, 1_170_000n);
  const settled = new Date();
  await payUntil(settled, 1_170_000n);
  const charges = [...(await chargesByWorker(settled)).values()].flat();
  expect(new Set(charges)).toEqual(new Set([1_170_000n]));
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
}, 60_000);
