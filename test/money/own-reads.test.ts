import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ProxiedPostgres, startProxiedPostgres } from '../support/proxied-postgres.ts';
import type { Tenant } from '../support/tenant.ts';
import { openShop, PRICE, type Shop } from './shop.ts';

// A key reads how it stands and the receipts of its requests, and nothing about anybody else.

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
const CHARGE = 10n * PRICE.input + 10n * PRICE.output;

async function keyOf(key: string): Promise<Record<string, unknown>> {
  const response = await shop.get('key', key);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

test('a key reads its limit, its budget, its rate limits and its models, and what a request has used of them', async () => {
  const { key, keyId, projectId } = await shop.program.createTenant({
    project: {
      budget_usd: '5',
      budget_period: 'week',
      requests_per_minute: 100,
      tokens_per_minute: 50_000,
      concurrency: 7,
    },
    key: { name: 'mine', spend_limit_usd: '2', models: ['chat', 'embed'] },
  });
  await (await shop.post('chat/completions', key, CHAT)).text();

  const { masked_key: masked, resets_at: resetsAt, ...told } = await keyOf(key);

  expect(masked).toMatch(/^fg_live_.+…/);
  expect(masked).toContain(key.slice(-4));
  expect(Date.parse(String(resetsAt))).toBeGreaterThan(Date.now());
  expect(told).toMatchObject({
    object: 'key',
    id: keyId,
    name: 'mine',
    spend_limit_usd: '2.00',
    spend_limit_nano_usd: '2000000000',
    used_nano_usd: String(CHARGE),
    expires_at: null,
    models: ['chat', 'embed'],
    project: {
      id: projectId,
      name: 'project',
      budget_usd: '5.00',
      budget_period: 'week',
      used_nano_usd: String(CHARGE),
      requests_per_minute: 100,
      tokens_per_minute: 50_000,
      concurrency: 7,
    },
  });
  const amount = (name: string): bigint => BigInt(String(told[`${name}_nano_usd`]));
  expect(amount('left')).toBe(amount('spend_limit') - amount('used') - amount('held'));
});

test('a raise of a key’s limit reaches a running process, and ends by itself: the key is refused again', async () => {
  const { key, keyId } = await shop.program.createTenant({ key: { spend_limit_usd: '0' } });
  const status = async (): Promise<number> => {
    const response = await shop.post('chat/completions', key, CHAT);
    await response.text();
    return response.status;
  };
  expect(await status()).toBe(402);
  const until = new Date(Date.now() + 4_000).toISOString();
  await shop.program.admin.updateKey(keyId, { raised_limit_usd: '1', raised_until: until });
  await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 3_500, interval: 50 });
  expect(await keyOf(key)).toMatchObject({ spend_limit_usd: '0.00', raised_limit_usd: '1.00', raised_until: until });
  await vi.waitFor(async () => expect(await status()).toBe(402), { timeout: 20_000, interval: 100 });
  expect(Date.now()).toBeGreaterThan(Date.parse(until) - 1_000);
  expect(await keyOf(key)).toMatchObject({ raised_limit_usd: null, raised_until: null, left_usd: '0.00' });
});

test('a key without limits reads null for them, and nothing about the credit of its workspace', async () => {
  const { key, workspaceId } = await shop.program.createTenant({ credit: '76.54321' });

  const told = await keyOf(key);

  expect(told).toMatchObject({
    spend_limit_usd: null,
    left_usd: null,
    used_usd: '0.00',
    models: ['chat', 'free', 'embed'],
    project: { budget_usd: null, left_nano_usd: null, requests_per_minute: null, concurrency: null },
  });
  expect(JSON.stringify(told)).not.toMatch(`${workspaceId}|76\\.54|balance|credit`);
});

test('a key whose project has no request left can still look itself up, which costs it nothing', async () => {
  const { key } = await shop.program.createTenant({ project: { requests_per_minute: 1 } });
  await (await shop.post('chat/completions', key, CHAT)).text();
  expect((await shop.post('chat/completions', key, CHAT)).status).toBe(429);

  for (let count = 0; count < 5; count++) expect(await keyOf(key)).toMatchObject({ used_nano_usd: String(CHARGE) });
});

test('a key that looks itself up without end is told when it may again', async () => {
  const { key } = await shop.program.createTenant();
  let refused: Response | undefined;

  for (let rounds = 0; rounds < 20 && refused === undefined; rounds++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.get('key', key)));
    refused = answers.find(({ status }) => status === 429);
  }

  expect(await refused?.json()).toMatchObject({ error: { code: 'RATE_LIMITED' } });
  expect(Number(refused?.headers.get('retry-after-ms'))).toBeGreaterThan(0);
});

test('without its secret nothing about a key is told, and it can only be read', async () => {
  const { key } = await shop.program.createTenant();

  expect((await shop.get('key', null)).status).toBe(401);
  expect((await shop.get('key', `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`)).status).toBe(401);
  expect((await shop.post('key', key, {})).status).toBe(405);
});

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

test('while the database is away, a key that reads itself or a receipt is told to try again, and nothing disappears', async () => {
  const paths = ['key', `receipts/${await pay(tenant.key)}`];
  await keyOf(tenant.key);
  postgres.proxy.cut();
  const during = await Promise.all(paths.map((path) => shop.get(path, tenant.key))).finally(() =>
    postgres.proxy.mend(),
  );

  for (const answer of during) {
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after-ms'))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
  }
  for (const path of paths) await expect.poll(async () => (await shop.get(path, tenant.key)).status).toBe(200);
});
