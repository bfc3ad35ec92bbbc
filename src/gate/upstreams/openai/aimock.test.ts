import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMockUpstream, type MockUpstream } from '../../../../test/support/aimock.ts';
import { RecordingSink } from '../../../../test/support/recording-sink.ts';
import { readChatRequest } from '../../openai/chat-request.ts';
import { embed } from '../../../../test/support/native-call.ts';
import { createUpstream } from '../registry.ts';
import type { Upstream } from '../upstream.ts';

// The same upstream against a third-party mock.

let mock: MockUpstream;
let upstream: Upstream;

beforeAll(async () => {
  mock = await startMockUpstream();
  const provider = {
    name: 'mock',
    kind: 'openai',
    baseUrl: mock.baseUrl,
    apiKey: 'mock-key',
    capField: 'max_tokens',
    needsCap: false,
    hasCompletions: null,
    profile: null,
    proxy: null,
    tls: null,
    concurrencyMax: null,
    drains: false,
  } as const;
  const timeouts = {
    headersMs: 1,
    requestMs: 1,
    plainMs: 1,
    streamMs: 1,
    upstreamConnectMs: 1_000,
    upstreamFirstByteMs: 10_000,
    upstreamFirstEventMs: 10_000,
    upstreamIdleMs: 10_000,
    upstreamKeepAliveMs: 60_000,
    pingMs: 1,
    usageMs: 1,
    holdWaitMs: 1,
    lameDuckMs: 0,
    drainMs: 1,
    warmUpMs: 0,
    epochMs: 1,
  };
  upstream = createUpstream(provider, timeouts);
});

afterAll(async () => {
  await upstream.close();
  await mock.stop();
});

async function chat(upstreamModel: string, more: object = {}) {
  const body = { model: 'public', messages: [{ role: 'user', content: 'hello' }], ...more };
  const reading = readChatRequest(Buffer.from(JSON.stringify(body)));
  if (!reading.ok) throw new Error(reading.fault.message);
  const sink = new RecordingSink();
  upstream.chat({ upstreamModel, requestId: 'r', request: reading.request, cap: null }, sink);
  return { ending: await sink.ended(), sink };
}

function answerIn(ending: Awaited<ReturnType<typeof chat>>['ending']): unknown {
  if (ending.kind !== 'answer') throw new Error(`ended with ${JSON.stringify(ending)}`);
  return JSON.parse(ending.body.toString());
}

test('an independent mock answers a chat, and counts it', async () => {
  const before = mock.served();
  const { ending } = await chat('gpt-x');
  expect(answerIn(ending)).toMatchObject({
    model: 'gpt-x',
    choices: [{ message: { content: 'You said: hello' }, finish_reason: 'stop' }],
    usage: { completion_tokens: 4 },
  });
  expect(mock.served()).toBe(before + 1);
  expect(mock.requests().at(-1)?.headers['user-agent']).toBe('faregate');
});

test('an independent mock streams with usage at the end', async () => {
  const { ending, sink } = await chat('gpt-x', { stream: true });
  expect(ending).toEqual({ kind: 'end', done: true });
  const chunks = sink.texts.map(
    (text) => JSON.parse(text) as { choices: { delta?: { content?: string } }[]; usage?: object },
  );
  expect(chunks.map((chunk) => chunk.choices[0]?.delta?.content ?? '').join('')).toBe('You said: hello');
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 4 } });
});

test('an independent mock calls tools, and speaks JSON', async () => {
  const tools = [{ type: 'function', function: { name: 'weather', parameters: {} } }];
  expect(answerIn((await chat('gpt-x', { tools })).ending)).toMatchObject({
    choices: [{ finish_reason: 'tool_calls', message: { tool_calls: [{ function: { name: 'weather' } }] } }],
  });
  expect(answerIn((await chat('gpt-x', { response_format: { type: 'json_object' } })).ending)).toMatchObject({
    choices: [{ message: { content: '{"answer":"You said: hello"}' } }],
  });
});

test.each([
  ['error-400', { kind: 'rejected_request', status: 400, callerMessage: 'asked to fail with 400' }],
  ['error-401', { kind: 'rejected_credentials', status: 401 }],
  ['error-429', { kind: 'overloaded', status: 429, retryAfterMs: 1_000 }],
  ['error-500', { kind: 'failed', status: 500 }],
])('an independent mock fails as %s', async (model, fault) => {
  for (const stream of [false, true])
    expect((await chat(model, { stream })).ending).toMatchObject({ kind: 'fault', fault });
});

test('an independent mock answers with embeddings', async () => {
  const sink = new RecordingSink();
  embed(upstream, { input: ['a', 'b'] }, 'embed', sink);
  expect(answerIn(await sink.ended())).toMatchObject({ model: 'embed', data: [{ index: 0 }, { index: 1 }] });
});
