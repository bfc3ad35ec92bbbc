import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import type OpenAI from 'openai';
import { expect, test } from 'vitest';
import { readMessage } from '../../../../test/conformance/anthropic-reading.ts';
import { readChunks, readCompletion } from '../../../../test/conformance/openai-reading.ts';
import { RecordingSink } from '../../../../test/support/recording-sink.ts';
import { runExchange } from '../answer-reader.ts';
import type { ExchangeHandler, HttpClient } from '../http/http-client.ts';
import type { ResponseHeaders } from '../http/response-head.ts';
import { AnthropicAnswer } from './anthropic-answer.ts';

// The streams follow the examples of https://platform.claude.com/docs/en/build-with-claude/streaming and of
// .../docs/en/build-with-claude/thinking (read in November 2026); the odd ones are of shapes that people have recorded.

const KEY = 'sk-secret key';
const CREATED = 1_770_000_000;
const SSE = { 'content-type': 'text/event-stream; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json' };

interface Event {
  readonly type: string;
  readonly [name: string]: unknown;
}

const USAGE = {
  input_tokens: 25,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 1,
} as const;

const start = (id = 'msg_1'): Event => ({
  type: 'message_start',
  message: {
    id,
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'claude-opus-5',
    stop_reason: null,
    stop_sequence: null,
    usage: USAGE,
  },
});
const blockStart = (index: number, block: object): Event => ({
  type: 'content_block_start',
  index,
  content_block: block,
});
const delta = (index: number, value: object): Event => ({ type: 'content_block_delta', index, delta: value });
const blockStop = (index: number): Event => ({ type: 'content_block_stop', index });
const stop = (reason: string, more: object = {}): Event => ({
  type: 'message_delta',
  delta: { stop_reason: reason, stop_sequence: null, ...more },
  usage: { output_tokens: 15 },
});
const PING: Event = { type: 'ping' };
const END: Event = { type: 'message_stop' };

const text = (index: number, ...pieces: readonly string[]): readonly Event[] => [
  blockStart(index, { type: 'text', text: '' }),
  ...pieces.map((piece) => delta(index, { type: 'text_delta', text: piece })),
  blockStop(index),
];
const tool = (index: number, id: string, name: string, ...pieces: readonly string[]): readonly Event[] => [
  blockStart(index, { type: 'tool_use', id, name, input: {} }),
  ...pieces.map((piece) => delta(index, { type: 'input_json_delta', partial_json: piece })),
  blockStop(index),
];
const thinking = (index: number, signature: string, ...pieces: readonly string[]): readonly Event[] => [
  blockStart(index, { type: 'thinking', thinking: '', signature: '' }),
  ...pieces.map((piece) => delta(index, { type: 'thinking_delta', thinking: piece })),
  delta(index, { type: 'signature_delta', signature }),
  blockStop(index),
];

const framed = (events: readonly Event[], lineEnd = '\n'): Buffer =>
  Buffer.from(
    events.map((event) => `event: ${event.type}${lineEnd}data: ${JSON.stringify(event)}${lineEnd}${lineEnd}`).join(''),
  );

interface Answered {
  readonly streamed?: boolean;
  readonly status?: number;
  readonly headers?: ResponseHeaders;
  /** Ends with the connection's end, or with nothing at all. */
  readonly ends?: boolean;
}

/** The sink's calls for an answer that arrives in these pieces. */
function hear(pieces: readonly Buffer[], answered: Answered = {}): RecordingSink {
  const { streamed = true, status = 200, headers = streamed ? SSE : JSON_TYPE, ends = true } = answered;
  const handlers: ExchangeHandler[] = [];
  const client: HttpClient = {
    send(_request, handler) {
      handlers.push(handler);
      return { pause() {}, resume() {}, abort() {} };
    },
    close: () => Promise.resolve(),
  };
  const sink = new RecordingSink();
  const translator = new AnthropicAnswer(KEY, CREATED);
  const request = { method: 'POST', path: '/', headers: {}, body: null } as const;
  runExchange(client, request, { streamed, sink, secret: KEY, translator });
  const [handler] = handlers;
  handler?.start(status, headers);
  for (const piece of pieces) handler?.data(piece);
  if (ends) handler?.end();
  return sink;
}

