import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formatUsd } from '../../src/domain/money.ts';
import type { Tenant } from '../support/tenant.ts';
import { MAX_OUTPUT, openShop, PRICE, receiptOf, type Shop } from './shop.ts';

// A caller that says what its request may cost at most is never charged more, and learns what would fit.

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

let shop: Shop;
let tenant: Tenant;

beforeAll(async () => {
  shop = await openShop();
  tenant = await shop.program.createTenant();
});

beforeEach(() => {
  shop.usage = { prompt_tokens: 10, completion_tokens: 10 };
});

afterAll(() => shop.program.dispose());

function ask(body: object, maxCost: bigint | string | null, path = 'chat/completions'): Promise<Response> {
  const headers = maxCost === null ? {} : { [HEADER]: typeof maxCost === 'string' ? maxCost : formatUsd(maxCost) };
  const rest = path === 'embeddings' ? { model: 'embed' } : { model: 'chat', messages: MESSAGES };
  return shop.post(path, tenant.key, { ...rest, ...body }, headers);
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
    const { hold, shortenedTo } = await receiptOf(shop, tenant.key, response);
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
  expect(await receiptOf(shop, tenant.key, capped)).toEqual(await receiptOf(shop, tenant.key, free));
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
  expect(await receiptOf(shop, tenant.key, response)).toMatchObject({ hold: needed, shortenedTo: 1 });
});

test('a chat that names no maximum of tokens is free at a model without a price, so that a maximum of 0 covers it', async () => {
  const response = await ask({ model: 'free' }, '0');

  expect(response.status).toBe(200);
  expect(await receiptOf(shop, tenant.key, response)).toMatchObject({ hold: 0n, charge: 0n });
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
  expect((await receiptOf(shop, tenant.key, response)).hold).toBe(BigInt(details.needed_nano_usd));
});

for (const stream of [false, true]) {
  test(`what a provider reports beyond the bound of a ${stream ? 'stream' : 'call'} is borne by the operator, not by the caller`, async () => {
    shop.usage = { prompt_tokens: 20_000, completion_tokens: 10 };

    const response = await ask({ stream }, 3_000_000n);
    await response.text();

    const { charge, hold, writeOff } = await receiptOf(shop, tenant.key, response);
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
    apiKey: tenant.key,
    baseURL: `${shop.program.url}/v1`,
    defaultHeaders: { [HEADER]: maxCost },
  });

test("OpenAI's SDK with a maximum cost as a default header gets an answer within it", async () => {
  const { data, response } = await client('0.004')
    .chat.completions.create({ model: 'chat', messages: MESSAGES })
    .withResponse();

  expect(data.choices).toHaveLength(1);
  expect((await receiptOf(shop, tenant.key, response)).hold).toBeLessThanOrEqual(4_000_000n);
});

test("OpenAI's SDK raises the refusal of a maximum cost without a retry", async () => {
  const error: unknown = await client('0.000001')
    .chat.completions.create({ model: 'chat', messages: MESSAGES })
    .catch((raised: unknown) => raised);

  expect(error).toBeInstanceOf(APIError);
  expect(error).toMatchObject({ status: 402, code: 'MAX_COST_EXCEEDED', type: 'insufficient_quota' });
});
