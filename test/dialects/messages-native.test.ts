import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '../wire/gateway.ts';
import { answering, beginStream, rawStreaming } from '../wire/upstream-scripts.ts';
import { eventsOf, message, startMessagesGateway, streamOf } from './messages-stage.ts';

// Message requests to a provider that speaks Anthropic's API itself: what is sent arrives as it was sent, and what comes
// back likewise; beside that, they are paid for, bounded and refused as all requests are.

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startMessagesGateway();
});
afterAll(() => gateway?.stop());

const PATH = '/v1/messages';
const BODY = { model: 'claude', max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] };
const send = (fields: object = {}, headers: Record<string, string> = {}) =>
  gateway.post(PATH, JSON.stringify({ ...BODY, ...fields }), {
    headers: { 'anthropic-version': '2023-06-01', ...headers },
  });
const client = () => new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 });
const lastRequest = () => {
  const request = gateway.upstream.requests.at(-1);
  if (request === undefined) throw new Error('nothing was sent');
  return request;
};
const receiptOf = (response: Response) => gateway.receipt(response.headers.get('x-request-id') ?? '');

/** Pings are sent while the provider is silent, and are no part of the answer. */
const withoutPings = (text: string): string => text.replaceAll('event: ping\ndata: {"type": "ping"}\n\n', '');

const START = { type: 'message_start', message: message([], { stop_reason: null }) };
const DELTAS = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hel' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
  { type: 'content_block_stop', index: 0 },
];
const STOP = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 11 } };
const END = { type: 'message_stop' };

interface Recorded {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | null;
}
/** As Claude Code 2.1 sends them. */
const CLAUDE_CODE_BETAS = [
  'claude-code-20250219',
  'interleaved-thinking-2025-05-14',
  'context-management-2025-06-27',
  'per-turn-control-2026-07-01',
  'mid-conversation-tool-changes-2026-07-01',
  'thinking-token-count-2026-05-13',
  'advanced-tool-use-2025-11-20',
  'effort-2025-11-24',
  'fallback-credit-2026-07-01',
].join(',');
const AGENTS = join(import.meta.dirname, '../fixtures/agents');
const RECORDED = readdirSync(AGENTS).filter((name) => /^(?:claude|sdk-(?:ai-)?anthropic)-/.test(name));

test.each(RECORDED.filter((name) => !/count-tokens|discovery|web-search/.test(name)))(
  'a recorded request of an agent arrives byte for byte, but for the model’s name: %s',
  async (name) => {
    const { headers, body } = JSON.parse(readFileSync(join(AGENTS, name), 'utf8')) as Recorded;
    gateway.script(
      body?.['stream'] === true ? rawStreaming(streamOf(START, ...DELTAS, STOP, END)) : answering(200, message([])),
    );
    const sent = JSON.stringify({ ...body, model: 'claude' });
    // Long ones were cut when they were recorded.
    const beta = headers['anthropic-beta']?.replace(/^<.*>$/, CLAUDE_CODE_BETAS) ?? 'effort-2025-11-24';
    const version = headers['anthropic-version'] ?? '';
    const response = await gateway.post(PATH, sent, {
      headers: { 'anthropic-version': version, 'anthropic-beta': beta },
    });
    await response.text();
    expect(response.status).toBe(200);
    expect(lastRequest().body.toString()).toBe(sent.replace('"model":"claude"', '"model":"theirs"'));
    expect(lastRequest().headers).toMatchObject({ 'anthropic-version': version, 'anthropic-beta': beta });
    expect(lastRequest().path).toBe('/anthropic/v1/messages');
  },
);

