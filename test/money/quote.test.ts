import fc from 'fast-check';
import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formatUsd } from '../../src/domain/money.ts';
import type { Tenant } from '../support/tenant.ts';
import { MAX_OUTPUT, openShop, PRICE, receiptOf, type Shop } from './shop.ts';

// What a quote says is what the request then does, and asking for one changes nothing. A caller that says what its request may
// cost at most is never charged more, and learns what would fit.

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

beforeEach(() => {
  shop.usage = { prompt_tokens: 10, completion_tokens: 10 };
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
const anyMaxCost = fc.option(fc.constantFrom('0', '0.0001', '0.001', '0.005', '0.02', '1'), { freq: 2 });

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
    const property = fc.asyncProperty(fc.oneof(chat, embeddings), anyMaxCost, async (body, cost) => {
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

const HEADER = 'x-faregate-max-cost';
const CAP_FIELDS = ['max_tokens', 'max_completion_tokens'];
const MESSAGES: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'hi' }];

interface Refused {
  readonly error: {
    readonly code: string;
    readonly type: string;
    readonly message: string;
    readonly param: string | null;
    readonly details: {
      readonly needed_nano_usd: string;
      readonly needed_usd: string;
      readonly max_tokens_that_fit: number | null;
      readonly fix: string;
    };
  };
}

function ask(body: object, maxCost: bigint | string | null, path = 'chat/completions'): Promise<Response> {
  const headers = maxCost === null ? {} : { [HEADER]: typeof maxCost === 'string' ? maxCost : formatUsd(maxCost) };
  const rest = path === 'embeddings' ? { model: 'embed' } : { model: 'chat', messages: MESSAGES };
  return shop.post(path, ample.key, { ...rest, ...body }, headers);
}

async function expectTooDear(response: Response): Promise<Refused['error']['details']> {
  expect(response.status).toBe(402);
  expect(response.headers.get('x-should-retry')).toBe('false');
  const { error } = (await response.json()) as Refused;
  expect(error).toMatchObject({ code: 'MAX_COST_EXCEEDED', type: 'insufficient_quota', param: null });
  expect(error.message).toContain(error.details.fix);
  return error.details;
}

function capSent(): unknown {
  const { body } = shop.upstream.requests().at(-1) ?? { body: {} };
  return CAP_FIELDS.map((field) => (body as Record<string, unknown>)[field]).find((cap) => cap !== undefined);
}

for (const n of [1, 3]) {
  test(`a chat that names no maximum of tokens gets the largest cap that its cost covers for ${n} answers`, async () => {
    const response = await ask({ n }, 5_000_000n);

    expect(response.status).toBe(200);
    const { hold, shortenedTo } = await receiptOf(shop, ample.key, response);
    expect(hold).toBeLessThanOrEqual(5_000_000n);
    expect(hold + BigInt(n) * PRICE.output).toBeGreaterThan(5_000_000n);
    expect(shortenedTo).toBeLessThan(MAX_OUTPUT);
    expect(response.headers.get('x-faregate-shortened')).toBe(String(shortenedTo));
    expect(capSent()).toBe(shortenedTo);
  });
}

test('a chat that names no maximum of tokens is left as it is where its maximum cost covers all it can use', async () => {
  const free = await ask({}, null);
  const capped = await ask({}, '99');

  expect(capped.status).toBe(200);
  expect(await receiptOf(shop, ample.key, capped)).toEqual(await receiptOf(shop, ample.key, free));
  expect(capped.headers.get('x-faregate-shortened')).toBe(free.headers.get('x-faregate-shortened'));
});

test('a chat that names no maximum of tokens is refused where not even one token fits, with the least cost that does', async () => {
  const served = shop.upstream.served();

  const details = await expectTooDear(await ask({}, 1n));

  expect(details.max_tokens_that_fit).toBeNull();
  const needed = BigInt(details.needed_nano_usd);
  await expectTooDear(await ask({}, needed - 1n));
  expect(shop.upstream.served()).toBe(served);
  const response = await ask({}, details.needed_usd);
  expect(response.status).toBe(200);
  expect(await receiptOf(shop, ample.key, response)).toMatchObject({ hold: needed, shortenedTo: 1 });
});

test('a chat that names no maximum of tokens is free at a model without a price, so that a maximum of 0 covers it', async () => {
  const response = await ask({ model: 'free' }, '0');

  expect(response.status).toBe(200);
  expect(await receiptOf(shop, ample.key, response)).toMatchObject({ hold: 0n, charge: 0n });
});

test('a chat that names its maximum of tokens is refused where that may cost more, and told two exact ways out', async () => {
  const details = await expectTooDear(await ask({ max_tokens: 1_000 }, 1_500_000n));

  const fits = details.max_tokens_that_fit ?? 0;
  expect(fits).toBeGreaterThan(0);
  await expectTooDear(await ask({ max_tokens: fits + 1 }, 1_500_000n));
  expect((await ask({ max_tokens: fits }, 1_500_000n)).status).toBe(200);
  await expectTooDear(await ask({ max_tokens: 1_000 }, BigInt(details.needed_nano_usd) - 1n));
  const response = await ask({ max_tokens: 1_000 }, details.needed_usd);
  expect(response.status).toBe(200);
  expect(response.headers.get('x-faregate-shortened')).toBeNull();
  expect(capSent()).toBe(1_000);
});

test('embeddings are refused where they may cost more', async () => {
  const details = await expectTooDear(await ask({ input: 'a text' }, '0.000000001', 'embeddings'));

  expect(details.max_tokens_that_fit).toBeNull();
  const response = await ask({ input: 'a text' }, details.needed_usd, 'embeddings');
  expect(response.status).toBe(200);
  expect((await receiptOf(shop, ample.key, response)).hold).toBe(BigInt(details.needed_nano_usd));
});

for (const stream of [false, true]) {
  test(`what a provider reports beyond the bound of a ${stream ? 'stream' : 'call'} is borne by the operator, not by the caller`, async () => {
    shop.usage = { prompt_tokens: 20_000, completion_tokens: 10 };

    const response = await ask({ stream }, 3_000_000n);
    await response.text();

    const { charge, hold, writeOff } = await receiptOf(shop, ample.key, response);
    expect(charge).toBe(hold);
    expect(charge).toBeLessThanOrEqual(3_000_000n);
    expect(charge + writeOff).toBe(20_000n * PRICE.input + 10n * PRICE.output);
  });
}

const wrong = ['', '-1', '-0', 'a lot', '$1', '1 USD', '1e-3', '.5', '1.', '0x1', '0.0000000001', '1, 2', '1000000000'];

for (const value of wrong) {
  for (const path of ['chat/completions', 'embeddings', 'quote']) {
    test(`the maximum cost’s header of ${path} that says "${value}" is refused by its name`, async () => {
      const response = await ask(path === 'embeddings' ? { input: 'a' } : {}, value, path);

      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param: HEADER } });
    });
  }
}

