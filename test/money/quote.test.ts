import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../support/tenant.ts';
import { MAX_OUTPUT, openShop, PRICE, receiptOf, type Shop } from './shop.ts';

// What a quote says is what the request then does, and asking for one changes nothing.

interface Quoted {
  readonly object: string;
  readonly allowed: boolean;
  readonly hold_nano_usd: string;
  readonly cost_max_nano_usd: string;
  readonly cost_min_nano_usd: string;
  readonly input_tokens_max: number;
  readonly output_tokens_max: number;
  readonly shortened_to_tokens: number | null;
  readonly refusal: { readonly code: string } | null;
}

const CHAT = { model: 'chat', messages: [{ role: 'user', content: 'hi' }] };
const EMBED = { model: 'embed', input: ['a text', 'another'] };

let shop: Shop;
let ample: Tenant;

beforeAll(async () => {
  shop = await openShop();
  ample = await shop.program.createTenant();
});

afterAll(() => shop.program.dispose());

async function quote(key: string, body: object, headers: Record<string, string> = {}): Promise<Quoted> {
  const response = await shop.post('quote', key, body, headers);
  expect(response.status).toBe(200);
  return (await response.json()) as Quoted;
}

test('a quote says by which route, at which price and for how much a chat would run', async () => {
  const quoted = await quote(ample.key, { ...CHAT, max_tokens: 100, n: 2 });

  const hold = BigInt(quoted.input_tokens_max) * PRICE.input + 200n * PRICE.output;
  expect(quoted).toEqual({
    object: 'quote',
    allowed: true,
    model: 'chat',
    route: { provider: 'mock', model: 'upstream-chat' },
    price_version_id: expect.stringMatching(/^\d+$/),
    price_version: 1,
    input_tokens_max: expect.any(Number),
    output_tokens_max: 200,
    cost_min_nano_usd: '0',
    cost_min_usd: '0.00',
    cost_max_nano_usd: String(hold),
    cost_max_usd: expect.stringMatching(/^0\.\d+$/),
    hold_nano_usd: String(hold),
    hold_usd: expect.stringMatching(/^0\.\d+$/),
    fees: [],
    fees_max_nano_usd: '0',
    fees_max_usd: '0.00',
    shortened_to_tokens: null,
    refusal: null,
  });
});

test('embeddings are quoted as such, by their model alone', async () => {
  const quoted = await quote(ample.key, EMBED);

  expect(quoted).toMatchObject({ allowed: true, model: 'embed', output_tokens_max: 0, shortened_to_tokens: null });
  expect(BigInt(quoted.hold_nano_usd)).toBe(BigInt(quoted.input_tokens_max) * PRICE.embedding);
});

const text = fc.string({ minLength: 1, maxLength: 2_000, unit: 'binary' });
const chat = fc.record(
  {
    model: fc.constantFrom('chat', 'chat', 'free'),
    messages: fc.array(fc.record({ role: fc.constantFrom('user', 'system'), content: text }), {
      minLength: 1,
      maxLength: 5,
    }),
    n: fc.integer({ min: 1, max: 4 }),
    max_tokens: fc.integer({ min: 1, max: MAX_OUTPUT }),
    max_completion_tokens: fc.integer({ min: 1, max: MAX_OUTPUT }),
  },
  { requiredKeys: ['model', 'messages'] },
);
const embeddings = fc.record({
  model: fc.constant('embed'),
  input: fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 5 })),
});
const maxCost = fc.option(fc.constantFrom('0', '0.0001', '0.001', '0.005', '0.02', '1'), { freq: 2 });

const tenants = [
  { name: 'ample credit', settings: { credit: '100' } },
  { name: 'some credit', settings: { credit: '0.2' } },
  { name: 'little credit', settings: { credit: '0.01' } },
  { name: 'a budget', settings: { credit: '100', project: { budget_usd: '0.05', budget_period: 'day' as const } } },
  { name: 'no credit', settings: { credit: null } },
];

for (const { name, settings } of tenants) {
  test(`what the request then does with ${name} is what its quote has said, whatever is asked`, async () => {
    const { key } = await shop.program.createTenant(settings);
    const property = fc.asyncProperty(fc.oneof(chat, embeddings), maxCost, async (body, cost) => {
      const headers: Record<string, string> = cost === null ? {} : { 'x-faregate-max-cost': cost };
      const quoted = await quote(key, body, headers);
      const path = body.model === 'embed' ? 'embeddings' : 'chat/completions';
      const response = await shop.post(path, key, body, headers);
      const answer = (await response.json()) as { error?: { code: string; message: string; details: unknown } };
      if (!quoted.allowed) {
        expect(response.status).toBe(402);
        const { code, message, details } = answer.error ?? {};
        expect(quoted.refusal).toEqual({ code, message, details });
        return;
      }
      expect(response.status).toBe(200);
      const { hold, charge, shortenedTo } = await receiptOf(shop, key, response);
      expect(hold).toBe(BigInt(quoted.hold_nano_usd));
      expect(shortenedTo).toBe(quoted.shortened_to_tokens);
      expect(charge).toBeLessThanOrEqual(BigInt(quoted.cost_max_nano_usd));
      expect(charge).toBeGreaterThanOrEqual(BigInt(quoted.cost_min_nano_usd));
    });
    await fc.assert(property, { numRuns: 40 });
  });
}

