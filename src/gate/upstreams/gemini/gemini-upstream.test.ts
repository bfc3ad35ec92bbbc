import { expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { RecordingSink } from '../../../../test/support/recording-sink.ts';
import type { Script } from '../../../../test/support/scripted-upstream.ts';
import { startUpstreamPair, TIMEOUTS, type UpstreamPair } from '../../../../test/support/upstream-pair.ts';
import { readChatRequest } from '../../openai/chat-request.ts';
import { embed } from '../../../../test/support/native-call.ts';
import type { ChatCall } from '../upstream.ts';
import { createGeminiUpstream } from './gemini-upstream.ts';

const KEY = 'odd key?';
const JSON_TYPE = { 'content-type': 'application/json' };
const ANSWER = JSON.stringify({ candidates: [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }] });

function pair(script: Script, path = '/v1beta/', apiKey: string | null = KEY): Promise<UpstreamPair> {
  const basics = {
    name: 'g',
    kind: 'gemini',
    apiKey,
    proxy: null,
    tls: null,
    concurrencyMax: null,
    drains: false,
  } as const;
  return startUpstreamPair(script, (origin) =>
    createGeminiUpstream({ ...basics, baseUrl: `${origin}${path}` }, TIMEOUTS),
  );
}

const answering: Script = (response) => response.writeHead(200, JSON_TYPE).end(ANSWER);

function chatCall(more: object = {}, upstreamModel = 'gemini-3-flash'): ChatCall {
  const body = { model: 'public', messages: [{ role: 'user', content: 'hello' }], ...more };
  const reading = readChatRequest(Buffer.from(JSON.stringify(body)));
  if (!reading.ok) throw new Error(reading.fault.message);
  return { upstreamModel, requestId: 'request-1', request: reading.request, cap: null };
}

async function endingOf(start: (sink: RecordingSink) => unknown) {
  const sink = new RecordingSink();
  start(sink);
  return sink.ended();
}

test('what goes to Gemini has the key in a header, never in the address, and nothing of the caller’s headers', async () => {
  const { server, upstream } = await pair(answering);
  expect(await endingOf((sink) => upstream.chat(chatCall(), sink))).toMatchObject({ kind: 'answer' });
  const [request] = server.requests;
  expect(request?.path).toBe('/v1beta/models/gemini-3-flash:generateContent');
  expect(request?.headers).toEqual({
    host: new URL(server.origin).host,
    connection: 'keep-alive',
    'x-goog-api-key': KEY,
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'faregate',
    'content-length': String(request?.body.length),
  });
  expect(JSON.parse(String(request?.body))).toEqual({ contents: [{ role: 'user', parts: [{ text: 'hello' }] }] });
});

test.each<[string, string, string, boolean]>([
  ['/v1beta', 'gemini-3-flash', '/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse', true],
  ['/x?a=b', 'gemini-3-flash', '/x/models/gemini-3-flash:streamGenerateContent?alt=sse&a=b', true],
  ['/x?a=b', 'tunedModels/my model', '/x/tunedModels/my%20model:generateContent?a=b', false],
  ['', 'a:b?c', '/models/a%3Ab%3Fc:generateContent', false],
])('what goes to Gemini at %s, %s is at %s', async (base, model, path, stream) => {
  const { server, upstream } = await pair(answering, base, null);
  await endingOf((sink) => upstream.chat(chatCall({ stream }, model), sink));
  expect(server.requests[0]?.path).toBe(path);
  expect(server.requests[0]?.headers).not.toHaveProperty('x-goog-api-key');
});

test('what goes to Gemini is nothing where the request can’t be said, and the attempt fails once it can be heard', async () => {
  const { server, upstream } = await pair(answering);
  const sink = new RecordingSink();
  upstream.chat(chatCall({ logit_bias: { 1: 1 } }), sink);
  expect(sink.endings).toEqual([]);
  expect(await sink.ended()).toMatchObject({
    kind: 'fault',
    fault: { kind: 'rejected_request', param: 'logit_bias' },
  });
  const left = new RecordingSink();
  upstream.chat(chatCall({ logit_bias: { 1: 1 } }), left).abort();
  await eventually(() => expect(server.requests).toEqual([]));
  expect(left.endings).toEqual([]);
});

