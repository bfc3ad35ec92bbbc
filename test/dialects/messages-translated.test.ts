import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANTHROPIC_ERROR, ANTHROPIC_MESSAGE, readMessageEvent } from '../support/anthropic-messages.ts';
import type { Gateway } from '../wire/gateway.ts';
import {
  answering,
  chunk,
  completion,
  finish,
  gradually,
  rawStreaming,
  streaming,
  text,
  usageChunk,
} from '../wire/upstream-scripts.ts';
import { eventsOf, message, startMessagesGateway, streamOf } from './messages-stage.ts';

// Message requests to models whose providers speak other APIs: what both sides can say arrives, in both directions, and
// what can't be said is refused by its name before anything is sent.

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startMessagesGateway();
});
afterAll(() => gateway?.stop());

const BODY = { model: 'gpt', max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] } as const;

const checkEvent = (event: { readonly type: string }): object =>
  event.type === 'error'
    ? ANTHROPIC_ERROR.parse(event)
    : readMessageEvent({ name: event.type, data: JSON.stringify(event) });

/** An answer, once it and each of its events are known to be as the types of Anthropic's SDK say. */
async function send(fields: object = {}): Promise<Response> {
  const body = JSON.stringify({ ...BODY, ...fields });
  const response = await gateway.post('/v1/messages', body, { headers: { 'anthropic-version': '2023-06-01' } });
  const answer = await response.clone().text();
  if (response.status !== 200) ANTHROPIC_ERROR.parse(JSON.parse(answer));
  else if (!response.headers.get('content-type')?.includes('event-stream')) ANTHROPIC_MESSAGE.parse(JSON.parse(answer));
  else for (const event of eventsOf(answer)) checkEvent(event);
  return response;
}

/** A stream of a provider that speaks the dialect. */
const NATIVE = streamOf(
  { type: 'message_start', message: message([]) },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'hi' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
);
const client = () => new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 });
const sent = () => JSON.parse(gateway.upstream.requests.at(-1)?.body.toString() ?? '') as Record<string, unknown>;
const tool = { name: 'weather', description: 'Tells it.', input_schema: { type: 'object', properties: {} } };
const CALLS = [
  { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome","id":9007199254740993}' } },
  { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '' } },
];