test('a plain answer passes byte for byte, and is charged by its usage: each class of tokens once', async () => {
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: 100,
    cache_creation_input_tokens: 70,
    cache_creation: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 30 },
    output_tokens: 20,
  };
  const answer = JSON.stringify(message([{ type: 'text', text: 'é' }], { usage, unknown: 1e2 }), null, 1);
  gateway.script(answering(200, answer));
  const response = await send();
  expect(await response.text()).toBe(answer);
  // 10 × 1 + 100 × 0.1 + 40 × 1.25 + 30 × 2 + 20 × 10, in millionths of a dollar.
  expect(response.headers.get('x-faregate-charge')).toBe('0.00033');
  expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'));
  expect(await receiptOf(response)).toMatchObject({ outcome: 'completed', charge: 330_000n, certainty: 'exact' });
  const receipt = await fetch(`${gateway.url}/v1/receipts/${response.headers.get('x-request-id')}`, {
    headers: { authorization: `Bearer ${gateway.key}` },
  });
  expect(await receipt.json()).toMatchObject({ dialect: 'messages' });
});

test('a stream passes event for event, under their names, and has the charge in a comment of message_stop', async () => {
  const start = {
    ...START,
    message: message([], { usage: { input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 1 } }),
  };
  const sent = [start, { type: 'ping' }, ...DELTAS, { type: 'unheard_of', x: [1] }, STOP, END];
  gateway.script(rawStreaming(streamOf(...sent)));
  const response = await send({ stream: true });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const text = await response.text();
  expect(eventsOf(text)).toEqual(sent);
  expect(text.endsWith(`: faregate-charge 0.0001194\n${streamOf(END)}`)).toBe(true);
  expect(await receiptOf(response)).toMatchObject({ outcome: 'completed', certainty: 'exact', charge: 119_400n });
});

test('an event that corrects an earlier one’s input is charged, not the sum nor the larger of both', async () => {
  const usage = { input_tokens: 2, cache_read_input_tokens: 8, output_tokens: 3 };
  gateway.script(rawStreaming(streamOf(START, ...DELTAS, { ...STOP, usage }, END)));
  const response = await send({ stream: true });
  await response.text();
  expect(await receiptOf(response)).toMatchObject({ charge: 2_000n + 800n + 30_000n });
});

test('the official client reads answers, streams and tools', async () => {
  const tools: Anthropic.Tool[] = [{ name: 'weather', input_schema: { type: 'object' } }];
  const call = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Rome' } };
  gateway.script(answering(200, message([call], { stop_reason: 'tool_use' })));
  const created = await client().messages.create({ ...BODY, messages: [{ role: 'user', content: 'hi' }], tools });
  expect(created).toMatchObject({ content: [call], stop_reason: 'tool_use' });
  gateway.script(rawStreaming(streamOf(START, ...DELTAS, STOP, END)));
  const streamed = await client()
    .messages.stream({ ...BODY, messages: [{ role: 'user', content: 'hi' }] })
    .finalMessage();
  expect(streamed).toMatchObject({ content: [{ text: 'hello' }], usage: { output_tokens: 11 } });
});

test('a key counts in x-api-key, as Anthropic’s clients send it; a bearer comes first', async () => {
  gateway.script(answering(200, message([])));
  const headers = { 'content-type': 'application/json', 'x-api-key': gateway.key };
  const body = JSON.stringify(BODY);
  const only = await fetch(gateway.url + PATH, { method: 'POST', headers, body });
  expect(only.status).toBe(200);
  await only.text();
  const both = await send({}, { 'x-api-key': 'sk-ant-of-somebody' });
  expect(both.status).toBe(200);
  await both.text();
  expect(JSON.stringify(lastRequest().headers)).not.toContain('sk-ant-of-somebody');
  const wrong = await fetch(gateway.url + PATH, {
    method: 'POST',
    headers: { ...headers, 'x-api-key': 'nonsense' },
    body,
  });
  expect(wrong.status).toBe(401);
  expect(wrong.headers.get('x-should-retry')).toBe('false');
  expect(await wrong.json()).toMatchObject({
    type: 'error',
    error: { type: 'authentication_error', code: 'INVALID_API_KEY' },
    request_id: wrong.headers.get('request-id'),
  });
});

test('what the provider rejects is told in its own words, to which its clients adapt', async () => {
  const text = 'prompt is too long: 210000 tokens > 200000 maximum';
  const error = { type: 'invalid_request_error', message: text };
  gateway.script(answering(400, { type: 'error', error }));
  const response = await send();
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { message: text, type: 'invalid_request_error' } });
  expect(response.headers.get('x-should-retry')).toBe('false');
  expect(await receiptOf(response)).toMatchObject({ outcome: 'failed', charge: 0n });
});