test.each([
  [{ parallel_tool_calls: false }, 1],
  [{ parallel_tool_calls: true }, 2],
  [{ parallel_tool_calls: null }, 2],
  [{}, 2],
])('an answer of Gemini’s has as many calls as its request allows: %o', async (fields, calls) => {
  const parts = ['f', 'g'].map((name) => ({ functionCall: { name, args: {} } }));
  const answer = JSON.stringify({ candidates: [{ content: { parts }, finishReason: 'STOP' }] });
  const { upstream } = await pair((response) => response.writeHead(200, JSON_TYPE).end(answer));
  const tools = ['f', 'g'].map((name) => ({ type: 'function', function: { name } }));
  const ending = await endingOf((sink) => upstream.chat(chatCall({ tools, ...fields }), sink));
  if (ending.kind !== 'answer') throw new Error(`no answer: ${JSON.stringify(ending)}`);
  expect(JSON.parse(ending.body.toString())).toMatchObject({
    choices: [{ message: { tool_calls: Array.from({ length: calls }, () => ({ type: 'function' })) } }],
  });
});

test('a key that Gemini’s server repeats is masked', async () => {
  const error = { code: 403, status: 'PERMISSION_DENIED', message: `${KEY} may not` };
  const { upstream } = await pair((response) => response.writeHead(403, JSON_TYPE).end(JSON.stringify({ error })));
  const ending = await endingOf((sink) => upstream.chat(chatCall(), sink));
  expect(ending).toMatchObject({
    fault: { kind: 'rejected_credentials', message: expect.stringContaining('[masked] may not') as unknown },
  });
});

const vectors =
  '{"embeddings":[{"values":[0.10000000149011612,-1]},{"values":[1e-7,2]}],"usageMetadata":{"promptTokenCount":4}}';

test('embeddings of Gemini’s are asked for in one call and come digit by digit', async () => {
  const { server, upstream } = await pair((response) => response.writeHead(200, JSON_TYPE).end(vectors));
  const ending = await endingOf((sink) =>
    embed(upstream, { input: ['a', 'b'], dimensions: 2, user: 'u' }, 'gemini-embedding-001', sink),
  );
  expect(server.requests[0]?.path).toBe('/v1beta/models/gemini-embedding-001:batchEmbedContents');
  const asked = (text: string) => ({
    model: 'models/gemini-embedding-001',
    content: { parts: [{ text }] },
    outputDimensionality: 2,
  });
  expect(JSON.parse(String(server.requests[0]?.body))).toEqual({ requests: [asked('a'), asked('b')] });
  if (ending.kind !== 'answer') throw new Error('no answer');
  expect(ending.body.toString()).toBe(
    '{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.10000000149011612,-1]},' +
      '{"object":"embedding","index":1,"embedding":[1e-7,2]}],"model":"gemini-embedding-001",' +
      '"usage":{"prompt_tokens":4,"total_tokens":4}}',
  );
});

test('embeddings of Gemini’s of an answer without vectors are none', async () => {
  const { upstream } = await pair((response) => response.writeHead(200, JSON_TYPE).end('{"embeddings":[{}]}'));
  expect(await endingOf((sink) => embed(upstream, { input: 'a' }, 'gemini-embedding-001', sink))).toMatchObject({
    fault: { kind: 'malformed' },
  });
});

test.each<[string, object]>([
  ['input', { input: [1, 2] }],
  ['input', { input: [[1], [2]] }],
  ['input', { input: Array.from({ length: 101 }, () => 'a') }],
  ['task', { input: 'a', task: 'search' }],
])('embeddings of Gemini’s with %s that Gemini has no words for are refused by name', async (param, body) => {
  const { server, upstream } = await pair(answering);
  const ending = await endingOf((sink) => embed(upstream, body, 'gemini-embedding-001', sink));
  expect(ending).toMatchObject({ fault: { kind: 'rejected_request', param } });
  expect(server.requests).toEqual([]);
});
