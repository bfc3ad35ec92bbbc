import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ProxiedPostgres, startProxiedPostgres } from '../support/proxied-postgres.ts';
import type { Tenant } from '../support/tenant.ts';
import { openShop, PRICE, type Shop } from './shop.ts';

// Who has made a request reads its receipt, and nobody else does.

let postgres: ProxiedPostgres;
let shop: Shop;
let tenant: Tenant;

beforeAll(async () => {
  postgres = await startProxiedPostgres();
  shop = await openShop({ args: ['--bootstrap'], env: { DATABASE_URL: postgres.url }, beside: [postgres] });
  tenant = await shop.program.createTenant();
});

afterAll(() => shop.program.dispose());

const CHAT = { model: 'chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 100 };

/** Makes a request to its end; answers with its id. */
async function pay(key: string, body: object = {}): Promise<string> {
  const response = await shop.post('chat/completions', key, { ...CHAT, ...body }, { 'x-request-id': 'mine' });
  await response.text();
  expect(response.status).toBe(200);
  return response.headers.get('x-request-id') ?? '';
}

async function expectNone(path: string, key: string): Promise<void> {
  const response = await shop.get(path, key);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
}

for (const stream of [false, true]) {
  test(`the receipt of a ${stream ? 'stream' : 'call'} is there as soon as its answer is, and says what operators read`, async () => {
    const id = await pay(tenant.key, { stream });

    const response = await shop.get(`receipts/${id}`, tenant.key);

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const receipt = await response.json();
    const shown = await shop.program.admin.showReceipt(id);
    expect(shown.cost?.cost_nano_usd).toBe(shown.charge_nano_usd);
    expect(receipt).toEqual({ object: 'receipt', ...shown });
    expect(receipt).toMatchObject({
      request_id: id,
      key_id: tenant.keyId,
      model: 'chat',
      dialect: 'chat_completions',
      price_version: 1,
      outcome: 'completed',
      fees_nano_usd: '0',
      charge_nano_usd: String(10n * PRICE.input + 10n * PRICE.output),
      charge_usd: '0.0000225',
      usage: { certainty: 'exact', tokens: { input: 10, output: 10 } },
      cost: {
        lines: [
          { class: 'input', tokens: 10 },
          { class: 'output', tokens: 10 },
        ],
        exact_usd: '0.0000225',
      },
      corrections: [],
      net_charge_usd: '0.0000225',
      shortened_to_tokens: null,
      streamed: stream,
      attempts: [{ provider: 'mock', upstream_model: 'upstream-chat', status: 200, fault: null }],
      client_request_id: 'mine',
    });
  });
}

test("another key of the same project, and another workspace's, find no such receipt", async () => {
  const id = await pay(tenant.key);
  const sibling = await shop.program.admin.createKey(tenant.projectId, {});
  const stranger = await shop.program.createTenant();

  await expectNone(`receipts/${id}`, sibling.key);
  await expectNone(`receipts/${id}`, stranger.key);
});

test('an id that no receipt has, or that is none, is not found', async () => {
  const id = await pay(tenant.key);

  await expectNone(`receipts/${id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`, tenant.key);
  await expectNone(`receipts/${id.toUpperCase()}`, tenant.key);
  await expectNone(`receipts/${id}/`, tenant.key);
  await expectNone('receipts/1', tenant.key);
  await expectNone(`receipts/${encodeURIComponent("' or 1=1 --")}`, tenant.key);
  await expectNone('receipts/%00', tenant.key);
  await expectNone('receipts/', tenant.key);
});

test('a refused request leaves no receipt', async () => {
  const poor = await shop.program.createTenant({ credit: null });
  const refused = await shop.post('chat/completions', poor.key, CHAT);
  expect(refused.status).toBe(402);

  await expectNone(`receipts/${refused.headers.get('x-request-id')}`, poor.key);
});

test('without its key a receipt is not shown, and it can only be read', async () => {
  const id = await pay(tenant.key);

  expect((await shop.get(`receipts/${id}`, null)).status).toBe(401);
  const posted = await shop.post(`receipts/${id}`, tenant.key, {});
  expect(posted.status).toBe(405);
  expect(posted.headers.get('allow')).toBe('GET');
});

test('a database that is away makes no receipt disappear', async () => {
  const id = await pay(tenant.key);
  postgres.proxy.cut();
  const during = await shop.get(`receipts/${id}`, tenant.key).finally(() => postgres.proxy.mend());

  expect(during.status).toBe(503);
  expect(Number(during.headers.get('retry-after-ms'))).toBeGreaterThan(0);
  expect(await during.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
  await expect.poll(async () => (await shop.get(`receipts/${id}`, tenant.key)).status).toBe(200);
});