test('the maximum cost’s header is judged after the body, and before the model', async () => {
  const body = await ask({ messages: 'none' }, 'wrong');
  expect(await body.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param: 'messages' } });
  const model = await ask({ model: 'none' }, 'wrong');
  expect(await model.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param: HEADER } });
});

const client = (maxCost: string): OpenAI =>
  new OpenAI({
    apiKey: ample.key,
    baseURL: `${shop.program.url}/v1`,
    defaultHeaders: { [HEADER]: maxCost },
  });

test("OpenAI's SDK with a maximum cost as a default header gets an answer within it", async () => {
  const { data, response } = await client('0.004')
    .chat.completions.create({ model: 'chat', messages: MESSAGES })
    .withResponse();

  expect(data.choices).toHaveLength(1);
  expect((await receiptOf(shop, ample.key, response)).hold).toBeLessThanOrEqual(4_000_000n);
});

test("OpenAI's SDK raises the refusal of a maximum cost without a retry", async () => {
  const error: unknown = await client('0.000001')
    .chat.completions.create({ model: 'chat', messages: MESSAGES })
    .catch((raised: unknown) => raised);

  expect(error).toBeInstanceOf(APIError);
  expect(error).toMatchObject({ status: 402, code: 'MAX_COST_EXCEEDED', type: 'insufficient_quota' });
});
