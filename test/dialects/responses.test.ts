import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type Program, startProgram } from '../support/program.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// OpenAI's own SDK at /v1/responses, its base URL and key changed and nothing else: with a provider that speaks
// Responses, which gets and gives bytes as they are, and with those that are translated to and from chat.

const NATIVE_KEY = 'sk-upstream-0123456789abcdef';
const PRICE = 'price: { input: "1", output: "10" }, context_window: 128000, max_output: 4096';
const PRICES = { input: 1_000n, output: 10_000n };

let program: Program;
let upstream: ScriptedUpstream;
let script: Script;
let tenant: Tenant;
let client: OpenAI;

beforeAll(async () => {
  upstream = await startScriptedUpstream((response, request) => script(response, request));
  const config = `
providers:
  native: { kind: openai, profile: openai, base_url: "${upstream.origin}/v1", api_key: "${NATIVE_KEY}", accept_fields: [of_next_year] }
  chat: { kind: openai, base_url: "${upstream.origin}/chat/v1" }
  sandbox: { kind: sandbox }
responses: { store_for: 0s }
models:
  - { id: native, routes: [{ provider: native, model: gpt-native }], ${PRICE} }
  - { id: carried, routes: [{ provider: chat, model: gpt-chat }], ${PRICE} }
  - { id: vast, routes: [{ provider: chat, model: gpt-vast }], price: { input: "1", output: "10" }, context_window: 2000000, max_output: 4096 }
  - { id: echo, routes: [{ provider: sandbox, model: echo }], ${PRICE} }
  - { id: tool-call, routes: [{ provider: sandbox, model: tool-call }], ${PRICE} }
  - { id: json, routes: [{ provider: sandbox, model: json }], ${PRICE} }
`;
  program = await startProgram({ config, beside: [upstream] });
  tenant = await program.createTenant();
  client = new OpenAI({ apiKey: tenant.key, baseURL: `${program.url}/v1`, maxRetries: 0 });
});

beforeEach(() => {
  script = (response) => response.writeHead(500).end();
});

afterAll(() => program.dispose());

/** Sends a body as it is. */
function post(body: string | Buffer, path = '/v1/responses', headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${program.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json', ...headers },
    body,
  });
}

async function receiptOf(
  requestId: string | null | undefined,
): Promise<{ charge: bigint; dialect: string; outcome: string }> {
  const receipt = await program.admin.showReceipt(requestId ?? '');
  return { charge: BigInt(receipt.charge_nano_usd), dialect: receipt.dialect, outcome: receipt.outcome };
}

/** What so much usage costs. */
function chargeFor({
  input_tokens: input,
  output_tokens: output,
}: {
  input_tokens: number;
  output_tokens: number;
}): bigint {
  return BigInt(input) * PRICES.input + BigInt(output) * PRICES.output;
}

const USAGE = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 18,
};

/** A response as a provider might write it, with what nobody expects. */
const NATIVE_ANSWER = ` {"id":"resp_up","object":"response", "status":"completed","error":null,"model":"gpt-native-2026","of_next_year":12345678901234567890,
 "output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"hi","annotations":[]}]}],
 "usage":${JSON.stringify(USAGE)}}`;

/** The events of such a stream, by their payloads. */
const NATIVE_EVENTS = [
  '{"type":"response.created","sequence_number":0,"response":{"id":"resp_up","status":"in_progress","output":[]}}',
  '{"type":"response.in_progress","sequence_number":1,"response":{"id":"resp_up","status":"in_progress","output":[]}}',
  '{"type":"response.output_item.added","sequence_number":2,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}',
  '{"type":"response.content_part.added","sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}',
  '{"type":"response.output_text.delta", "sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"h\\u00ef","obfuscation":"x"}',
  '{"type":"response.of_next_year","sequence_number":5,"n":12345678901234567890}',
  '{"type":"response.output_text.done","sequence_number":6,"item_id":"msg_1","output_index":0,"content_index":0,"text":"hï"}',
  '{"type":"response.output_item.done","sequence_number":7,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"hï","annotations":[]}]}}',
  `{"type":"response.completed","sequence_number":8,"response":{"id":"resp_up","status":"completed","error":null,"output":[],"usage":${JSON.stringify(USAGE)}}}`,
];

