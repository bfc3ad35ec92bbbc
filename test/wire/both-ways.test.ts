import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Script } from '../support/scripted-upstream.ts';
import { chatBody, Gateway } from './gateway.ts';
import { head, RawConnection, type RawResponse } from './raw-http.ts';
import { answering, completion, event, finish, gradually, streaming, text, usageChunk } from './upstream-scripts.ts';

// A request is read from the bare socket where it is plain, and by node:http where it isn't. Nobody can tell by the answer
// which of the two it was.

const CHAT = 'POST /v1/chat/completions HTTP/1.1';
const EMBEDDINGS = 'POST /v1/embeddings HTTP/1.1';
const MODELS = 'GET /v1/models HTTP/1.1';
const BODY_BYTES_MAX = 700_000;

let gateway: Gateway;
const keys = { poor: '', limited: '', narrow: '' };

beforeAll(async () => {
  gateway = await Gateway.start({ server: `{ body_max: "${BODY_BYTES_MAX}B", buffered_max: "1MiB" }` });
  gateway.script(answering(200, completion()));
  const [poor, limited, narrow] = await Promise.all([
    gateway.openAccount({ credit: 1n }),
    gateway.openAccount({ credit: 1_000_000_000n, project: { requestsPerMinute: 1 } }),
    gateway.openAccount({ credit: 1_000_000_000n, project: { models: ['embed'] } }),
  ]);
  Object.assign(keys, { poor, limited, narrow });
});

afterAll(() => gateway.stop());

interface Sent {
  readonly line?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly script?: Script;
}

/** What differs between any two answers, as far as there is any. */
const FLEETING = /^(?:x-request-id|date|x-ratelimit-.*|retry-after.*)$/;

function told(response: RawResponse | null): object | null {
  if (response === null) return null;
  const { status, body } = response;
  const lasting = Object.entries(response.headers).map(([name, value]) => [name, FLEETING.test(name) ? 'any' : value]);
  return {
    status,
    headers: Object.fromEntries(lasting) as object,
    body: body.toString().replace(/Retry in \d+ ms/, 'Retry'),
  };
}

