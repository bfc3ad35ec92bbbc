import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ProxiedPostgres, startProxiedPostgres } from '../support/proxied-postgres.ts';
import { openShop, PRICE, type Shop } from './shop.ts';

// A key reads how it stands, and nothing about anybody else.

let postgres: ProxiedPostgres;
let shop: Shop;

beforeAll(async () => {
  postgres = await startProxiedPostgres();
  shop = await openShop({ args: ['--bootstrap'], env: { DATABASE_URL: postgres.url }, beside: [postgres] });
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
  expect((await shop.get('key', `${key.slice(0, -1)}x`)).status).toBe(401);
  expect((await shop.post('key', key, {})).status).toBe(405);
});

test('a key that looks itself up while the database is away is told to try again', async () => {
  const { key } = await shop.program.createTenant();
  await keyOf(key);
  postgres.proxy.cut();
  const during = await shop.get('key', key).finally(() => postgres.proxy.mend());

  expect(during.status).toBe(503);
  expect(Number(during.headers.get('retry-after-ms'))).toBeGreaterThan(0);
  await expect.poll(async () => (await shop.get('key', key)).status).toBe(200);
});