test('an error before anything is written has a status, and one behind it is an error event at the end', async () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  gateway.script(rawStreaming(streamOf(START, { type: 'ping' }, error)));
  const early = await send({ stream: true });
  expect(early.status).toBe(503);
  expect(await early.json()).toMatchObject({ error: { type: 'overloaded_error', code: 'MODEL_UNAVAILABLE' } });
  expect(Number(early.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  gateway.script(rawStreaming(streamOf(START, ...DELTAS.slice(0, 2), error)));
  const late = await send({ stream: true });
  const events = eventsOf(await late.text());
  expect(events.at(-1)).toMatchObject({
    type: 'error',
    error: { type: 'overloaded_error', code: 'MODEL_UNAVAILABLE' },
  });
  // The input as it was reported, and the output by its bytes.
  expect(await receiptOf(late)).toMatchObject({ outcome: 'interrupted', certainty: 'estimated', input: 7, output: 1 });
});

test('a stream that is cut between its reason to stop and its stop is whole, and its clients get the stop', async () => {
  gateway.script(rawStreaming(streamOf(START, ...DELTAS, STOP)));
  const response = await send({ stream: true });
  expect(eventsOf(await response.text()).slice(-2)).toMatchObject([STOP, END]);
  expect(await receiptOf(response)).toMatchObject({ outcome: 'completed', certainty: 'exact' });
});

test('a silent stream is pinged by an event of its own', async () => {
  gateway.script((response) => {
    beginStream(response);
    setTimeout(() => response.end(streamOf(START, ...DELTAS, STOP, END)), 2_500);
  });
  const response = await send({ stream: true });
  const types = eventsOf(await response.text()).map(({ type }) => type);
  expect(types[0]).toBe('ping');
  expect(types.at(-1)).toBe('message_stop');
});

test('a repeat with the same Idempotency-Key gets the same stream, and the same key for a chat request is refused', async () => {
  gateway.script(rawStreaming(streamOf(START, ...DELTAS, STOP, END)));
  const headers = { 'idempotency-key': 'order-1' };
  const first = withoutPings(await (await send({ stream: true }, headers)).text());
  const before = gateway.upstream.requests.length;
  const repeat = await send({ stream: true }, headers);
  expect(await repeat.text()).toBe(first);
  expect(gateway.upstream.requests).toHaveLength(before);
  const other = await gateway.post('/v1/chat/completions', JSON.stringify({ ...BODY, stream: true }), { headers });
  expect(other.status).toBe(422);
});

test('a maximum above 8,192 tokens is a ceiling that the money lowers, thoughts with it; a smaller one is held', async () => {
  gateway.script(answering(200, message([])));
  const poor = { authorization: `Bearer ${await gateway.openAccount({ credit: 100_000_000n })}` };
  const thinking = { type: 'enabled', budget_tokens: 31_999 };
  const response = await send({ max_tokens: 128_000, thinking }, poor);
  expect(response.status).toBe(200);
  await response.text();
  const shortened = Number(response.headers.get('x-faregate-shortened'));
  expect(shortened).toBeGreaterThanOrEqual(1_024);
  expect(shortened).toBeLessThan(128_000);
  const sent = JSON.parse(lastRequest().body.toString()) as { max_tokens: number; thinking: { budget_tokens: number } };
  expect(sent.max_tokens).toBe(shortened);
  expect(sent.thinking.budget_tokens).toBeLessThan(shortened);
  const small = await send(
    { max_tokens: 8_000 },
    { authorization: `Bearer ${await gateway.openAccount({ credit: 50_000_000n })}` },
  );
  expect(small.status).toBe(402);
  expect(small.headers.get('x-should-retry')).toBe('false');
  expect(await small.json()).toMatchObject({ error: { type: 'billing_error', code: 'INSUFFICIENT_BALANCE' } });
});

test('a ceiling does not count towards the tokens per minute, and a maximum that is held does', async () => {
  gateway.script(rawStreaming(streamOf(START, ...DELTAS, STOP, END)));
  const leftOf = async (maxTokens: number): Promise<number> => {
    const key = await gateway.openAccount({ credit: 10_000_000_000n, project: { tokensPerMinute: 10_000 } });
    const response = await send({ stream: true, max_tokens: maxTokens }, { authorization: `Bearer ${key}` });
    await response.text();
    return Number(response.headers.get('x-ratelimit-remaining-tokens'));
  };
  expect(await leftOf(8_000)).toBeLessThan(2_000);
  expect(await leftOf(9_000)).toBeGreaterThan(8_000);
});

test('a maximum cost bounds a request, and a quote says what it would hold', async () => {
  const refused = await send({ max_tokens: 5_000 }, { 'x-faregate-max-cost': '0.001' });
  expect(refused.status).toBe(402);
  expect(await refused.json()).toMatchObject({ error: { code: 'MAX_COST_EXCEEDED' } });
  const quote = await gateway.post(
    '/v1/quote',
    JSON.stringify({ ...BODY, system: 'Be brief.', stop_sequences: ['x'] }),
    {
      headers: { 'anthropic-version': '2023-06-01' },
    },
  );
  expect(await quote.json()).toMatchObject({ allowed: true, model: 'claude', output_tokens_max: 50 });
});

test('a tool that the provider would run is taken out where it is on offer, told, and refused where it is demanded', async () => {
  gateway.script(answering(200, message([])));
  const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 };
  const own = { name: 'weather', input_schema: { type: 'object' } };
  const offered = await send({ tools: [search, own, search], tool_choice: { type: 'auto' } });
  expect(offered.status).toBe(200);
  expect(offered.headers.get('x-faregate-left-out')).toContain('web_search_20250305');
  await offered.text();
  expect(JSON.parse(lastRequest().body.toString())).toMatchObject({ tools: [own] });
  const demanded = await send({ tools: [search, own], tool_choice: { type: 'tool', name: 'web_search' } });
  expect(await demanded.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param: 'tool_choice' } });
  const alone = await send({ tools: [search] });
  expect(alone.headers.get('x-faregate-left-out')).toBe('web_search_20250305');
  await alone.text();
  expect(JSON.parse(lastRequest().body.toString())).not.toHaveProperty('tools');
});