function headers(more: Readonly<Record<string, string>>): Record<string, string> {
  return { host: 'x', authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', ...more };
}

/** The answer to a request, and to another that is sent on the same connection then; null where it has been closed. */
async function answersTo(request: string): Promise<readonly (object | null)[]> {
  const connection = new RawConnection(gateway.url).send(request);
  try {
    const first = told(await connection.response());
    return [first, told(await connection.send(head('GET /v1/nothing HTTP/1.1', { host: 'x' })).response())];
  } finally {
    connection.destroy();
  }
}

function plainly({ line = CHAT, body = '', ...sent }: Sent): string {
  const length = line.startsWith('GET') ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return head(line, headers({ ...length, ...sent.headers })) + body;
}

function otherwise({ line = CHAT, body = '', ...sent }: Sent): string {
  if (line.startsWith('GET')) return head(line, headers({ trailer: 'x-a', ...sent.headers }));
  const chunk = body === '' ? '' : `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`;
  return `${head(line, headers({ 'transfer-encoding': 'chunked', ...sent.headers }))}${chunk}0\r\n\r\n`;
}

async function expectSame(sent: Sent, status: number): Promise<void> {
  gateway.script(sent.script ?? answering(200, completion()));
  const plain = await answersTo(plainly(sent));
  expect(plain[0]).toMatchObject({ status });
  expect(await answersTo(otherwise(sent))).toEqual(plain);
}

test.each<[string, Sent]>([
  ['a call', { body: chatBody() }],
  ['a call whose answer is long', { body: chatBody(), script: answering(200, completion('é'.repeat(100_000))) }],
  [
    'a stream',
    { body: chatBody({ stream: true }), script: streaming(text('hé'), text('llo'), finish(), usageChunk()) },
  ],
  [
    'a stream that is cut off',
    {
      body: chatBody({ stream: true }),
      script: gradually(async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        await new Promise<void>((resolve) => response.write(event(text('hi')), () => resolve()));
        response.destroy();
      }),
    },
  ],
  ['a model list', { line: MODELS }],
  ['a call whose connection ends with it', { body: chatBody(), headers: { connection: 'close' } }],
  [
    'embeddings',
    {
      line: EMBEDDINGS,
      body: JSON.stringify({ model: 'embed', input: 'a' }),
      script: answering(200, {
        object: 'list',
        data: [],
        model: 'ada',
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
    },
  ],
  ['a quote', { line: 'POST /v1/quote HTTP/1.1', body: chatBody() }],
])('both readers of HTTP answer the same: %s', (_what, sent) => expectSame(sent, 200));

test('both readers of HTTP answer the same: a repeat by its Idempotency-Key', async () => {
  const sent = { body: chatBody(), headers: { 'idempotency-key': 'once' } };
  gateway.script(answering(200, completion()));
  await answersTo(plainly(sent));
  await expectSame(sent, 200);
  await expectSame({ ...sent, body: chatBody({ temperature: 0 }) }, 422);
});

test.each<[string, number, () => Sent]>([
  ['a body that is no JSON', 400, () => ({ body: '{"model":' })],
  ['no body', 400, () => ({})],
  ['a field of a wrong type', 400, () => ({ body: chatBody({ messages: 1 }) })],
  ['a bound of the cost that is none', 400, () => ({ body: chatBody(), headers: { 'x-faregate-max-cost': 'x' } })],
  ['a wrong key', 401, () => ({ body: chatBody(), headers: { authorization: 'Bearer nonsense' } })],
  ['a wrong key for the models', 401, () => ({ line: MODELS, headers: { authorization: 'Bearer nonsense' } })],
  ['no money', 402, () => ({ body: chatBody(), headers: { authorization: `Bearer ${keys.poor}` } })],
  ['too high a cost', 402, () => ({ body: chatBody(), headers: { 'x-faregate-max-cost': '0' } })],
  [
    'a model that is not allowed',
    403,
    () => ({ body: chatBody(), headers: { authorization: `Bearer ${keys.narrow}` } }),
  ],
  ['a model that is not there', 404, () => ({ body: chatBody({ model: 'nothing' }) })],
  ['too large a body', 413, () => ({ body: chatBody({ x: 'a'.repeat(BODY_BYTES_MAX) }) })],
  ['another type', 415, () => ({ body: chatBody(), headers: { 'content-type': 'text/plain' } })],
  ['a compressed body', 415, () => ({ body: chatBody(), headers: { 'content-encoding': 'gzip' } })],
  [
    'what the upstream refuses',
    400,
    () => ({ body: chatBody(), script: answering(400, { error: { message: 'no' } }) }),
  ],
  ['an upstream that is away', 503, () => ({ body: chatBody(), script: (response) => response.destroy() })],
])('both readers of HTTP refuse the same: %s', (_what, status, sent) => expectSame(sent(), status));

test('both readers of HTTP refuse the same: too many requests', async () => {
  const sent = { body: chatBody(), headers: { authorization: `Bearer ${keys.limited}` } };
  gateway.script(answering(200, completion()));
  await answersTo(plainly(sent));
  await expectSame(sent, 429);
});

test('both readers of HTTP refuse the same: a body for which there is no room', async () => {
  const filling = new RawConnection(gateway.url);
  filling.send(head(CHAT, headers({ 'content-length': '600000' })), 'a'.repeat(599_999));
  await vi.waitUntil(async () => (await gateway.metric('faregate_buffered_bytes')) >= 599_999, { timeout: 20_000 });
  const sent = { body: chatBody({ x: 'a'.repeat(600_000) }) };
  await expectSame(sent, 503);
  filling.destroy();
});
