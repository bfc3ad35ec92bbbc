import { expect, test, vi } from 'vitest';
import { until } from '../../../../test/support/eventually.ts';
import { RecordingSink } from '../../../../test/support/recording-sink.ts';
import type { Script } from '../../../../test/support/scripted-upstream.ts';
import { startUpstreamPair, TIMEOUTS, type UpstreamPair } from '../../../../test/support/upstream-pair.ts';
import type { AnthropicProviderConfig } from '../../../config/config.ts';
import { MESSAGES_DIALECT } from '../../dialects/messages/messages-dialect.ts';
import { readChatRequest } from '../../openai/chat-request.ts';
import { embed } from '../../../../test/support/native-call.ts';
import type { ChatCall } from '../upstream.ts';
import { createAnthropicUpstream } from './anthropic-upstream.ts';

const KEY = 'odd key?';
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  model: 'claude',
  content: [{ type: 'text', text: 'hi' }],
  stop_reason: 'end_turn',
};
const PLAIN: Script = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(MESSAGE));
};

function pair(
  script: Script,
  { basePath = '', apiKey = KEY }: { basePath?: string; apiKey?: string | null } = {},
): Promise<UpstreamPair> {
  const providerAt = (origin: string): AnthropicProviderConfig => ({
    name: 'claude',
    kind: 'anthropic',
    baseUrl: `${origin}${basePath}`,
    apiKey,
    proxy: null,
    tls: null,
    concurrencyMax: null,
    drains: false,
    version: '2023-06-01',
  });
  return startUpstreamPair(script, (origin) => createAnthropicUpstream(providerAt(origin), TIMEOUTS));
}

function call(fields: object = {}): ChatCall {
  const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }], ...fields }));
  const reading = readChatRequest(body);
  if (!reading.ok) throw new Error(reading.fault.message);
  return { request: reading.request, upstreamModel: 'claude-opus-5', cap: 77, requestId: 'r' };
}

test('a request to Anthropic has the operator’s key and version, the cap, and nothing else of anybody’s', async () => {
  const { server, upstream } = await pair(PLAIN);
  const sink = new RecordingSink();
  upstream.chat(call(), sink);
  expect(await sink.ended()).toMatchObject({ kind: 'answer' });
  const [request] = server.requests;
  expect(request?.method).toBe('POST');
  expect(request?.path).toBe('/v1/messages');
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request?.headers ?? {};
  expect(headers).toEqual({
    'x-api-key': KEY,
    'anthropic-version': '2023-06-01',
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'faregate',
  });
  expect(JSON.parse(request?.body.toString() ?? '')).toEqual({
    model: 'claude-opus-5',
    max_tokens: 77,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  });
  expect(upstream.needsCap).toBe(true);
});

test.each([
  ['/', '/v1/messages'],
  ['/v1', '/v1/messages'],
  ['/anthropic/', '/anthropic/v1/messages'],
  ['/proxy/v1/?team=a', '/proxy/v1/messages?team=a'],
])('a request to a base address of %s goes to %s', async (basePath, path) => {
  const { server, upstream } = await pair(PLAIN, { basePath, apiKey: null });
  const sink = new RecordingSink();
  upstream.chat(call(), sink);
  await sink.ended();
  expect(server.requests[0]?.path).toBe(path);
  expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key');
});

test('a request to Anthropic that the API has no words for is refused by its field, and never sent', async () => {
  const { server, upstream } = await pair(PLAIN);
  const sink = new RecordingSink();
  upstream.chat(call({ n: 2 }), sink);
  expect(sink.endings).toEqual([]);
  expect(await sink.ended()).toMatchObject({
    kind: 'fault',
    fault: {
      kind: 'rejected_request',
      status: 400,
      param: 'n',
      callerMessage: expect.stringContaining("'n'") as unknown,
    },
  });
  expect(server.requests).toEqual([]);
});

test('a request to Anthropic that was given up before it could be refused is heard of no more', async () => {
  const { upstream } = await pair(PLAIN);
  const [given, kept] = [new RecordingSink(), new RecordingSink()];
  upstream.chat(call({ n: 2 }), given).abort();
  upstream.chat(call({ n: 2 }), kept);
  await kept.ended();
  expect(given.endings).toEqual([]);
});

test('a request to Anthropic for embeddings fails in a way that lets another route be tried', async () => {
  const { upstream } = await pair(PLAIN);
  const sink = new RecordingSink();
  embed(upstream, { input: 'x' }, 'e', sink);
  expect(await sink.ended()).toMatchObject({ kind: 'fault', fault: { kind: 'failed' } });
});

test.each([
  [200_000, 'effort-2025-11-24'],
  [200_001, 'context-1m-2025-08-07,effort-2025-11-24'],
])('a model sold with a context of %i has these betas at Anthropic: %s', async (contextWindow, betas) => {
  const { server, upstream } = await pair(PLAIN);
  const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hello' }] });
  const headers = { anthropicBeta: 'context-1m-2025-08-07,effort-2025-11-24' };
  const reading = MESSAGES_DIALECT.read(Buffer.from(body), headers);
  if (!reading.ok || reading.request.native === null) throw new Error('the request was not read');
  const request = reading.request.native;
  const sink = new RecordingSink();
  const of = { request, upstreamModel: 'claude', cap: null, contextWindow, reasoning: false, requestId: 'r' };
  upstream.natives?.messages?.(of, sink);
  expect(await sink.ended()).toMatchObject({ kind: 'answer' });
  expect(server.requests[0]?.headers['anthropic-beta']).toBe(betas);
});

test('an answer of Anthropic of a stream ends the exchange with the message, though the connection stays', async () => {
  const events = [
    { type: 'message_start', message: MESSAGE },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'hi' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ];
  const { server, upstream } = await pair((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  });
  const sink = new RecordingSink();
  upstream.chat(call({ stream: true }), sink);
  expect(await sink.ended()).toEqual({ kind: 'end', done: true });
  expect(server.requests[0]?.headers.accept).toBe('text/event-stream');
  expect(sink.texts.join('')).toContain('"content":"hi"');
  await vi.waitUntil(() => server.sockets.size === 0, { timeout: 5_000 });
});

test('an answer of Anthropic that refuses the key is the operator’s to mend, and doesn’t repeat the key', async () => {
  const { upstream } = await pair((response) => {
    const error = { type: 'authentication_error', message: `invalid x-api-key: ${KEY}` };
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error }));
  });
  const sink = new RecordingSink();
  upstream.chat(call(), sink);
  const ending = await sink.ended();
  expect(ending).toMatchObject({ kind: 'fault', fault: { kind: 'rejected_credentials', status: 401 } });
  expect(JSON.stringify(ending)).not.toContain(KEY);
});

test('an answer of Anthropic that never comes ends when it is given up', async () => {
  const { server, upstream } = await pair(() => {});
  const sink = new RecordingSink();
  const running = upstream.chat(call(), sink);
  await until(() => server.requests.length === 1);
  running.abort();
  await until(() => server.sockets.size === 0);
  expect(sink.endings).toEqual([]);
});
