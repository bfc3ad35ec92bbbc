import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RefusalCode } from '../../src/domain/refusals.ts';
import type { AccountOptions } from '../support/accounts.ts';
import { chatBody, Gateway, MARKER } from './gateway.ts';
import { exchange, head, RawConnection, type RawResponse } from './raw-http.ts';
import { expectRefusal } from './refusal.ts';
import { answering, completion } from './upstream-scripts.ts';

// Bodies cost memory before they are paid for: each is bounded, and so are all together.

const LIMIT = 32 * 2 ** 20;
const BUFFERED_MAX_MIB = 48;
const CHAT = 'POST /v1/chat/completions HTTP/1.1';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start({ server: `{ buffered_max: "${BUFFERED_MAX_MIB}MiB" }` });
  gateway.script(answering(200, completion()));
});

afterAll(() => gateway.stop());

/** A chat request of just this many bytes, for a model that nobody sells. */
function requestOf(length: number): Buffer<ArrayBuffer> {
  const text = chatBody({ model: 'nothing', x: '' });
  return Buffer.from(text.replace('"x":""', `"x":"${'a'.repeat(length - text.length)}"`));
}

function headers(more: Record<string, string>): Record<string, string> {
  return { host: 'x', authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', ...more };
}

function chunked(body: Buffer<ArrayBuffer>): ReadableStream<Uint8Array> {
  const size = 2 ** 20;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= body.length) return controller.close();
      controller.enqueue(body.subarray(at, at + size));
      at += size;
    },
  });
}

test('a body above the limit is refused where its 64 MB are announced', async () => {
  const response = await gateway.post('/v1/chat/completions', requestOf(64_000_000));
  await expectRefusal(response, 'REQUEST_TOO_LARGE');
  expect(response.headers.get('connection')).toBe('close');
});

test('a body above the limit is refused where its 64 MB come in chunks', async () => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: headers({}),
    body: chunked(requestOf(64_000_000)),
    duplex: 'half',
  });
  await expectRefusal(response, 'REQUEST_TOO_LARGE');
});

test('a body above the limit is refused immediately, where it is only announced', async () => {
  const response = await exchange(gateway.url, head(CHAT, headers({ 'content-length': '64000000' })));
  await expectRefusal(response, 'REQUEST_TOO_LARGE');
});

test('a body is refused that is above the limit by one byte; one of just the limit is read', async () => {
  await expectRefusal(await gateway.post('/v1/chat/completions', requestOf(LIMIT + 1)), 'REQUEST_TOO_LARGE');
  await expectRefusal(await gateway.post('/v1/chat/completions', requestOf(LIMIT)), 'MODEL_NOT_FOUND');
});

test('a body above the limit is refused after the key and the type are judged', async () => {
  const announced = { 'content-length': '64000000' };
  const nobody = head(CHAT, headers({ ...announced, authorization: 'Bearer nonsense' }));
  await expectRefusal(await exchange(gateway.url, nobody), 'INVALID_API_KEY');
  const text = head(CHAT, headers({ ...announced, 'content-type': 'text/plain' }));
  await expectRefusal(await exchange(gateway.url, text), 'UNSUPPORTED_MEDIA_TYPE');
});

const body = requestOf(20 * 2 ** 20);
const fit = 2;
const rounds = 2;

/** A connection that has sent a body but for its last byte. */
function begin(): RawConnection {
  const connection = new RawConnection(gateway.url);
  return connection.send(head(CHAT, headers({ 'content-length': String(body.length) })), body.subarray(0, -1));
}

