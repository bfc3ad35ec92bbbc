import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// What one workspace pays when its prices differ from the list's: quoted, held, charged and shown on its receipts.

let upstream: ScriptedUpstream;
let program: Program;
let tenant: Tenant;
let other: Tenant;
/** Answers that wait to be sent; null: they are sent immediately. */
let waiting: ServerResponse[] | null = null;

const ANSWER = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
});

function answer(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER);
}

beforeAll(async () => {
  upstream = await startScriptedUpstream((response) =>
    waiting === null ? answer(response) : void waiting.push(response),
  );
  program = await startProgram({
    config: `
providers:
  mock: { kind: openai, base_url: "${upstream.origin}/v1" }
models:
  - id: gpt
    routes: [{ provider: mock, model: gpt }]
    price: { input: "1", output: "3.000000001" }
    context_window: 128000
    max_output: 1000
`,
    beside: [upstream],
  });
  [tenant, other] = [await program.createTenant(), await program.createTenant()];
});
afterAll(() => program.dispose());

const CHAT = { model: 'gpt', max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] };

async function pay({ key }: Tenant): Promise<string> {
  const response = await program.chat(key, CHAT);
  await response.text();
  expect(response.status).toBe(200);
  return response.headers.get('x-request-id') ?? '';
}

async function quote({ key }: Tenant): Promise<{ cost_max_nano_usd: string; price_version: number }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${program.url}/v1/quote`, { method: 'POST', headers, body: JSON.stringify(CHAT) });
  return (await response.json()) as Awaited<ReturnType<typeof quote>>;
}

test('a discount is quoted, held and charged from the next request on, to this workspace alone, as receipts prove', async () => {
  const list = await quote(tenant);
  const before = await pay(tenant);
  const set = await program.cli('workspace', 'price', tenant.workspaceId, '--model', 'gpt', '--discount', '10%');
  expect(set).toMatchObject({ code: 0, stdout: expect.stringContaining('list price -10 %') });

  const reduced = await quote(tenant);
  expect(BigInt(reduced.cost_max_nano_usd) < BigInt(list.cost_max_nano_usd)).toBe(true);
  expect(reduced.price_version).not.toBe(list.price_version);
  const id = await pay(tenant);
  // 1,000 × 0.9 and 100 × 2.700000001 (rounded up from 2.7000000009) USD per million.
  const receipt = await program.admin.showReceipt(id);
  expect(receipt).toMatchObject({
    charge_nano_usd: '1170001',
    price_version: reduced.price_version,
    price_adjustment: { change_percent: '-10', list_price_version: list.price_version },
    cost: { lines: [{ rate_usd: '0.90' }, { rate_usd: '2.700000001' }], cost_nano_usd: '1170001' },
  });
  const own = await fetch(`${program.url}/v1/receipts/${id}`, { headers: { authorization: `Bearer ${tenant.key}` } });
  expect(await own.json()).toMatchObject({ price_adjustment: receipt.price_adjustment, cost: receipt.cost });
  expect((await program.cli('receipt', id)).stdout).toMatch(/price version +2 \(list price version 1, -10 %\)/);
  expect(await program.admin.showReceipt(before)).toMatchObject({ charge_nano_usd: '1300001', price_adjustment: null });
  expect(await program.admin.showReceipt(await pay(other))).toMatchObject({ charge_nano_usd: '1300001' });
  expect(await quote(other)).toEqual(list);
  await expect(
    program.admin.correctReceipt(before, { price_version: reduced.price_version, reason: 'agreed' }),
  ).resolves.toMatchObject({ receipt: { net_charge_nano_usd: '1170001' } });
  const models = await program.admin.listModels(tenant.workspaceId);
  expect(models.data).toMatchObject([
    { id: 'gpt', on_sale: true, price: { version: 2, adjustment: { change_percent: '-10' } }, history: [] },
  ]);
  expect(models.data[0]?.price.tiers[0]?.rates).toContainEqual(
    expect.objectContaining({ class: 'output', rate_usd: '2.700000001' }),
  );
  expect(await program.admin.listModels(other.workspaceId)).toMatchObject({ data: [{ price: { adjustment: null } }] });
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});

test('a request that runs while its price changes is charged by the price that it was admitted at', async () => {
  waiting = [];
  const running = pay(other);
  await expect.poll(() => waiting?.length).toBe(1);
  await program.admin.adjustPrices(other.workspaceId, { change_percent: '50' });
  const dearer = await quote(other);
  waiting.forEach(answer);
  waiting = null;
  expect(await program.admin.showReceipt(await running)).toMatchObject({
    charge_nano_usd: '1300001',
    price_version: 1,
  });
  expect(await program.admin.showReceipt(await pay(other))).toMatchObject({
    charge_nano_usd: '1950001',
    price_version: dearer.price_version,
    price_adjustment: { change_percent: '50' },
  });
  expect((await program.cli('workspace', 'price', other.workspaceId, '--clear')).code).toBe(0);
  expect(await program.admin.showReceipt(await pay(other))).toMatchObject({ charge_nano_usd: '1300001' });
  const shown = await program.admin.showModel(other.workspaceId, 'gpt');
  const [now, dear, first] = shown.history;
  expect(shown.history.map(({ adjustment }) => adjustment?.change_percent ?? null)).toEqual([null, '50', null]);
  expect([now?.to, now?.from, dear?.from]).toEqual([null, dear?.to, first?.to]);
  const history = await program.cli('workspace', 'price', other.workspaceId);
  expect(history.stdout).toMatch(/^\(all\) +\+50 % +\S+ +\S+$/m);
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});