function framed(payloads: readonly string[]): string {
  return payloads
    .map((payload) => `event: ${(JSON.parse(payload) as { type: string }).type}\ndata: ${payload}\n\n`)
    .join('');
}

function streams(payloads: readonly string[]): Script {
  return (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(framed(payloads));
}

/** Answers a chat request with these chunks. */
function chunks(...deltas: readonly object[]): Script {
  const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
  const payloads = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage },
  ].map(
    (chunk) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt', ...chunk })}\n\n`,
  );
  return (response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${payloads.join('')}data: [DONE]\n\n`);
}

test('a plain response of a translated model is answered, charged by its usage, and has its dialect on the receipt', async () => {
  const { data, response } = await client.responses.create({ model: 'echo', input: 'hello' }).withResponse();
  expect(data).toMatchObject({ status: 'completed', output_text: 'hello', store: false });
  const receipt = await receiptOf(response.headers.get('x-request-id'));
  expect(receipt).toEqual({ charge: chargeFor(data.usage!), dialect: 'responses', outcome: 'completed' });
  expect(response.headers.get('x-faregate-charge')).not.toBeNull();
});

test("a streamed response of a translated model is what the SDK's own stream builds a whole response from", async () => {
  const stream = client.responses.stream({ model: 'echo', input: 'hello there' });
  const types: string[] = [];
  for await (const event of stream) types.push(event.type);
  const final = await stream.finalResponse();
  expect(final).toMatchObject({ status: 'completed', output_text: 'hello there' });
  expect(types[0]).toBe('response.created');
  expect(types.at(-1)).toBe('response.completed');
  expect(final.usage?.total_tokens).toBeGreaterThan(0);
});

test('a call of a tool is answered by its output in the next request, with all items sent again', async () => {
  const tools = [
    { type: 'function' as const, name: 'weather', parameters: { type: 'object', properties: {} }, strict: false },
  ];
  const first = await client.responses.create({ model: 'tool-call', input: 'weather', tools, store: false });
  const call = first.output.find((item) => item.type === 'function_call');
  expect(call).toMatchObject({ name: 'weather' });
  const output = { type: 'function_call_output' as const, call_id: call!.call_id, output: 'sunny' };
  const input = [
    { role: 'user' as const, content: 'weather' },
    ...(first.output as OpenAI.Responses.ResponseInputItem[]),
    output,
  ];
  const second = await client.responses.create({ model: 'echo', input, tools, store: false });
  expect(second.status).toBe('completed');
});

test('reasoning of a translated answer is not sent to a provider that speaks Responses, which would refuse it', async () => {
  script = chunks({ reasoning_content: 'Hm.' }, { content: 'Right.' });
  const first = await client.responses.stream({ model: 'carried', input: 'hi', store: false }).finalResponse();
  expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
  const ownAt = { type: 'reasoning', id: 'rs_own', summary: [], encrypted_content: 'gAAAAA-of-its-own' };
  const said = first.output as OpenAI.Responses.ResponseInputItem[];
  const input = [{ role: 'user', content: 'hi' }, ...said, ownAt, { role: 'user', content: 'go on' }];

  script = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(NATIVE_ANSWER);
  const moved = await post(JSON.stringify({ model: 'native', input }));
  expect([moved.status, moved.headers.get('x-faregate-left-out')]).toEqual([200, 'reasoning']);
  const { input: sent } = JSON.parse(String(upstream.requests.at(-1)?.body)) as { input: unknown };
  expect(sent).toEqual([input[0], said[1], ownAt, input.at(-1)]);
});

test('an answer by a schema is what the SDK parses with zod', async () => {
  const format = zodTextFormat(z.object({ city: z.string(), days: z.array(z.int()) }), 'trip');
  const parsed = await client.responses.parse({ model: 'json', input: 'plan', text: { format } });
  expect(parsed.output_parsed).toMatchObject({ city: expect.any(String), days: expect.any(Array) });
  const streamed = await client.responses.stream({ model: 'json', input: 'plan', text: { format } }).finalResponse();
  expect(streamed.output_parsed).toEqual(parsed.output_parsed);
});

test('a request to a provider that speaks Responses arrives as it was sent, but for its model and keeping nothing', async () => {
  script = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(NATIVE_ANSWER);
  const body = `{ "model":"native", "input":[{"role":"user","content":"hi"}],"of_next_year":[1e2, 12345678901234567890],"tools":[{"type":"web_search"},{"type":"custom","name":"p"}], "store" : true}`;
  const answer = await post(body);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe(NATIVE_ANSWER);
  const sent = upstream.requests.at(-1);
  expect(sent?.path).toBe('/v1/responses');
  expect(sent?.headers['authorization']).toBe(`Bearer ${NATIVE_KEY}`);
  expect(sent?.body.toString()).toBe(
    body
      .replace('"native"', '"gpt-native"')
      .replace('{"type":"web_search"},', '')
      .replace('"store" : true', '"store" : false'),
  );
  expect(answer.headers.get('x-faregate-left-out')).toBe('web_search');
  const receipt = await receiptOf(answer.headers.get('x-request-id'));
  expect(receipt).toEqual({ charge: chargeFor(USAGE), dialect: 'responses', outcome: 'completed' });
});

test('the events of a provider that speaks Responses arrive byte for byte, and the last one when it is paid', async () => {
  script = streams(NATIVE_EVENTS);
  const answer = await post('{"model":"native","input":"hi","stream":true}');
  const text = await answer.text();
  expect(text.replace(/: faregate-charge .*\n/, '')).toBe(framed(NATIVE_EVENTS));
  const receipt = await receiptOf(answer.headers.get('x-request-id'));
  expect(receipt).toEqual({ charge: chargeFor(USAGE), dialect: 'responses', outcome: 'completed' });
});

test('a stream that fails before it has said anything has its own status, and one that breaks off a failed response', async () => {
  const failed = `{"type":"response.failed","sequence_number":2,"response":{"id":"resp_up","status":"failed","error":{"code":"server_error","message":"oh no"}}}`;
  script = streams([...NATIVE_EVENTS.slice(0, 2), failed]);
  const early = await post('{"model":"native","input":"hi","stream":true}');
  expect(early.status).toBe(503);
  expect(await early.json()).toMatchObject({ error: { code: 'MODEL_UNAVAILABLE' } });

  script = streams(NATIVE_EVENTS.slice(0, 5));
  const late = await post('{"model":"native","input":"hi","stream":true}');
  const events = (await late.text()).trim().split('\n\n');
  expect(events.at(-1)).toMatch(/^event: response\.failed\ndata: /);
  expect(JSON.parse(events.at(-1)!.split('data: ')[1] ?? '')).toMatchObject({
    type: 'response.failed',
    sequence_number: 5,
    response: { status: 'failed', error: { code: 'server_error' } },
  });
  expect(await receiptOf(late.headers.get('x-request-id'))).toMatchObject({ outcome: 'interrupted' });
});

test.each([
  [
    'fails',
    '{"type":"response.failed","sequence_number":5,"response":{"error":{"code":"server_error","message":"gpu-7"}}}',
    'broken',
  ],
  [
    'reports an error',
    '{"type":"error","sequence_number":5,"code":"server_error","message":"gpu-7","param":null}',
    'broken',
  ],
  ['sends what is no JSON', '{"type":"response.output_text.delta","delta":"gpu-7', 'malformed'],
  ['sends what is no event', '{"error":{"message":"gpu-7"}}', 'malformed'],
])(
  'a response whose provider %s midway ends in a failed one, which tells nothing of the provider',
  async (_what, last, fault) => {
    const failing = `${framed(NATIVE_EVENTS.slice(0, 5))}data: ${last}\n\n`;
    script = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(failing);
    const answer = await post('{"model":"native","input":"hi","stream":true}');
    const text = await answer.text();
    expect(text).toContain('h\\u00ef');
    expect(text).not.toContain('gpu-7');
    expect(text.trim().split('\n\n').at(-1)).toMatch(/^event: response\.failed\ndata: .*"sequence_number":5/);
    expect(await program.admin.showReceipt(answer.headers.get('x-request-id') ?? '')).toMatchObject({
      outcome: 'interrupted',
      attempts: [{ fault }],
    });
  },
);

test('an error with the status of an answer is none', async () => {
  for (const error of ['{"error":{"message":"gpu-7"}}', '{"object":"error","message":"gpu-7","code":500}']) {
    script = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(error);
    const answer = await post('{"model":"native","input":"hi"}');
    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toContain('gpu-7');
  }
});

test('tools of an agent are carried to a provider of chat, and its calls come back under their own names', async () => {
  script = chunks({
    tool_calls: [
      {
        index: 0,
        id: 'call_1',
        type: 'function',
        function: { name: 'multi_agent_v1__spawn_agent', arguments: '{"message":"hi"}' },
      },
    ],
  });
  const { body } = JSON.parse(
    readFileSync(new URL('../fixtures/agents/codex-namespace-turn2.json', import.meta.url), 'utf8'),
  ) as { body: object };
  const answer = await post(JSON.stringify({ ...body, model: 'carried' }));
  expect(answer.headers.get('x-faregate-left-out')).toBe('web_search');
  expect(await answer.text()).toContain('"item":{"id":"fc_');
  const sent = JSON.parse(String(upstream.requests.at(-1)?.body)) as OpenAI.ChatCompletionCreateParams;
  expect(sent.messages.find(({ role }) => role === 'tool')).toMatchObject({ tool_call_id: 'call_00000005' });
  expect(sent.tools?.length).toBeGreaterThan(5);
});

test('a request of a megabyte is translated like any other, its tools included', async () => {
  script = chunks({
    tool_calls: [
      { index: 0, id: 'call_1', type: 'function', function: { name: 'apply_patch', arguments: '{"input":"a"}' } },
    ],
  });
  // A bound that no double holds, as schemas made from 64-bit integers have it.
  const bound = '{"type":"object","properties":{"at":{"type":"integer","maximum":18446744073709551615}}}';
  const tools = `[{"type":"custom","name":"apply_patch"},{"type":"function","name":"seek","parameters":${bound}}]`;
  const input = Array.from({ length: 1_000 }, () => ({ role: 'user', content: 'x'.repeat(1_000) }));
  const answer = await post(`{"model":"vast","input":${JSON.stringify(input)},"tools":${tools},"stream":true}`);
  const text = await answer.text();
  expect(text).toContain('"type":"custom_tool_call","name":"apply_patch"');
  expect(text).toContain('"maximum":18446744073709551615');
  const sent = String(upstream.requests.at(-1)?.body);
  expect(sent.length).toBeGreaterThan(1_000_000);
  expect(sent).toContain('"maximum":18446744073709551615');
});

test.each([
  [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
  [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0]'],
  [{ conversation: 'conv_1' }, 'conversation'],
  [{ input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] }, 'input[0].content[0].file_id'],
])('a request that refers to what is kept elsewhere is refused, and no provider sees it: %j', async (fields, param) => {
  const before = upstream.requests.length;
  const answer = await post(JSON.stringify({ model: 'native', input: 'hi', ...fields }));
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param } });
  expect(upstream.requests.length).toBe(before);
});

test('a request that no provider of its model has words for is refused by the field’s name, and nothing is spent', async () => {
  const answer = await post(JSON.stringify({ model: 'echo', input: 'hi', truncation: 'auto' }));
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param: 'truncation' } });
});

test('a repeat with the same Idempotency-Key gets the same response, and is charged once', async () => {
  const body = JSON.stringify({ model: 'echo', input: 'once', stream: true });
  const [one, other] = [
    await post(body, '/v1/responses', { 'idempotency-key': 'r1' }),
    await post(body, '/v1/responses', { 'idempotency-key': 'r1' }),
  ];
  expect(other.headers.get('x-faregate-replayed')).toBe(one.headers.get('x-request-id'));
  expect(await other.text()).toBe(await one.text());
});

test('an unknown model is told by the code that Codex takes as final', async () => {
  const answer = await post('{"model":"nobody","input":"hi"}');
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({
    error: { code: 'model_not_found', details: { code: 'MODEL_NOT_FOUND' } },
  });
});

test('a quote of a body for Responses says what the request would hold', async () => {
  const answer = await post('{"model":"echo","input":"hello","max_output_tokens":100}', '/v1/quote');
  expect(await answer.json()).toMatchObject({ allowed: true, output_tokens_max: 100 });
});

test('a route that does not exist names those that do', async () => {
  const answer = await post('{"model":"echo","prompt":"hello"}', '/v1/engines');
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain('POST /v1/responses');
});

test('a request for a WebSocket is told to use HTTP', async () => {
  const status = await new Promise((resolve, reject) => {
    httpRequest(`${program.url}/v1/responses`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      },
    })
      .on('response', (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(426);
});