test('large bodies at the same time are refused beyond what may be buffered, and what they took is given back', async () => {
  for (let round = 0; round < rounds; round++) {
    const connections = Array.from({ length: 6 }, begin);
    const refused = new Set<RawConnection>();
    for (const connection of connections) {
      connection.socket.once('data', () => void refused.add(connection));
    }
    await vi.waitUntil(() => refused.size === connections.length - fit, { timeout: 20_000 });
    for (const connection of refused) {
      const response = await connection.response();
      await expectRefusal(response, 'SERVICE_UNAVAILABLE');
      expect(response?.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
    }
    const kept = connections.filter((connection) => !refused.has(connection));
    for (const connection of kept) connection.send(body.subarray(-1));
    for (const connection of kept) await expectRefusal(await connection.response(), 'MODEL_NOT_FOUND');
    for (const connection of connections) connection.destroy();
    await Promise.all(connections.map((connection) => connection.closed));
  }
});

const HEAD_BYTES = 1_000_000;

/** What a large request is answered of which nothing but the head is sent; its connection ends with that. */
async function answerToHead(key: string, more: Record<string, string> = {}): Promise<RawResponse> {
  const announced = { 'content-length': String(HEAD_BYTES), authorization: `Bearer ${key}`, ...more };
  const response = await exchange(gateway.url, head(CHAT, headers(announced)));
  if (response === null) throw new Error('there was no answer');
  expect(response.headers['connection']).toBe('close');
  return response;
}

/** The same request whole, small enough to be judged by its body. */
async function answerToBody(key: string): Promise<Response> {
  return await gateway.program.chat(key, JSON.parse(chatBody()));
}

interface Refused {
  readonly error: { readonly code: string; readonly details?: { readonly levels: readonly unknown[] } };
}

const paid = { models: ['chat', 'newer'] };

test.each<[string, RefusalCode, AccountOptions]>([
  ['a workspace without credit', 'INSUFFICIENT_BALANCE', { project: paid }],
  ['a workspace with less credit than any request needs', 'INSUFFICIENT_BALANCE', { credit: 1_000n, project: paid }],
  [
    'a project whose budget is nothing',
    'PROJECT_BUDGET_EXCEEDED',
    { credit: 10n ** 9n, project: { ...paid, budget: 0n, budgetPeriod: 'day' } },
  ],
  [
    'a key that may spend nothing',
    'KEY_SPEND_LIMIT_EXCEEDED',
    { credit: 10n ** 9n, project: paid, key: { spendLimit: 0n } },
  ],
])('a large request of %s is refused at its head, as it would be for its body', async (_whose, code, options) => {
  const key = await gateway.openAccount(options);
  const atHead = await answerToHead(key);
  const whole = await answerToBody(key);
  await expectRefusal(atHead, code);
  expect(whole.status).toBe(atHead.status);
  const ofHead = JSON.parse(atHead.body.toString()) as Refused;
  const ofBody = (await whole.json()) as Refused;
  expect(ofHead.error).toMatchObject({ code: ofBody.error.code, details: { levels: ofBody.error.details?.levels } });
  expect(atHead.headers['x-should-retry']).toBe(whole.headers.get('x-should-retry'));
});

test('a large request of a project that has no request left this minute is refused at its head', async () => {
  const key = await gateway.openAccount({ credit: 10n ** 9n, project: { requestsPerMinute: 1 } });
  gateway.script(answering(200, completion()));
  expect((await answerToBody(key)).status).toBe(200);
  const atHead = await answerToHead(key);
  await expectRefusal(atHead, 'RATE_LIMITED');
  expect(Number(atHead.headers['retry-after'])).toBeGreaterThan(0);
});

test('a large request takes no request from the rate before its body has come', async () => {
  const key = await gateway.openAccount({ credit: 10n ** 12n, project: { requestsPerMinute: 2 } });
  gateway.script(answering(200, completion()));
  const large = chatBody({ messages: [{ role: 'user', content: 'a'.repeat(70_000) }], max_tokens: 10 });
  for (const status of [200, 200, 429]) {
    const response = await gateway.post('/v1/chat/completions', large, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(status);
    await response.text();
  }
});

test('a large request without money is served by a model of no price, and by the answer that it has had already', async () => {
  gateway.script(answering(200, completion()));
  const content = 'a'.repeat(70_000);
  const messages = [{ role: 'user', content }];
  const free = await gateway.openAccount({ project: { models: ['chat', 'free'] } });
  const byFree = { headers: { authorization: `Bearer ${free}` } };
  expect((await gateway.post('/v1/chat/completions', chatBody({ model: 'free', messages }), byFree)).status).toBe(200);
  await expectRefusal(
    await gateway.post('/v1/chat/completions', chatBody({ messages }), byFree),
    'INSUFFICIENT_BALANCE',
  );

  const repeated = chatBody({ messages, max_tokens: 1 });
  // Enough for this request, and what is left of it for none.
  const credit = 72_000_000n;
  const key = await gateway.openAccount({ credit, project: paid });
  const usage = { prompt_tokens: 79_999, completion_tokens: 0 };
  gateway.script(answering(200, { ...completion(), usage }));
  const once = { headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'once' } };
  const first = await gateway.post('/v1/chat/completions', repeated, once);
  expect(first.status).toBe(200);
  await expectRefusal(await answerToHead(key), 'INSUFFICIENT_BALANCE');
  await expectRefusal(await answerToHead(key, { 'idempotency-key': 'another' }), 'INSUFFICIENT_BALANCE');
  const again = await gateway.post('/v1/chat/completions', repeated, once);
  expect(again.status).toBe(200);
  expect(again.headers.get('x-faregate-replayed')).toBe(first.headers.get('x-request-id'));
});

test('after all large bodies the program serves, the ledger is whole, and no text has been printed', async () => {
  expect((await gateway.chat()).status).toBe(200);
  expect(await gateway.books()).toEqual({ ok: true, difference: 0n });
  expect(await gateway.log()).not.toContain(MARKER);
});
