import { expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { RecordingSink } from '../../../../test/support/recording-sink.ts';
import { readRerankAnswer } from '../../dialects/rerank/rerank-answer.ts';
import { readChatRequest } from '../../openai/chat-request.ts';
import { embed, rerank } from '../../../../test/support/native-call.ts';
import type { ChatCall } from '../upstream.ts';
import { answerOf } from './answers.ts';
import { SANDBOX_MODELS, SANDBOX_PROVIDER } from './models.ts';
import { createSandboxUpstream } from './sandbox-upstream.ts';

const REQUEST_ID = '01920000-0000-7000-8000-000000000001';
const sandbox = createSandboxUpstream('sandbox', () => 1_795_000_000_500);

function chatCall(upstreamModel: string, more: object, cap: number | null = null): ChatCall {
  const body = {
    model: `sandbox/${upstreamModel}`,
    messages: [{ role: 'user', content: 'Hello there, Welt!' }],
    ...more,
  };
  const reading = readChatRequest(Buffer.from(JSON.stringify(body)));
  if (!reading.ok) throw new Error(reading.fault.message);
  return { upstreamModel, requestId: REQUEST_ID, request: reading.request, cap };
}

async function plain(model: string, more: object = {}, cap: number | null = null): Promise<WireAnswer> {
  const sink = new RecordingSink();
  sandbox.chat(chatCall(model, more, cap), sink);
  expect(sink.endings).toEqual([]);
  const ending = await sink.ended();
  if (ending.kind !== 'answer') throw new Error(`ended with ${JSON.stringify(ending)}`);
  return JSON.parse(ending.body.toString()) as WireAnswer;
}

/** A completion or chunk, as deep as these tests look. */
interface WireAnswer {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly finish_reason: string | null;
    readonly message: Spoken;
    readonly delta: Spoken;
  }[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
  } | null;
}

interface Spoken {
  readonly role?: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly id?: string;
    readonly function: { readonly name?: string; readonly arguments: string };
  }[];
}

async function streamed(model: string, more: object = {}, cap: number | null = null): Promise<readonly WireAnswer[]> {
  const sink = new RecordingSink();
  sandbox.chat(chatCall(model, { ...more, stream: true }, cap), sink);
  expect(sink.payloads).toEqual([]);
  expect(await sink.ended()).toEqual({ kind: 'end', done: true });
  return sink.texts.map((text) => JSON.parse(text) as WireAnswer);
}

function joined(chunks: readonly WireAnswer[], index = 0): string {
  return chunks
    .flatMap((chunk) => chunk.choices)
    .filter((choice) => choice.index === index)
    .map((choice) => choice.delta.content ?? '')
    .join('');
}

test('the sandbox’s echo answers what the user said last, as a completion of OpenAI', async () => {
  expect(await plain('echo')).toEqual({
    id: `chatcmpl-${REQUEST_ID}`,
    object: 'chat.completion',
    created: 1_795_000_000,
    model: 'echo',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello there, Welt!', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: 5,
      completion_tokens: 5,
      total_tokens: 10,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
    },
  });
});

test('the sandbox’s echo reads text out of content parts, and the last user message of several', async () => {
  const messages = [
    { role: 'user', content: 'first' },
    { role: 'assistant', content: 'ok' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'se' },
        { type: 'text', text: 'cond' },
      ],
    },
  ];
  expect((await plain('echo', { messages })).choices[0]?.message.content).toBe('second');
});

test('the sandbox’s echo streams the same text by words: role first, then finish_reason, then usage alone', async () => {
  const chunks = await streamed('echo');
  expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
  expect(joined(chunks)).toBe('Hello there, Welt!');
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
  expect(chunks.at(-1)).toMatchObject({
    choices: [],
    usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
  });
  expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
  expect(chunks).toHaveLength(6);
});

test('the sandbox’s echo says the same again, byte for byte', async () => {
  expect(await streamed('echo', { n: 2 })).toEqual(await streamed('echo', { n: 2 }));
});

test('the sandbox’s echo gives as many choices as were asked for, interleaved, and counts them all', async () => {
  const whole = await plain('echo', { n: 3 });
  expect(whole.choices.map((choice) => choice.index)).toEqual([0, 1, 2]);
  expect(whole.usage?.completion_tokens).toBe(15);
  const chunks = await streamed('echo', { n: 3 });
  expect(chunks.slice(0, 4).map((chunk) => chunk.choices[0]?.index)).toEqual([0, 1, 2, 0]);
  expect([joined(chunks, 0), joined(chunks, 2)]).toEqual(['Hello there, Welt!', 'Hello there, Welt!']);
  expect(chunks.at(-1)?.usage?.completion_tokens).toBe(15);
});