const hearEvents = (...events: readonly Event[]): RecordingSink => hear([framed(events)]);

type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & {
  readonly reasoning_content?: string;
  readonly thinking_blocks?: readonly object[];
};

const chunksOf = (sink: RecordingSink): readonly OpenAI.ChatCompletionChunk[] =>
  sink.texts.map((payload) => JSON.parse(payload) as OpenAI.ChatCompletionChunk);
const deltasOf = (sink: RecordingSink): readonly Delta[] =>
  chunksOf(sink).flatMap(({ choices }) => choices.map((choice): Delta => choice.delta));
const reasoningOf = (sink: RecordingSink): string =>
  deltasOf(sink)
    .map((each) => each.reasoning_content ?? '')
    .join('');
const thinkingOf = (sink: RecordingSink): readonly object[] =>
  deltasOf(sink).flatMap((each) => each.thinking_blocks ?? []);

test('a stream of Anthropic’s is OpenAI’s, chunk for chunk', () => {
  const sink = hearEvents(start(), PING, ...text(0, 'Hel', 'lo'), stop('end_turn'), END);
  const head = { id: 'msg_1', object: 'chat.completion.chunk', created: CREATED, model: 'claude-opus-5' };
  const chunk = (value: object, finish: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta: value, finish_reason: finish }],
  });
  expect(chunksOf(sink)).toEqual([
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Hel' }),
    chunk({ content: 'lo' }),
    chunk({}, 'stop'),
    {
      ...head,
      choices: [],
      usage: {
        prompt_tokens: 25,
        completion_tokens: 15,
        total_tokens: 40,
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    },
  ]);
  expect(sink.endings).toEqual([{ kind: 'end', done: true }]);
});

test('a stream of Anthropic’s numbers its tool calls from 0, whatever stands between them', () => {
  const sink = hearEvents(
    start(),
    ...thinking(0, 'sig', 'hm'),
    ...text(1, 'Let me look.'),
    ...tool(2, 'toolu_1', 'weather', '', '{"city":', '"Paris"}'),
    ...tool(3, 'toolu_2', 'time'),
    stop('tool_use'),
    END,
  );
  const said = readChunks(chunksOf(sink));
  expect(said).toMatchObject({ text: 'Let me look.', finish: 'tool_calls' });
  expect(said.calls).toEqual([
    { name: 'weather', arguments: { city: 'Paris' } },
    { name: 'time', arguments: {} },
  ]);
  const ids = deltasOf(sink).flatMap((each) => each.tool_calls ?? []);
  expect(ids.filter(({ id }) => id !== undefined).map(({ index, id }) => [index, id])).toEqual([
    [0, 'toolu_1'],
    [1, 'toolu_2'],
  ]);
});

test('a stream of Anthropic’s passes a tool’s input that came whole with the block', () => {
  const block = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Paris' } };
  const sink = hearEvents(start(), blockStart(0, block), blockStop(0), stop('tool_use'), END);
  expect(readChunks(chunksOf(sink)).calls).toEqual([{ name: 'weather', arguments: { city: 'Paris' } }]);
});

test('a stream of Anthropic’s brings thoughts to read as they come, and signed once they are whole', () => {
  const redacted = { type: 'redacted_thinking', data: 'EmwKAhgB' };
  const sink = hearEvents(
    start(),
    ...thinking(0, 'EqQB', 'Two ', 'dollars.'),
    blockStart(1, redacted),
    blockStop(1),
    ...text(2, 'Two.'),
    stop('end_turn'),
    END,
  );
  expect(reasoningOf(sink)).toBe('Two dollars.');
  expect(thinkingOf(sink)).toEqual([
    { index: 0, type: 'thinking', thinking: 'Two dollars.', signature: 'EqQB' },
    { index: 1, ...redacted },
  ]);
});