const FILE = { type: 'document', source: { type: 'file', file_id: 'file_of_another' } };

test.each([
  ['a file by its id', { messages: [{ role: 'user', content: [FILE] }] }, 'messages[0].content[0].source.file_id'],
  [
    'a file by its id in a tool’s result',
    { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [FILE] }] }] },
    'messages[0].content[0].content[0].source.file_id',
  ],
  ['a file by its id in the system’s text', { system: [FILE] }, 'system[0].source.file_id'],
  [
    'a file that is put into a container',
    { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'file_of_another' }] }] },
    'messages[0].content[0].file_id',
  ],
  ['a container', { container: 'container_of_another' }, 'container'],
  ['a remote server', { mcp_servers: [{ type: 'url', url: 'https://x' }] }, 'mcp_servers'],
  ['a faster speed', { speed: 'fast' }, 'speed'],
  ['a place of inference', { inference_geo: 'us' }, 'inference_geo'],
  [
    'a summary that is written besides',
    { context_management: { edits: [{ type: 'compact_20260112' }] } },
    'context_management.edits[0].type',
  ],
  ['no maximum', { max_tokens: null }, 'max_tokens'],
  ['a maximum above the model’s', { max_tokens: 200_000 }, 'max_tokens'],
])(
  'what costs more than its tokens, or is another workspace’s, is refused before it is sent: %s',
  async (_what, fields, param) => {
    const before = gateway.upstream.requests.length;
    const response = await send(fields);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ type: 'error', error: { code: 'INVALID_REQUEST', param } });
    expect(gateway.upstream.requests).toHaveLength(before);
  },
);