test.each([
  ['of the caller', { max_tokens: 2 }, null, 2],
  ["in the caller's newer field", { max_completion_tokens: 3 }, null, 3],
  ['of the call', {}, 1, 1],
  ['of the call below the caller’s', { max_tokens: 4 }, 2, 2],
])('an output cap is obeyed to the token: %s', async (_case, more, cap, tokens) => {
  const whole = await plain('echo', more, cap);
  expect(whole.choices[0]?.finish_reason).toBe('length');
  expect(whole.choices[0]?.message.content).toBe('Hello there, Welt!'.slice(0, tokens * 4));
  expect(whole.usage?.completion_tokens).toBe(tokens);
  const chunks = await streamed('echo', more, cap);
  expect(joined(chunks)).toBe('Hello there, Welt!'.slice(0, tokens * 4));
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('length');
});

test('an output cap never cuts a character in two, and still counts exactly', async () => {
  const messages = [{ role: 'user', content: 'äöüß€𝄞'.repeat(10) }];
  for (let cap = 1; cap < 20; cap++) {
    const whole = await plain('echo', { messages, max_tokens: cap });
    expect(whole.choices[0]?.message.content).not.toContain('�');
    expect(whole.usage?.completion_tokens).toBe(cap);
  }
});

test('an output cap cuts a tool call too', async () => {
  const tools = [
    { type: 'function', function: { name: 'find', parameters: { properties: { q: { type: 'string' } } } } },
  ];
  const whole = await plain('tool-call', { tools, max_tokens: 2 });
  expect(whole.choices[0]?.finish_reason).toBe('length');
  expect(whole.usage?.completion_tokens).toBe(2);
});

const tools = [
  {
    type: 'function',
    function: {
      name: 'weather',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 3 }, unit: { enum: ['C', 'F'] } },
        required: ['city'],
      },
    },
  },
  { type: 'function', function: { name: 'other' } },
];

test('the sandbox’s tool-call calls the first tool with arguments of its schema', async () => {
  const choice = (await plain('tool-call', { tools })).choices[0];
  expect(choice?.finish_reason).toBe('tool_calls');
  expect(choice?.message.content).toBeNull();
  expect(choice?.message.tool_calls?.[0]?.function.name).toBe('weather');
  const given: unknown = JSON.parse(choice?.message.tool_calls?.[0]?.function.arguments ?? '');
  expect(given).toEqual({ city: 'Hello there, Welt!', days: 3, unit: 'C' });
});

test('the sandbox’s tool-call streams the call: name and id first, then its arguments in pieces', async () => {
  const calls = (await streamed('tool-call', { tools })).flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
  expect(calls[0]).toMatchObject({ index: 0, type: 'function', function: { name: 'weather', arguments: '' } });
  expect(calls.length).toBeGreaterThan(2);
  expect(JSON.parse(calls.map((call) => call.function.arguments).join(''))).toMatchObject({ days: 3 });
});

test('the sandbox’s tool-call calls the tool that tool_choice names', async () => {
  const choice = { type: 'function', function: { name: 'other' } };
  const answer = await plain('tool-call', { tools, tool_choice: choice });
  expect(answer.choices[0]?.message.tool_calls?.[0]?.function).toEqual({ name: 'other', arguments: '{}' });
});

test('the sandbox’s tool-call answers with text once the tool has spoken, and where none may be called', async () => {
  const messages = [
    { role: 'user', content: 'weather?' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'weather', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: '22 °C' },
  ];
  expect((await plain('tool-call', { tools, messages })).choices[0]?.message.content).toBe('The tool answered: 22 °C');
  const none = await plain('tool-call', { tools, tool_choice: 'none' });
  expect(none.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'No tool was offered.' } });
});

test.each([
  ['an object without a schema', { type: 'json_object' }, { echo: 'Hello there, Welt!' }],
  [
    'what the schema asks for',
    {
      type: 'json_schema',
      json_schema: {
        name: 'answer',
        schema: {
          type: 'object',
          properties: {
            list: { type: 'array', items: { $ref: '#/$defs/item' }, minItems: 2 },
            when: { type: 'string', format: 'date' },
            kind: { const: 'x' },
          },
          $defs: {
            item: { type: 'object', properties: { ok: { type: 'boolean' }, n: { type: ['number', 'null'] } } },
          },
        },
      },
    },
    {
      list: [
        { ok: true, n: 1 },
        { ok: true, n: 1 },
      ],
      when: '2026-01-01',
      kind: 'x',
    },
  ],
])('the sandbox’s json answers %s', async (_case, format, expected) => {
  const answer = await plain('json', { response_format: format });
  expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toEqual(expected);
});