test('a stream of Anthropic’s has the thoughts and the signature that a block begins with', () => {
  const begun = { type: 'thinking', thinking: 'One ', signature: 'Eq' };
  const rest = [
    delta(0, { type: 'thinking_delta', thinking: 'dollar.' }),
    delta(0, { type: 'signature_delta', signature: 'QB' }),
  ];
  const sink = hearEvents(start(), blockStart(0, begun), ...rest, blockStop(0), stop('end_turn'), END);
  expect(reasoningOf(sink)).toBe('One dollar.');
  expect(thinkingOf(sink)).toEqual([{ index: 0, type: 'thinking', thinking: 'One dollar.', signature: 'EqQB' }]);
});

test.each<[string, string]>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
  ['toString', 'stop'],
])('a stream of Anthropic’s that stops for %s has finished with %s', (reason, finish) => {
  const sink = hearEvents(start(), ...text(0, 'Hi'), stop(reason), END);
  expect(readChunks(chunksOf(sink)).finish).toBe(finish);
});

test('a stream of Anthropic’s of a refusal says why, though there is no content', () => {
  const details = { type: 'refusal', category: 'cyber', explanation: 'This could enable cyber harm.' };
  const sink = hearEvents(start(), PING, stop('refusal', { stop_details: details }), END);
  expect(readChunks(chunksOf(sink))).toMatchObject({
    refusal: details.explanation,
    finish: 'content_filter',
    text: '',
  });
});

test('a stream of Anthropic’s begins with its first piece of content: an error until then is one of the attempt', () => {
  expect(hear([framed([start(), PING])], { ends: false }).payloads).toEqual([]);
  const error = { type: 'error', error: { type: 'overloaded_error', message: `Overloaded, ${KEY}` } };
  const early = hearEvents(start(), PING, error);
  expect(early.endings).toMatchObject([{ kind: 'fault', fault: { kind: 'overloaded', status: 529 } }]);
  const late = hearEvents(start(), ...text(0, 'Hel'), error);
  expect(late.endings).toMatchObject([{ kind: 'fault', fault: { kind: 'broken' } }]);
  expect(JSON.stringify([early.endings, late.endings])).not.toContain(KEY);
});

test('a stream of Anthropic’s takes the last report of usage, which may correct the first', () => {
  const last = { ...stop('end_turn'), usage: { input_tokens: 61, output_tokens: 2, cache_read_input_tokens: 5 } };
  const sink = hearEvents(start(), ...text(0, 'pong'), stop('end_turn'), last, END);
  expect(readChunks(chunksOf(sink)).usage).toMatchObject({ input: 66, cached: 5, output: 2 });
});

test('a stream of Anthropic’s that says nothing of usage brings none', () => {
  const bare = { type: 'message_delta', delta: { stop_reason: 'end_turn' } };
  const sink = hearEvents({ type: 'message_start', message: { id: 'm', model: 'x' } }, ...text(0, 'Hi'), bare, END);
  expect(chunksOf(sink).some((chunk) => 'usage' in chunk)).toBe(false);
  expect(chunksOf(sink).at(-1)?.choices[0]?.finish_reason).toBe('stop');
});

test('a stream of Anthropic’s may start twice, but not as another message within the first', () => {
  expect(readChunks(chunksOf(hearEvents(start(), start(), ...text(0, 'Hi'), stop('end_turn'), END))).text).toBe('Hi');
  const spliced = hearEvents(start(), ...text(0, 'Hi'), start('msg_2'), ...text(0, 'Ho'), stop('end_turn'), END);
  expect(spliced.endings).toMatchObject([{ kind: 'fault', fault: { kind: 'malformed' } }]);
  expect(spliced.texts.join('')).not.toContain('Ho');
});

test('a stream of Anthropic’s is whole with its reason to stop, and not before', () => {
  const whole = hearEvents(start(), ...text(0, 'Hi'), stop('end_turn'));
  expect(readChunks(chunksOf(whole))).toMatchObject({ text: 'Hi', finish: 'stop' });
  expect(whole.endings).toEqual([{ kind: 'end', done: false }]);
  const cut = hearEvents(start(), ...text(0, 'Hi'));
  expect(chunksOf(cut).every(({ choices }) => choices[0]?.finish_reason === null)).toBe(true);
  expect(cut.endings).toEqual([{ kind: 'end', done: false }]);
  const unsaid = hearEvents(start(), ...text(0, 'Hi'), END);
  expect(unsaid.endings).toMatchObject([{ kind: 'fault', fault: { kind: 'malformed' } }]);
});

