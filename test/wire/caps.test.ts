import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatBody, Gateway } from './gateway.ts';
import { expectRefusal } from './refusal.ts';
import { answering, completion, finish, streaming, text, usageChunk } from './upstream-scripts.ts';

// What a request may cost is bounded by the cap that its upstream obeys; little money shortens an answer rather than
// refusing it, says so, and a refusal names what would pass.

const MAX_OUTPUT = 16_384;
const FLOOR = 4_096;

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start();
  gateway.script(answering(200, completion()));
});

afterAll(() => gateway.stop());

function sent(): Record<string, unknown> {
  return JSON.parse(gateway.upstream.requests.at(-1)?.body.toString() ?? '') as Record<string, unknown>;
}

interface Shortage {
  readonly details: { readonly max_tokens_that_fit: number | null; readonly transient: boolean };
}

test('what reaches the upstream is byte for byte what the caller sent, but for the model, where no cap is needed', async () => {
  const body = chatBody({ x: 1 }).replace(
    '"x":1',
    '"seed": 9223372036854775807,"top_p":1.0 , "new\\u005ffield":{"a":[1e2]}',
  );
  expect((await gateway.post('/v1/chat/completions', body)).status).toBe(200);
  expect(gateway.upstream.requests.at(-1)?.body.toString()).toBe(body.replace('"chat"', '"gpt"'));
});

test.each<[string, string, object, object]>([
  ['the caller’s own', 'chat', { max_tokens: 50 }, { max_tokens: 50 }],
  ['the caller’s own, by its newer name', 'chat', { max_completion_tokens: 50 }, { max_tokens: 50 }],
  ['the caller’s own, where only the newer name is obeyed', 'newer', { max_tokens: 50 }, { max_completion_tokens: 50 }],
  ['the smaller of two', 'chat', { max_tokens: 50, max_completion_tokens: 30 }, { max_tokens: 30 }],
  [
    'the smaller of two the other way round',
    'newer',
    { max_tokens: 30, max_completion_tokens: 50 },
    { max_completion_tokens: 30 },
  ],
  ['the model’s, where the upstream runs on without one', 'endless', {}, { max_tokens: MAX_OUTPUT }],
  ['none, where the model’s own will do', 'chat', {}, {}],
])('what reaches the upstream has as its cap %s', async (_what, model, fields, caps) => {
  expect((await gateway.chat({ model, ...fields })).status).toBe(200);
  const { max_tokens, max_completion_tokens } = sent();
  expect({ max_tokens, max_completion_tokens }).toEqual({
    max_tokens: undefined,
    max_completion_tokens: undefined,
    ...caps,
  });
});

const messages = [{ role: 'user', content: 'hi' }];

test.each([
  ['a quarter of it sets the cap', 500_000_000n, 12_500],
  ['the cap falls no lower than its floor', 50_000_000n, FLOOR],
])('with little money, the cap is shortened, and the answer says so: %s', async (_what, credit, cap) => {
  const key = await gateway.openAccount({ credit });
  const response = await gateway.program.chat(key, { model: 'chat', messages });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-faregate-shortened')).toBe(String(cap));
  expect(sent()).toMatchObject({ max_tokens: cap });
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt.shortened).toBe(cap);
});

test('with little money, a stream says it in its headers; an answer that was not shortened does not', async () => {
  const key = await gateway.openAccount({ credit: 500_000_000n });
  gateway.script(streaming(text('hi'), finish(), usageChunk()));
  const response = await gateway.program.chat(key, { model: 'chat', stream: true, messages });
  expect(response.headers.get('x-faregate-shortened')).toBe('12500');
  await response.text();
  gateway.script(answering(200, completion()));
  const rich = await gateway.chat();
  expect(rich.headers.get('x-faregate-shortened')).toBeNull();
  expect((await gateway.receipt(rich.headers.get('x-request-id') ?? '')).shortened).toBeNull();
});

test.each([1, 3])(
  'with little money, a refusal names the most that fits for %i answers, and just that fits',
  async (n) => {
    const key = await gateway.openAccount({ credit: 20_000_000n });
    gateway.script(answering(200, completion('', { prompt_tokens: 0, completion_tokens: 0 })));
    const body = { model: 'chat', messages, n };
    const refused = await gateway.program.chat(key, { ...body, max_tokens: FLOOR });
    expect(refused.headers.get('x-should-retry')).toBe('false');
    const { details } = (await expectRefusal(refused, 'INSUFFICIENT_BALANCE')) as unknown as Shortage;
    expect(details.transient).toBe(false);
    const fits = details.max_tokens_that_fit ?? 0;
    expect(fits).toBeGreaterThan(1_000 / n);
    // The number is a part of the body, whose length bounds the input: it counts no more digits than the one refused.
    expect((await gateway.program.chat(key, { ...body, max_tokens: fits })).status).toBe(200);
  },
);

test('with little money, a refusal says that not even one token fits', async () => {
  const key = await gateway.openAccount({ credit: 100_000n });
  const refused = await gateway.program.chat(key, { model: 'chat', messages });
  const { details } = (await expectRefusal(refused, 'INSUFFICIENT_BALANCE')) as unknown as Shortage;
  expect(details.max_tokens_that_fit).toBeNull();
});

test('with no money at all, a model of price zero runs to its maximum', async () => {
  const key = await gateway.openAccount({});
  gateway.script(answering(200, completion()));
  const response = await gateway.program.chat(key, { model: 'free', messages });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-faregate-shortened')).toBeNull();
  expect(sent()['max_tokens']).toBeUndefined();
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ charge: 0n, hold: 0n, input: 7, output: 5 });
});

test('after all caps the ledger is whole', async () => {
  expect(await gateway.books()).toEqual({ ok: true, difference: 0n });
});