test.each([
  ['anything', 'failed', 500],
  ['400', 'rejected_request', 400],
  ['401', 'rejected_credentials', 401],
  ['429', 'overloaded', 429],
  ['503', 'failed', 503],
])('the sandbox’s error asked for %s is a fault before any event', async (content, kind, status) => {
  for (const stream of [false, true]) {
    const sink = new RecordingSink();
    sandbox.chat(chatCall('error', { messages: [{ role: 'user', content }], stream }), sink);
    expect(await sink.ended()).toMatchObject({ kind: 'fault', fault: { kind, status } });
    expect(sink.payloads).toEqual([]);
  }
});

test.each([
  ['broken', { kind: 'fault', fault: { kind: 'broken' } }],
  ['cut', { kind: 'end', done: false }],
])('the sandbox’s error asked for %s ends in the middle of a stream', async (content, ending) => {
  const sink = new RecordingSink();
  sandbox.chat(chatCall('error', { messages: [{ role: 'user', content }], stream: true }), sink);
  expect(await sink.ended()).toMatchObject(ending);
  expect(sink.payloads.length).toBeGreaterThan(1);
  expect(sink.texts.join('')).not.toContain('"stop"');
});

test('the sandbox’s error is also what an unknown model gives', async () => {
  const sink = new RecordingSink();
  sandbox.chat(chatCall('nonsense', {}), sink);
  expect(await sink.ended()).toMatchObject({ kind: 'fault', fault: { kind: 'failed', status: 404 } });
});

test('the sandbox’s slow takes the time that metadata.delay_ms names, spread over its words', async () => {
  const sink = new RecordingSink();
  const startedAt = performance.now();
  sandbox.chat(chatCall('slow', { stream: true, metadata: { delay_ms: '300' } }), sink);
  await eventually(() => expect(sink.payloads.length).toBeGreaterThan(3));
  expect(sink.endings).toEqual([]);
  await sink.ended();
  expect(performance.now() - startedAt).toBeGreaterThan(200);
});

test('the sandbox’s slow takes two seconds unless a delay is named', () => {
  const prompt = { userText: '', toolResult: null, tool: null, schema: null, delayMs: null, textBytes: 0 };
  expect(answerOf('slow', prompt)).toMatchObject({ durationMs: 2_000 });
});

test('the sandbox’s slow is plain after the same time', async () => {
  const startedAt = performance.now();
  const answer = await plain('slow', { metadata: { delay_ms: '100' } });
  expect(performance.now() - startedAt).toBeGreaterThan(90);
  expect(answer.choices[0]?.message.content).toContain('twenty.');
});

test('a running answer of the sandbox waits while the sink asks for a pause, and goes on when told', async () => {
  const sink = new RecordingSink();
  sink.wantsMore = false;
  const running = sandbox.chat(chatCall('echo', { stream: true }), sink);
  for (let count = 1; count <= 6; count++) {
    await eventually(() => expect(sink.payloads).toHaveLength(count));
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(sink.payloads).toHaveLength(count);
    running.resume();
  }
  expect(await sink.ended()).toEqual({ kind: 'end', done: true });
});

test('a running answer of the sandbox says nothing after an abort, and lets the sandbox close', async () => {
  const own = createSandboxUpstream();
  const sink = new RecordingSink();
  const running = own.chat(chatCall('slow', { stream: true }), sink);
  await eventually(() => expect(sink.payloads.length).toBeGreaterThan(0));
  const closed = own.close();
  const heard = sink.payloads.length;
  running.abort();
  running.abort();
  running.resume();
  await closed;
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect([sink.payloads.length, sink.endings.length]).toEqual([heard, 0]);
});

test('a running answer of the sandbox may be aborted from within an event', async () => {
  const sink = new RecordingSink();
  const running = sandbox.chat(chatCall('echo', { stream: true }), {
    answer: (body) => sink.answer(body),
    event: (payload) => {
      running.abort();
      return sink.event(payload);
    },
    end: (done) => sink.end(done),
    fault: (fault) => sink.fault(fault),
  });
  await eventually(() => expect(sink.payloads).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([sink.payloads.length, sink.endings.length]).toEqual([1, 0]);
});

interface Embeddings {
  readonly data: readonly { readonly index: number; readonly embedding: readonly number[] | string }[];
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
}

async function embeddings(body: object): Promise<Embeddings> {
  const sink = new RecordingSink();
  embed(sandbox, body, 'embedding', sink);
  const ending = await sink.ended();
  if (ending.kind !== 'answer') throw new Error(`ended with ${JSON.stringify(ending)}`);
  return JSON.parse(ending.body.toString()) as Embeddings;
}

function floatsOf(embedding: readonly number[] | string | undefined): readonly number[] {
  if (typeof embedding !== 'string') return embedding ?? [];
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, index) => sum + x * (b[index] ?? 0), 0);