test('a stream of Anthropic’s passes over events and blocks that nobody knows yet', () => {
  const sink = hearEvents(
    { type: 'weather_report', sun: true },
    start(),
    blockStart(0, { type: 'fallback', from: {}, to: {} }),
    blockStop(0),
    ...text(1, 'Hi'),
    delta(1, { type: 'citations_delta', citation: {} }),
    stop('end_turn'),
    END,
  );
  expect(readChunks(chunksOf(sink)).text).toBe('Hi');
});

test.each(['<html>', '[1]', '"text"', '{"type":'])(
  'a stream of Anthropic’s with an event of %s can’t be read',
  (payload) => {
    const sink = hear([Buffer.from(`data: ${payload}\n\n`)]);
    expect(sink.endings).toMatchObject([{ kind: 'fault', fault: { kind: 'malformed', status: 200 } }]);
  },
);

test('a stream of Anthropic’s that begins before its message is told is no stream of Anthropic’s, and no crash', () => {
  const odd: readonly Event[] = [
    delta(0, { type: 'input_json_delta', partial_json: '{}' }),
    delta(1, { type: 'signature_delta', signature: 'x' }),
    blockStart(0, { type: 'tool_use' }),
    { type: 'content_block_start' },
    { type: 'content_block_delta', index: 0 },
    { type: 'message_start' },
    { type: 'message_delta' },
    blockStop(7),
  ];
  expect(hearEvents(...odd).endings).toEqual([{ kind: 'end', done: false }]);
});

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-5',
  container: null,
  content: [
    { type: 'thinking', thinking: 'hm', signature: 'sig' },
    { type: 'text', text: 'Let me ', citations: null },
    { type: 'text', text: 'look.', citations: null },
    { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { id: 1 } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  stop_details: null,
  usage: { ...USAGE, output_tokens: 15 },
};
const hearPlain = (body: string, status = 200) => hear([Buffer.from(body)], { streamed: false, status });

test('a plain answer of Anthropic’s is OpenAI’s, and numbers in arguments keep their digits', async () => {
  const body = JSON.stringify(MESSAGE).replace('"id":1}', '"id":12345678901234567890}');
  const ending = await hearPlain(body).ended();
  if (ending.kind !== 'answer') throw new Error(`ended with ${ending.kind}`);
  expect(JSON.parse(ending.body.toString())).toEqual({
    id: 'msg_1',
    object: 'chat.completion',
    created: CREATED,
    model: 'claude-opus-5',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Let me look.',
          refusal: null,
          reasoning_content: 'hm',
          thinking_blocks: [{ index: 0, type: 'thinking', thinking: 'hm', signature: 'sig' }],
          tool_calls: [
            {
              id: 'toolu_1',
              type: 'function',
              function: { name: 'weather', arguments: '{"id":12345678901234567890}' },
            },
          ],
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
    usage: {
      prompt_tokens: 25,
      completion_tokens: 15,
      total_tokens: 40,
      prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
  });
});

test('a plain answer of Anthropic’s of a refusal says why', async () => {
  const details = { type: 'refusal', category: null, explanation: 'No.' };
  const refused = { ...MESSAGE, content: [], stop_reason: 'refusal', stop_details: details };
  const ending = await hearPlain(JSON.stringify(refused)).ended();
  const body = ending.kind === 'answer' ? ending.body.toString() : '';
  expect(readCompletion(JSON.parse(body) as OpenAI.ChatCompletion)).toMatchObject({
    refusal: 'No.',
    finish: 'content_filter',
    text: '',
  });
});

test.each<[string, string, object]>([
  ['a page', '<html>busy</html>', { kind: 'malformed', status: 200 }],
  ['another API’s answer', '{"choices":[]}', { kind: 'malformed', status: 200 }],
  ['a list', '[]', { kind: 'malformed', status: 200 }],
  [
    'an error in the place of a message',
    `{"type":"error","error":{"type":"overloaded_error","message":"${KEY}"}}`,
    { kind: 'overloaded', status: 529 },
  ],
])('a plain answer of Anthropic’s that is %s is a fault', (_case, body, fault) => {
  const sink = hearPlain(body);
  expect(sink.endings).toMatchObject([{ kind: 'fault', fault }]);
  expect(JSON.stringify(sink.endings)).not.toContain(KEY);
});

const piece = fc.string({ unit: 'grapheme', maxLength: 12 });
const input = fc.dictionary(piece, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4, noNullPrototype: true });

/** A text in pieces, cut where the numbers say. */
const cut = (whole: string, cuts: readonly number[]): readonly string[] => {
  const letters = Array.from(whole);
  const places = [...cuts.map((at) => at % (letters.length + 1)), letters.length].toSorted((one, other) => one - other);
  return places.map((at, order) => letters.slice(places[order - 1] ?? 0, at).join(''));
};
const block = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => (index: number) => text(index, ...pieces)),
  fc.tuple(piece, fc.array(piece, { maxLength: 3 })).map(
    ([signature, pieces]) =>
      (index: number) =>
        thinking(index, signature, ...pieces),
  ),
  fc.tuple(fc.uuid(), fc.stringMatching(/^\w{1,8}$/), input, fc.array(fc.nat(50), { maxLength: 4 })).map(
    ([id, name, value, cuts]) =>
      (index: number) =>
        tool(index, id, name, ...cut(JSON.stringify(value), cuts)),
  ),
);
const stream = fc
  .record({
    blocks: fc.array(block, { maxLength: 4 }),
    reason: fc.constantFrom('end_turn', 'max_tokens', 'tool_use', 'refusal', 'stop_sequence'),
    pings: fc.boolean(),
  })
  .map(({ blocks, reason, pings }) => [
    start(),
    ...blocks.flatMap((make, index) => [...make(index), ...(pings ? [PING] : [])]),
    stop(reason),
    END,
  ]);

