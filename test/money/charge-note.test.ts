import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../support/tenant.ts';
import { openShop, receiptOf, type Shop } from './shop.ts';

// Each answer names its charge, as its receipt has it.

let shop: Shop;
let tenant: Tenant;
let keys = 0;

beforeAll(async () => {
  shop = await openShop();
  tenant = await shop.program.createTenant();
});

afterAll(() => shop.program.dispose());

const CHAT = { model: 'chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 100 };
const STREAM = { ...CHAT, stream: true };
const END = /\n\n: faregate-charge (\S+)\ndata: \[DONE\]\n\n$/;

/** A decimal of USD in nano-USD. */
function nano(usd: string | null | undefined): bigint {
  const [whole = '', fraction = ''] = (usd ?? '').split('.');
  return BigInt(`${whole}${fraction.padEnd(9, '0')}`);
}

function freshKey(): Record<string, string> {
  keys += 1;
  return { 'idempotency-key': `charge-${keys}` };
}

test.each([
  ['a chat', 'chat/completions', CHAT],
  ['embeddings', 'embeddings', { model: 'embed', input: 'hello' }],
])('the answer to %s has the charge of its receipt in a header', async (_what, path, body) => {
  const answered = await shop.post(path, tenant.key, body);
  await answered.text();

  const { charge } = await receiptOf(shop, tenant.key, answered);
  expect(charge).toBeGreaterThan(0n);
  expect(nano(answered.headers.get('x-faregate-charge'))).toBe(charge);
});

test('a stream has the charge of its receipt in a comment before its end', async () => {
  const answered = await shop.post('chat/completions', tenant.key, STREAM);
  const text = await answered.text();

  const { charge } = await receiptOf(shop, tenant.key, answered);
  expect(charge).toBeGreaterThan(0n);
  expect(nano(END.exec(text)?.[1])).toBe(charge);
  expect(answered.headers.get('x-faregate-charge')).toBeNull();
});

test('an answer that costs nothing has a charge of zero', async () => {
  const answered = await shop.post('chat/completions', tenant.key, { ...CHAT, model: 'free' });
  await answered.text();

  expect(answered.headers.get('x-faregate-charge')).toBe('0.00');
});

test('a refusal has no charge', async () => {
  const refused = await shop.post('chat/completions', tenant.key, { ...CHAT, model: 'none' });

  expect(refused.status).toBe(404);
  expect(refused.headers.get('x-faregate-charge')).toBeNull();
});

test('a replayed answer has the charge of the request that ran, though it is charged nothing itself', async () => {
  for (const body of [CHAT, STREAM]) {
    const key = freshKey();
    const first = await shop.post('chat/completions', tenant.key, body, key);
    const text = await first.text();
    const repeat = await shop.post('chat/completions', tenant.key, body, key);

    expect(await repeat.text()).toBe(text);
    expect(repeat.headers.get('x-faregate-replayed')).toBe(first.headers.get('x-request-id'));
    expect(repeat.headers.get('x-faregate-charge')).toBe(first.headers.get('x-faregate-charge'));
    expect(first.headers.has('x-faregate-charge')).toBe(body === CHAT);
    expect(END.test(text)).toBe(body === STREAM);
  }
});