test('a quote beyond the maximum cost is refused in it as the request would be', async () => {
  const quoted = await quote(ample.key, { ...CHAT, max_tokens: 1_000 }, { 'x-faregate-max-cost': '0.0001' });

  expect(quoted).toMatchObject({
    allowed: false,
    output_tokens_max: 1_000,
    refusal: { code: 'MAX_COST_EXCEEDED', details: { needed_nano_usd: quoted.hold_nano_usd, levels: [] } },
  });
});

test('quotes take no permits, move no money, leave no receipts and reach no provider', async () => {
  const tenant = await shop.program.createTenant({ credit: '1', project: { requests_per_minute: 1 } });
  const before = await shop.program.admin.showWorkspace(tenant.workspaceId);
  const served = shop.upstream.served();

  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => shop.post('quote', tenant.key, index % 2 === 0 ? CHAT : EMBED)),
  );

  for (const response of responses) {
    expect(response.status).toBe(200);
    const id = response.headers.get('x-request-id');
    expect((await shop.get(`receipts/${id}`, tenant.key)).status).toBe(404);
  }
  expect(shop.upstream.served()).toBe(served);
  const { credit_nano_usd, balance_nano_usd } = await shop.program.admin.showWorkspace(tenant.workspaceId);
  expect({ credit_nano_usd, balance_nano_usd }).toEqual({
    credit_nano_usd: before.credit_nano_usd,
    balance_nano_usd: before.balance_nano_usd,
  });
  expect((await shop.post('chat/completions', tenant.key, CHAT)).status).toBe(200);
  expect((await shop.post('chat/completions', tenant.key, CHAT)).status).toBe(429);
});

test('all the money can be spent right after quotes that would have held all of it', async () => {
  const tenant = await shop.program.createTenant({ credit: '0.01' });
  const probe = await quote(tenant.key, { ...CHAT, max_tokens: 1 });
  const left = 10_000_000n - BigInt(probe.input_tokens_max) * PRICE.input;
  const all = { ...CHAT, max_tokens: Number(left / PRICE.output) };

  const quotes = await Promise.all(Array.from({ length: 20 }, () => quote(tenant.key, all)));

  expect(quotes.every(({ allowed }) => allowed)).toBe(true);
  expect((await shop.post('chat/completions', tenant.key, all)).status).toBe(200);
});

const invalid = (param: string | null): object => ({ code: 'INVALID_REQUEST', param });
const cases = [
  { name: 'no JSON', body: '{', status: 400, error: invalid(null) },
  { name: 'no body', body: '', status: 400, error: invalid(null) },
  { name: 'another type', body: CHAT, type: 'text/plain', status: 415, error: { code: 'UNSUPPORTED_MEDIA_TYPE' } },
  { name: 'no model', body: { messages: CHAT.messages }, status: 400, error: invalid('model') },
  { name: 'an unknown model', body: { model: 'none' }, status: 404, error: { code: 'MODEL_NOT_FOUND' } },
  { name: 'a chat without messages', body: { model: 'chat' }, status: 400, error: invalid('messages') },
  { name: 'embeddings without input', body: { model: 'embed' }, status: 400, error: invalid('input') },
  {
    name: 'more tokens than the model has',
    body: { ...CHAT, max_tokens: MAX_OUTPUT + 1 },
    status: 400,
    error: invalid('max_tokens'),
  },
  {
    name: 'a field that changes what is bought',
    body: { ...CHAT, best_of: 5 },
    status: 400,
    error: invalid('best_of'),
  },
];

for (const { name, body, type = 'application/json', status, error } of cases) {
  test(`a quote is refused for what the request would be refused for, other than money: that is ${name}`, async () => {
    const response = await shop.post('quote', ample.key, body, { 'content-type': type });

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error });
  });
}

test('a quote is refused for what the request would be refused for, other than money: no key, before all else', async () => {
  expect((await shop.post('quote', null, '{')).status).toBe(401);
});

test('a quote is refused for what the request would be refused for, but for money: a model the key may not call', async () => {
  const { key } = await shop.program.admin.createKey(ample.projectId, { models: ['embed'] });

  const response = await shop.post('quote', key, CHAT);

  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ error: { code: 'MODEL_NOT_ALLOWED' } });
});

test('a quote is refused for what the request would be refused for, other than money: another method', async () => {
  expect((await shop.get('quote', ample.key)).status).toBe(405);
});