test('the sandbox’s embedding gives one unit vector per input, the same for the same text', async () => {
  const { data, usage } = await embeddings({ input: ['a cat sat on a mat', 'a cat sat on a mat', 'Bundestag'] });
  expect(data.map((entry) => entry.index)).toEqual([0, 1, 2]);
  for (const entry of data) expect(dot(floatsOf(entry.embedding), floatsOf(entry.embedding))).toBeCloseTo(1, 5);
  expect(data[0]?.embedding).toEqual(data[1]?.embedding);
  expect(usage).toEqual({ prompt_tokens: 5 + 5 + 3, total_tokens: 13 });
});

test('the sandbox’s embedding puts texts that share words closer together', async () => {
  const { data } = await embeddings({
    input: ['the cat sat on the mat', 'the cat lay on the mat', 'quarterly revenue up'],
  });
  const [first, second, third] = data.map((entry) => floatsOf(entry.embedding));
  expect(dot(first ?? [], second ?? [])).toBeGreaterThan(dot(first ?? [], third ?? []) + 0.2);
});

test('the sandbox’s embedding is the same in base64 as in floats, and as long as asked', async () => {
  const asFloats = await embeddings({ input: 'text', dimensions: 32 });
  const asBase64 = await embeddings({ input: 'text', dimensions: 32, encoding_format: 'base64' });
  expect(typeof asBase64.data[0]?.embedding).toBe('string');
  expect(floatsOf(asBase64.data[0]?.embedding)).toEqual(asFloats.data[0]?.embedding);
  expect(asFloats.data[0]?.embedding).toHaveLength(32);
});

test('the sandbox’s embedding has up to 4096 dimensions', async () => {
  expect((await embeddings({ input: 'text', dimensions: 4_096 })).data[0]?.embedding).toHaveLength(4_096);
});

test('the sandbox’s embedding counts token arrays by their items', async () => {
  expect((await embeddings({ input: [[1, 2, 3], [4]] })).usage.prompt_tokens).toBe(4);
  expect((await embeddings({ input: [1, 2, 3] })).data).toHaveLength(1);
});

interface Ranked {
  readonly results: readonly { readonly index: number; readonly relevance_score: number; readonly document?: object }[];
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
}

async function ranked(body: object): Promise<Ranked> {
  const sink = new RecordingSink();
  rerank(sandbox, body, 'rerank', sink);
  const ending = await sink.ended();
  if (ending.kind !== 'answer') throw new Error(`ended with ${JSON.stringify(ending)}`);
  expect(readRerankAnswer(ending.body).valid).toBe(true);
  return JSON.parse(ending.body.toString()) as Ranked;
}

test('the sandbox’s rerank puts documents first that share words with the query, and counts it with each', async () => {
  const documents = ['quarterly revenue up', { text: 'the cat sat on the mat' }, 'the cat'];
  const { results, usage } = await ranked({ query: 'a cat on a mat', documents });
  expect(results.map(({ index }) => index)).toEqual([1, 2, 0]);
  const scores = results.map(({ relevance_score: score }) => score);
  expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  expect(usage).toEqual({ prompt_tokens: 9 + 9 + 6, total_tokens: 24 });
});

test('the sandbox’s rerank gives as many results as asked, with their documents if asked', async () => {
  const documents = ['a', 'b', 'a b'];
  const { results } = await ranked({ query: 'a b', documents, top_n: 1, return_documents: true });
  expect(results).toMatchObject([{ index: 2, document: { text: 'a b' } }]);
  expect((await ranked({ query: 'a b', documents, top_n: 0 })).results).toHaveLength(3);
});

test('the sandbox for sale has a price on every model, and a route to its provider', () => {
  expect(SANDBOX_MODELS.map((model) => model.id)).toEqual([
    'sandbox/echo',
    'sandbox/slow',
    'sandbox/error',
    'sandbox/tool-call',
    'sandbox/json',
    'sandbox/embedding',
    'sandbox/rerank',
    'sandbox/moderation',
  ]);
  for (const { terms, routes } of SANDBOX_MODELS) {
    expect(terms.price.rates.input > 0n).toBe(terms.kind !== 'moderation');
    expect(routes[0]?.provider).toBe(SANDBOX_PROVIDER.name);
  }
  expect(SANDBOX_MODELS[0]?.terms.price.rates).toMatchObject({ input: 250_000_000n, output: 2_000_000_000n });
});