test('an answer by a schema conforms to it, and is asked for again until it does', async () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
    additionalProperties: false,
  };
  let asked = 0;
  gateway.script((response, request) => {
    asked++;
    const text = asked === 1 ? '{"n":"one"}' : '{"n":1}';
    answering(200, message([{ type: 'text', text }]))(response, request);
  });
  const response = await send({ output_config: { format: { type: 'json_schema', schema } } });
  expect(await response.json()).toMatchObject({ type: 'message', content: [{ type: 'text', text: '{"n":1}' }] });
  expect(asked).toBe(2);
});

const count = (fields: object = {}, key = gateway.key) =>
  gateway.post(`${PATH}/count_tokens`, JSON.stringify({ model: 'claude', messages: BODY.messages, ...fields }), {
    headers: { 'anthropic-version': '2023-06-01', authorization: `Bearer ${key}` },
  });

test('tokens are counted by the provider where it can, 25 texts in parallel, and cost nothing', async () => {
  gateway.script(answering(200, { input_tokens: 42 }));
  const before = await gateway.books();
  const answers = await Promise.all(Array.from({ length: 25 }, () => count({ tools: [] })));
  for (const answer of answers) {
    expect(await answer.json()).toEqual({ input_tokens: 42 });
    expect(answer.headers.get('x-faregate-estimate')).toBeNull();
  }
  expect(lastRequest().path).toBe('/anthropic/v1/messages/count_tokens');
  expect(JSON.parse(lastRequest().body.toString())).toEqual({ model: 'theirs', messages: BODY.messages, tools: [] });
  expect(await gateway.books()).toEqual(before);
});

test.each([
  ['the provider fails', 'claude'],
  ['the provider has no way to count', 'gpt'],
])('tokens are estimated where %s, and the answer says so', async (_where, model) => {
  gateway.script(answering(500, {}));
  const answer = await count({ model, system: 'a'.repeat(4_000) });
  const { input_tokens: tokens } = (await answer.json()) as { input_tokens: number };
  expect(tokens).toBeGreaterThan(1_000);
  expect(tokens).toBeLessThan(1_100);
  expect(answer.headers.get('x-faregate-estimate')).toBe('true');
});

test('a key that has tokens counted too often is told when to come back, and others are not held up', async () => {
  const key = await gateway.openAccount({ credit: 1n });
  // A few more than a minute's worth: on a slow machine some come back while they are asked for.
  const answers = await Promise.all(Array.from({ length: 200 }, () => count({ model: 'gpt' }, key)));
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited.length).toBeGreaterThan(0);
  expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await limited[0]?.json()).toMatchObject({ error: { type: 'rate_limit_error', code: 'RATE_LIMITED' } });
  expect((await count({ model: 'gpt' })).status).toBe(200);
});

test('models are listed in Anthropic’s form for a caller that names a version of its API, in OpenAI’s for any other', async () => {
  const ids: string[] = [];
  for await (const { id, type, created_at: createdAt } of client().models.list({ limit: 1_000 })) {
    ids.push(id);
    expect({ type, isTime: !Number.isNaN(Date.parse(createdAt)) }).toEqual({ type: 'model', isTime: true });
  }
  expect(ids).toContain('claude');
  // It is no model of chat.
  expect(ids).not.toContain('embed');
  expect(await client().models.retrieve('claude')).toMatchObject({ id: 'claude', type: 'model', max_tokens: 128_000 });
  await expect(client().models.retrieve('none')).rejects.toMatchObject({ status: 404, type: 'not_found_error' });
  const other = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${gateway.key}` } });
  expect(await other.json()).toMatchObject({ object: 'list' });
});

test('paths, methods and bodies that are wrong are told in Anthropic’s form too', async () => {
  const wrong = await fetch(gateway.url + PATH, { headers: { 'x-api-key': gateway.key } });
  expect(wrong.status).toBe(405);
  expect(await wrong.json()).toMatchObject({ type: 'error', error: { code: 'METHOD_NOT_ALLOWED' } });
  const broken = await gateway.post(PATH, '{"model":');
  expect(await broken.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
});

test('after all messages the ledger is whole', async () => {
  expect(await gateway.books()).toMatchObject({ ok: true });
});