test('whatever a model says, the same is heard however its bytes are split and its lines end', () => {
  fc.assert(
    fc.property(
      stream,
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(), { maxLength: 30 }),
      (events, lineEnd, cuts) => {
        const bytes = Buffer.concat([Buffer.from(`: hello${lineEnd}${lineEnd}`), framed(events, lineEnd)]);
        const places = [...cuts.map((at) => at % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
        const pieces = places.map((at, order) => bytes.subarray(places[order - 1] ?? 0, at));
        const heard = hear(pieces);
        expect(heard.texts).toEqual(hear([framed(events)]).texts);
        expect(heard.endings).toEqual([{ kind: 'end', done: true }]);
        const single = Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1));
        expect(hear(single).texts).toEqual(heard.texts);
      },
    ),
    { numRuns: 60 },
  );
});

test('whatever a model says, a program on OpenAI’s SDK reads what one on Anthropic’s does, plain or streamed', async () => {
  await fc.assert(
    fc.asyncProperty(stream, async (events) => {
      const answer = () => Promise.resolve(new Response(framed(events), { headers: SSE }));
      const client = new Anthropic({ apiKey: 'x', fetch: answer, maxRetries: 0 });
      const params = { model: 'claude-opus-5', max_tokens: 10, messages: [] };
      const message = await client.messages.stream(params).finalMessage();
      const said = readMessage(message);
      const streamed = hear([framed(events)]);
      expect(readChunks(chunksOf(streamed))).toEqual(said);
      const blocks = message.content.flatMap((each, index) => (each.type === 'thinking' ? [{ index, ...each }] : []));
      expect(thinkingOf(streamed)).toEqual(blocks);
      expect(reasoningOf(streamed)).toBe(blocks.map((each) => each.thinking).join(''));
      const plain = await hear([Buffer.from(JSON.stringify(message))], { streamed: false }).ended();
      const body = plain.kind === 'answer' ? plain.body.toString() : '';
      expect(readCompletion(JSON.parse(body) as OpenAI.ChatCompletion)).toEqual(said);
    }),
    { numRuns: 60 },
  );
});