test('a conversation arrives as chat: the system, texts, images, documents, calls and their results', async () => {
  gateway.script(answering(200, completion()));
  const response = await send({
    system: [
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.' },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look:' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aWNv' } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'cGRm' } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } },
        ],
      },
      { role: 'system', content: 'It is noon.' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I call.' },
          { type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Rome' } },
          { type: 'tool_use', id: 't2', name: 'weather', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: 'sunny' },
          {
            type: 'tool_result',
            tool_use_id: 't2',
            is_error: true,
            content: [
              { type: 'text', text: 'no such city' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'bWFw' } },
            ],
          },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
    tools: [tool],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    stop_sequences: ['END'],
    temperature: 0.5,
    top_p: 0.9,
    metadata: { user_id: 'u' },
  });
  expect(response.status).toBe(200);
  expect(sent()).toEqual({
    model: 'theirs',
    max_tokens: 50,
    stop: ['END'],
    temperature: 0.5,
    top_p: 0.9,
    tools: [
      { type: 'function', function: { name: 'weather', description: 'Tells it.', parameters: tool.input_schema } },
    ],
    tool_choice: 'required',
    parallel_tool_calls: false,
    messages: [
      { role: 'system', content: 'Be brief.\n\nBe kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aWNv' } },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,cGRm' } },
          { type: 'text', text: 'plain' },
        ],
      },
      { role: 'system', content: 'It is noon.' },
      {
        role: 'assistant',
        content: 'I call.',
        tool_calls: [
          { id: 't1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
          { id: 't2', type: 'function', function: { name: 'weather', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 't1', content: 'sunny' },
      { role: 'tool', tool_call_id: 't2', content: 'The tool failed.\n\nno such city' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'The result of the tool call t2:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,bWFw' } },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
  });
});

test('an answer comes back as a message: reasoning, text and parallel calls, usage and the reason to stop', async () => {
  const usage = {
    prompt_tokens: 30,
    completion_tokens: 9,
    total_tokens: 39,
    prompt_tokens_details: { cached_tokens: 20 },
  };
  const said = { role: 'assistant', content: 'I call.', reasoning_content: 'Hm.', tool_calls: CALLS };
  const choices = [{ index: 0, message: said, finish_reason: 'tool_calls' }];
  gateway.script(answering(200, { ...completion(), choices, usage }));
  const response = await send({ tools: [tool] });
  const answer = await response.text();
  expect(answer).toContain('9007199254740993');
  const id = response.headers.get('request-id') ?? '';
  expect(JSON.parse(answer)).toMatchObject({
    id: `msg_${id.replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: expect.stringMatching(/./) },
      { type: 'text', text: 'I call.' },
      { type: 'tool_use', id: 'call_1', name: 'weather' },
      { type: 'tool_use', id: 'call_2', name: 'weather', input: {} },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 10, cache_read_input_tokens: 20, cache_creation_input_tokens: 0, output_tokens: 9 },
  });
  expect(await gateway.receipt(id)).toMatchObject({ charge: 10_000n + 2_000n + 90_000n, certainty: 'exact' });
});

test.each([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['content_filter', 'refusal'],
])('a finish_reason becomes a reason to stop: %s', async (finishReason, stopReason) => {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: finishReason }];
  gateway.script(answering(200, { ...completion(), choices }));
  expect(await (await send()).json()).toMatchObject({ stop_reason: stopReason });
});

const delta = (fields: object): string => chunk([{ index: 0, delta: fields, finish_reason: null }]);
const part = (index: number, fields: object): string => delta({ tool_calls: [{ index, ...fields }] });

test('a stream comes back event by event, block by block, and the official client puts it together', async () => {
  gateway.script(
    streaming(
      delta({ role: 'assistant', reasoning_content: 'H' }),
      delta({ reasoning_content: 'm.' }),
      text('I '),
      text('call.'),
      part(0, { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }),
      part(0, { function: { arguments: '{"city":' } }),
      part(0, { function: { arguments: '"Rome"}' } }),
      part(1, { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{}' } }),
      chunk([{ index: 0, delta: {}, finish_reason: 'tool_calls' }]),
      usageChunk(),
    ),
  );
  const streamed = client().messages.stream({ ...BODY, messages: [...BODY.messages], tools: [tool as Anthropic.Tool] });
  const types: string[] = [];
  streamed.on('streamEvent', ({ type }) => void types.push(type));
  expect(await streamed.finalMessage()).toMatchObject({
    content: [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'I call.' },
      { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Rome' } },
      { type: 'tool_use', id: 'call_2', name: 'weather', input: {} },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 7, output_tokens: 5 },
  });
  const block = (deltas: number): string[] => [
    'content_block_start',
    ...Array.from({ length: deltas }, () => 'content_block_delta'),
    'content_block_stop',
  ];
  // Two pieces of the thought and its signature, two of the text, two of the first call's input and one of the second's.
  const blocks = [3, 2, 2, 1].flatMap(block);
  expect(types).toEqual(['message_start', ...blocks, 'message_delta', 'message_stop']);
});

test('a stream that breaks off ends with an error event, and is charged as chat’s is', async () => {
  gateway.script(streaming(text('hel'), '{"error":{"message":"no","type":"server_error"}}'));
  const response = await send({ stream: true });
  const events = eventsOf(await response.text());
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'MODEL_UNAVAILABLE' } });
  expect(events.map(({ type }) => type)).not.toContain('message_stop');
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ outcome: 'interrupted', certainty: 'estimated', output: 1 });
});

test('the receipt says what the answer’s provider was not sent, though a ping has sent the header of the try before', async () => {
  const pinged = Promise.withResolvers<void>();
  const failing = gradually(async (response) => {
    await pinged.promise;
    response.writeHead(500).end();
  });
  gateway.script((response, request) =>
    (request.path.startsWith('/anthropic/') ? rawStreaming(NATIVE) : failing)(response, request),
  );
  const marked = [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }];
  const body = { ...BODY, model: 'twice', stream: true, messages: [{ role: 'user', content: marked }] };
  const response = await gateway.post('/v1/messages', JSON.stringify(body));
  // The status has come, and so has a ping.
  pinged.resolve();
  expect(response.headers.get('x-faregate-left-out')).toBe('cache_control');
  expect((await response.text()).startsWith('event: ping')).toBe(true);
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ outcome: 'completed', left_out: [], attempts: [{ status: 500 }, { status: 200 }] });
});

test('an error before the first event has its own status, in Anthropic’s form', async () => {
  gateway.script(answering(400, { error: { message: 'too long', code: 'context_length_exceeded' } }));
  const response = await send({ stream: true });
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { message: string } };
  expect(error.message).toMatch(/^prompt is too long/);
});

test('reasoning goes back to the model that it came from, and the thoughts of other providers don’t', async () => {
  const said = { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: CALLS.slice(0, 1) };
  gateway.script(
    answering(200, { ...completion(), choices: [{ index: 0, message: said, finish_reason: 'tool_calls' }] }),
  );
  const { content } = (await (await send({ tools: [tool] })).json()) as { content: object[] };
  const foreign = { type: 'thinking', thinking: 'Aha.', signature: 'c2lnbmVk' };
  gateway.script(answering(200, completion()));
  const next = await send({
    tools: [tool],
    messages: [
      ...BODY.messages,
      { role: 'assistant', content: [foreign, ...content] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'sunny' }] },
    ],
  });
  expect(next.headers.get('x-faregate-left-out')).toBe('thoughts of another provider');
  expect(sent()['messages']).toMatchObject([
    {},
    { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: [{ id: 'call_1' }] },
    { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
  ]);
});

test('reasoning is not sent to a provider that reads none, when a conversation moves there', async () => {
  const said = { role: 'assistant', content: 'Right.', reasoning_content: 'Hm.' };
  gateway.script(answering(200, { ...completion(), choices: [{ index: 0, message: said, finish_reason: 'stop' }] }));
  const { content } = (await (await send()).json()) as { content: object[] };
  const messages = [...BODY.messages, { role: 'assistant', content }, { role: 'user', content: 'go on' }];
  gateway.script(answering(200, completion()));
  const moved = await send({ model: 'strict', messages });
  expect(moved.headers.get('x-faregate-left-out')).toBe('thoughts of another provider');
  expect(sent()['messages']).toEqual([
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'Right.' },
    { role: 'user', content: 'go on' },
  ]);
});

test('thoughts of a translated answer are not sent to a provider that would refuse their signature', async () => {
  const said = { role: 'assistant', content: 'I call.', reasoning_content: 'Hm.', tool_calls: CALLS.slice(0, 1) };
  gateway.script(
    answering(200, { ...completion(), choices: [{ index: 0, message: said, finish_reason: 'tool_calls' }] }),
  );
  const { content } = (await (await send({ tools: [tool] })).json()) as { content: { type: string }[] };
  const signed = { type: 'thinking', thinking: 'Aha.', signature: 'c2lnbmVk' };
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'sunny' }] };
  const turns = [
    { role: 'assistant', content: [content[0], signed, ...content.slice(1)] },
    result,
    { role: 'assistant', content: [content[0]] },
    { role: 'user', content: 'go on' },
  ];
  gateway.script(answering(200, message([{ type: 'text', text: 'Yes.' }])));
  const body = { ...BODY, model: 'claude', tools: [tool], messages: [...BODY.messages, ...turns] };
  const moved = await gateway.post('/v1/messages', JSON.stringify(body));
  expect([moved.status, moved.headers.get('x-faregate-left-out')]).toEqual([200, 'thoughts of another provider']);
  expect(sent()['messages']).toEqual([
    ...BODY.messages,
    { role: 'assistant', content: [signed, ...content.slice(1)] },
    result,
    { role: 'user', content: 'go on' },
  ]);
});

test.each([false, true])(
  'Gemini’s thought signatures come back in the next turn unchanged; streamed: %s',
  async (stream) => {
    const parts = [{ functionCall: { name: 'weather', args: { city: 'Rome' } }, thoughtSignature: 'c2lnbmF0dXJl' }];
    const answer = {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 5, totalTokenCount: 12 },
    };
    gateway.script((response) => {
      response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
      response.end(stream ? `data: ${JSON.stringify(answer)}\n\n` : JSON.stringify(answer));
    });
    const request = { ...BODY, model: 'gemini', messages: [...BODY.messages], tools: [tool as Anthropic.Tool] };
    const first = stream
      ? await client().messages.stream(request).finalMessage()
      : await client().messages.create(request);
    const call = first.content.find(({ type }) => type === 'tool_use');
    expect(call).toMatchObject({ name: 'weather', input: { city: 'Rome' } });
    const results = [{ type: 'tool_result', tool_use_id: (call as { id: string }).id, content: 'sunny' }];
    const next = await send({
      ...request,
      messages: [...BODY.messages, { role: 'assistant', content: first.content }, { role: 'user', content: results }],
    });
    await next.text();
    expect(JSON.stringify(sent())).toContain('"thoughtSignature":"c2lnbmF0dXJl"');
  },
);

test('how much to think is told to a model that thinks, and left out for one that does not', async () => {
  gateway.script(answering(200, completion()));
  const wish = { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } };
  await (await send({ ...wish, model: 'thinker' })).text();
  expect(sent()).toMatchObject({ reasoning_effort: 'high' });
  const plain = await send(wish);
  await plain.text();
  expect(sent()).not.toHaveProperty('reasoning_effort');
  expect(plain.headers.get('x-faregate-left-out')).toBe('thinking, output_config.effort');
});

test.each([
  ['an unknown field', { unheard_of: 1 }, 'unheard_of'],
  ['a field that OpenAI doesn’t know', { top_k: 5 }, 'top_k'],
  ['a tool without a schema of its own', { tools: [{ type: 'bash_20250124', name: 'bash' }, tool] }, 'tools[0].type'],
  [
    'a document by its URL',
    { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'url', url: 'https://x/a.pdf' } }] }] },
    'messages[0].content[0].source',
  ],
  [
    'a block of an unknown type',
    { messages: [{ role: 'user', content: [{ type: 'unheard_of' }] }] },
    'messages[0].content[0].type',
  ],
])('what can’t be said in chat is refused by its name, and nothing is sent: %s', async (_what, fields, param) => {
  const before = gateway.upstream.requests.length;
  const response = await send(fields);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { message: string } };
  expect(error).toMatchObject({ type: 'invalid_request_error', param });
  expect(error.message).toContain(`'${param}'`);
  expect(gateway.upstream.requests).toHaveLength(before);
});

const AGENTS = join(import.meta.dirname, '../fixtures/agents');
const RECORDED = readdirSync(AGENTS).filter((name) => /^(?:claude|sdk-(?:ai-)?anthropic)-/.test(name));

test.each(
  RECORDED.filter((name) => !/count-tokens|discovery/.test(name)).flatMap((name) =>
    ['gpt', 'thinker', 'gemini', 'echo'].map((model) => [name, model] as const),
  ),
)(
  'a recorded request of an agent is answered by a model of another kind, or refused by name: %s to %s',
  async (name, model) => {
    const { body } = JSON.parse(readFileSync(join(AGENTS, name), 'utf8')) as { body: Record<string, unknown> };
    const stream = body['stream'] === true;
    const gemini = JSON.stringify({
      candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 5, totalTokenCount: 12 },
    });
    gateway.script((response, request) => {
      if (model !== 'gemini')
        return (stream ? streaming(text('hi'), finish(), usageChunk()) : answering(200, completion()))(
          response,
          request,
        );
      response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
      return response.end(stream ? `data: ${gemini}\n\n` : gemini);
    });
    const response = await send({ ...body, model });
    const answer = await response.text();
    expect(`${response.status} ${answer}`).toMatch(/^200 /);
    if (stream) expect(eventsOf(answer).at(-1)).toEqual({ type: 'message_stop' });
    else expect(JSON.parse(answer)).toMatchObject({ type: 'message', stop_reason: 'end_turn' });
  },
);

test('a large request is translated as a small one is, and a fault in it is named', async () => {
  gateway.script(answering(200, completion()));
  const said = 'word '.repeat(100_000);
  const large = await send({ messages: [{ role: 'user', content: said }], context_management: { edits: [] } });
  expect(large.status).toBe(200);
  expect(large.headers.get('x-faregate-left-out')).toBe('context_management');
  expect(sent()['messages']).toEqual([{ role: 'user', content: said }]);
  const wrong = await send({ messages: [{ role: 'user', content: said }], unheard_of: 1 });
  expect(await wrong.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param: 'unheard_of' } });
});

test('the sandbox’s models answer in this dialect too: a text, and a round trip of a tool', async () => {
  const echo = await client().messages.create({
    ...BODY,
    model: 'echo',
    messages: [{ role: 'user', content: 'say it' }],
  });
  expect(echo).toMatchObject({ content: [{ type: 'text', text: 'say it' }], stop_reason: 'end_turn' });
  const tools = [tool as Anthropic.Tool];
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'call it' }];
  const called = await client()
    .messages.stream({ ...BODY, model: 'tool-call', messages, tools })
    .finalMessage();
  const call = called.content.find(({ type }) => type === 'tool_use');
  expect(call).toMatchObject({ name: 'weather' });
  messages.push({ role: 'assistant', content: called.content });
  messages.push({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: (call as { id: string }).id, content: 'sunny' }],
  });
  const last = await client().messages.create({ ...BODY, model: 'tool-call', messages, tools });
  expect(last).toMatchObject({ content: [{ type: 'text', text: 'The tool answered: sunny' }] });
});

test('after all translated messages the ledger is whole', async () => {
  expect(await gateway.books()).toMatchObject({ ok: true });
});

test('a stream starts with an estimate of its input, and the count of its provider takes its place at the end', async () => {
  gateway.script(streaming(delta({ content: 'hi' }), finish(), usageChunk()));
  const anthropic = new Anthropic({ apiKey: gateway.key, baseURL: gateway.url, maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'x'.repeat(4_000) }];
  const stream = anthropic.messages.stream({ model: 'gpt', max_tokens: 9, messages });
  const inputs: number[] = [];
  stream.on('streamEvent', (event) => {
    if (event.type === 'message_start') inputs.push(event.message.usage.input_tokens);
  });
  const { usage } = await stream.finalMessage();
  expect(inputs).toHaveLength(1);
  expect(inputs[0]).toBeGreaterThanOrEqual(1_000);
  expect(inputs[0]).toBeLessThan(1_100);
  expect(usage).toMatchObject({ input_tokens: 7, output_tokens: 5 });
});
