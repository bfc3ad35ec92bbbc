import { expect, test } from 'vitest';
import { framesOf } from '../../../../test/support/event-frames.ts';
import { refuse } from '../../../domain/refusals.ts';
import { NO_TOKENS } from '../../../domain/usage.ts';
import type { JsonObject } from '../../openai/json-object.ts';
import type { AnswerStream } from '../dialect.ts';
import { signatureOf } from './carried-thoughts.ts';
import { inspectMessageEvent } from './message-event.ts';
import { MessagesStream } from './messages-stream.ts';

const SETTLED = { charge: 1_000n, tokens: NO_TOKENS, inUsage: false };
const BROKEN = refuse('MODEL_UNAVAILABLE', 'It broke off.');
const ERROR = {
  type: 'error',
  error: { type: 'overloaded_error', message: 'It broke off.', code: 'MODEL_UNAVAILABLE' },
  request_id: '0a-1b',
};

function open(inputEstimate = 7): AnswerStream {
  return new MessagesStream('0a-1b', { model: 'm', inputEstimate }).fromChat();
}

/** The payloads of framed events; each must be framed by its type. */
function payloadsOf(text: string): JsonObject[] {
  return framesOf(text).map(({ name, data }) => {
    const payload = JSON.parse(data) as JsonObject;
    expect(name).toBe(payload['type']);
    return payload;
  });
}

function write(stream: AnswerStream, chunk: unknown): JsonObject[] {
  const payload = Buffer.from(JSON.stringify(chunk));
  stream.inspect(payload);
  return payloadsOf(stream.write(payload));
}

const delta = (fields: object, more: object = {}) => ({ choices: [{ index: 0, delta: fields, ...more }] });

/** The blocks' events of a stream of these deltas, from after its start until its reason to stop. */
function blocksOf(...deltas: object[]): JsonObject[] {
  const stream = open();
  const events = deltas.flatMap((fields) => write(stream, delta(fields)));
  return [...events, ...payloadsOf(stream.end(SETTLED))].slice(1, -2);
}

const start = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block });
const piece = (index: number, type: string, fields: object) => ({
  type: 'content_block_delta',
  index,
  delta: { type, ...fields },
});
const stop = (index: number) => ({ type: 'content_block_stop', index });
const text = (index: number, ...words: string[]) => [
  start(index, { type: 'text', text: '' }),
  ...words.map((each) => piece(index, 'text_delta', { text: each })),
  stop(index),
];
const THINKING = { type: 'thinking', thinking: '', signature: '' };
const signed = (index: number, signature: string) => piece(index, 'signature_delta', { signature });
const carrying = (index: number, carried: Parameters<typeof signatureOf>[0]) => [
  start(index, THINKING),
  signed(index, signatureOf(carried)),
  stop(index),
];
const use = (index: number, id: string, ...json: string[]) => [
  start(index, { type: 'tool_use', caller: { type: 'direct' }, id, name: 'f', input: {} }),
  ...json.map((each) => piece(index, 'input_json_delta', { partial_json: each })),
];
const part = (fields: object) => ({ tool_calls: [{ type: 'function', ...fields }] });
const begun = (fields: object, args: unknown = '') => part({ ...fields, function: { name: 'f', arguments: args } });
const G1 = { google: { thought_signature: 'g1' } };

test.each<[object[], object[]]>([
  [[{ role: 'assistant', content: '' }, { content: 'Hel' }, { content: 'lo' }, {}], text(0, 'Hel', 'lo')],
  [[{ content: [{ type: 'text', text: 'H' }] }, { content: 'i', refusal: '' }], text(0, 'H', 'i')],
  [[{ content: 5, refusal: 5, tool_calls: 5, thinking_blocks: 5, reasoning: 5 }], []],
  [
    [{ reasoning_content: 'H' }, { reasoning: 'm.' }, { content: 'Hi' }],
    [
      start(0, THINKING),
      piece(0, 'thinking_delta', { thinking: 'H' }),
      piece(0, 'thinking_delta', { thinking: 'm.' }),
      signed(0, signatureOf({ isReasoning: true })),
      stop(0),
      ...text(1, 'Hi'),
    ],
  ],
  [[{ extra_content: G1, content: 'Hi' }], [...carrying(0, { isReasoning: false, message: G1 }), ...text(1, 'Hi')]],
  [
    [
      { reasoning: 'H' },
      { thinking_blocks: [{ type: 'thinking', thinking: 'H', signature: 's', index: 0 }, 5] },
      { content: 'Hi' },
    ],
    [start(0, THINKING), piece(0, 'thinking_delta', { thinking: 'H' }), signed(0, 's'), stop(0), ...text(1, 'Hi')],
  ],
  [
    [
      { content: 'Hi' },
      {
        thinking_blocks: [
          { type: 'thinking', signature: 's' },
          { type: 'redacted_thinking', data: 'x', index: 1 },
        ],
      },
    ],
    [
      ...text(0, 'Hi'),
      start(1, THINKING),
      signed(1, 's'),
      stop(1),
      start(2, { type: 'redacted_thinking', data: 'x' }),
      stop(2),
    ],
  ],
  [
    [{ content: 'Hi' }, begun({ index: 0, id: 'c1' }, '{"a"'), part({ index: 0, function: { arguments: ':1}' } })],
    [...text(0, 'Hi'), ...use(1, 'c1', '{"a"', ':1}'), stop(1)],
  ],
  [
    [begun({ index: 0, id: 'c1' }), begun({ index: 1, id: '' }), part({ index: 0, function: { arguments: '{}' } })],
    [...use(0, 'c1'), stop(0), ...use(1, 'toolu_1'), piece(0, 'input_json_delta', { partial_json: '{}' }), stop(1)],
  ],
  [
    [
      {
        tool_calls: [
          5,
          { id: 'c1', function: { name: 'f', arguments: { a: 1 } } },
          { id: 'c2', function: { name: 'f' } },
        ],
      },
    ],
    [...use(0, 'c1', '{"a":1}'), stop(0), ...use(1, 'c2'), stop(1)],
  ],
  [
    [
      { tool_calls: [{ function: { name: 'f', arguments: '{' } }, { function: { name: 'f' } }] },
      part({ function: { arguments: '}' } }),
    ],
    [
      ...use(0, 'toolu_0', '{'),
      stop(0),
      ...use(1, 'toolu_1'),
      piece(0, 'input_json_delta', { partial_json: '}' }),
      stop(1),
    ],
  ],
  [
    [{ content: 'Hi' }, begun({ index: 0, id: 'c1', extra_content: G1 }, '{}')],
    [...text(0, 'Hi'), ...carrying(1, { isReasoning: false, calls: { c1: G1 } }), ...use(2, 'c1', '{}'), stop(2)],
  ],
])('pieces follow each other in blocks that begin and end: %j', (deltas, expected) => {
  expect(blocksOf(...deltas)).toEqual(expected);
});

const NO_USAGE = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
};
const NO_CREATION = { cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 } };
const startOf = (model: string, usage: object) => ({
  type: 'message_start',
  message: {
    id: 'msg_0a1b',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...NO_USAGE, ...NO_CREATION, ...usage },
  },
});
const endOf = (reason: string, usage: object = {}, more: object = {}) => [
  {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null, ...more },
    usage: { ...NO_USAGE, ...usage },
  },
  { type: 'message_stop' },
];

test('a message starts with the first chunk, by an estimate of its input unless that is reported', () => {
  const usage = { prompt_tokens: 5, completion_tokens: 1 };
  expect(write(open(), { model: 'theirs', ...delta({}) })).toEqual([startOf('theirs', { input_tokens: 7 })]);
  expect(write(open(), { model: '', ...delta({}) })).toEqual([startOf('m', { input_tokens: 7 })]);
  expect(write(open(), { model: 5, ...delta({}), usage })).toEqual([
    startOf('m', { input_tokens: 5, output_tokens: 1 }),
  ]);
  expect(write(new MessagesStream('0a-1b', { model: 'm' }).fromChat(), delta({}))).toEqual([startOf('m', {})]);
  expect(write(open(), { choices: [5] })).toEqual([startOf('m', { input_tokens: 7 })]);
});

test('what is no chunk of a choice says nothing', () => {
  const stream = open();
  expect(stream.write(Buffer.from('{}'))).toBe('');
  for (const chunk of [5, {}, { choices: [] }, { choices: 5 }]) expect(write(stream, chunk)).toEqual([]);
  expect(stream.ping()).toBe('event: ping\ndata: {"type": "ping"}\n\n');
  expect(stream.fromChat()).toBe(stream);
  expect(payloadsOf(stream.end(SETTLED))).toEqual([startOf('m', { input_tokens: 7 }), ...endOf('end_turn')]);
});

test('a chunk that has a message in the place of a delta is read like one', () => {
  const stream = open();
  expect(write(stream, { choices: [{ index: 0, message: { content: 'Hi' } }] }).slice(1)).toEqual(
    text(0, 'Hi').slice(0, 2),
  );
});

test.each([
  [delta({ content: 'Hi' }, { finish_reason: 'stop' }), 'end_turn', {}],
  [delta({ content: 'Hi' }, { finish_reason: 'length' }), 'max_tokens', {}],
  [delta(begun({ index: 0, id: 'c1' }), { finish_reason: 'stop' }), 'tool_use', {}],
  [
    delta({ refusal: 'No.' }, { finish_reason: 'stop' }),
    'refusal',
    { stop_details: { type: 'refusal', category: null, explanation: null } },
  ],
])('the end says why the model stopped, and how much it used: %j', (chunk, reason, more) => {
  const stream = open();
  write(stream, chunk);
  write(stream, delta({}, { finish_reason: '' }));
  const usage = {
    prompt_tokens: 9,
    completion_tokens: 4,
    prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 1 },
    completion_tokens_details: { reasoning_tokens: 3 },
  };
  write(stream, { choices: [], usage });
  write(stream, { choices: [], usage: { ...usage, completion_tokens: 5, completion_tokens_details: null } });
  const end = payloadsOf(stream.end(SETTLED));
  expect(end.slice(-2)).toEqual(
    endOf(
      reason,
      {
        input_tokens: 6,
        cache_creation_input_tokens: 1,
        cache_read_input_tokens: 2,
        output_tokens: 5,
        output_tokens_details: { thinking_tokens: 3 },
      },
      more,
    ),
  );
  expect(payloadsOf(stream.end(SETTLED))).toEqual(end);
});

test('what was withheld comes with the end, and what breaks off says so', () => {
  const stream = open();
  write(stream, delta({ content: 'Hel' }));
  const payload = Buffer.from(JSON.stringify(delta({ content: 'lo' }, { finish_reason: 'stop' })));
  stream.inspect(payload);
  stream.withhold(payload);
  const end = stream.end(SETTLED);
  expect(payloadsOf(end)).toEqual([piece(0, 'text_delta', { text: 'lo' }), stop(0), ...endOf('end_turn')]);
  expect(end).toContain('\n: faregate-charge 0.000001\nevent: message_stop\n');
  expect(payloadsOf(stream.broken(BROKEN))).toEqual([ERROR]);
});

test('a provider’s own events pass under their names, and its stop is written if it was cut off', () => {
  const [cut, whole] = [new MessagesStream('0a-1b', { model: 'm' }), new MessagesStream('0a-1b', { model: 'm' })];
  const event = { type: 'message_delta', delta: { stop_reason: 'end_turn' } };
  for (const stream of [cut, whole]) expect(write(stream, event)).toEqual([event]);
  expect(payloadsOf(cut.end(SETTLED))).toEqual([{ type: 'message_stop' }]);
  const last = Buffer.from('{"type":"message_stop","of_2030":1}');
  expect(whole.inspect(last).isLast).toBe(true);
  whole.withhold(last);
  expect(payloadsOf(whole.end(SETTLED))).toEqual([{ type: 'message_stop', of_2030: 1 }]);
  expect(whole.ping()).toBe('event: ping\ndata: {"type": "ping"}\n\n');
  expect(payloadsOf(whole.broken(BROKEN))).toEqual([ERROR]);
  expect(whole.write(Buffer.from('{}'))).toBe('data: {}\n\n');
});

test('uses of tools are counted in the events of a request that may use some, and in no other', () => {
  const event = { type: 'message_delta', delta: {}, usage: { server_tool_use: { web_search_requests: 2 } } };
  const streams = [true, false].map((hasTools) => new MessagesStream('0a-1b', { model: 'm', hasTools }));
  for (const stream of streams) write(stream, event);
  expect(streams.map(({ uses }) => uses)).toEqual([{ web_search: 2 }, {}]);
  expect(new MessagesStream('0a-1b', { model: 'm' }).uses).toEqual({});
});

const inspected = (event: unknown) =>
  inspectMessageEvent(Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)));
const GOING_ON = {
  valid: true,
  error: null,
  usage: null,
  usageChoice: null,
  isUsageInChoice: false,
  choices: 'some',
  finishedChoices: [],
  hasContent: false,
  contentBytes: 0,
  audioBytes: 0,
  isLast: false,
};
const written = (bytes: number) => ({ hasContent: bytes > 0, contentBytes: bytes });

test.each([
  [{ type: 'ping' }, {}],
  [{}, {}],
  [{ type: 5, of_2030: 'text' }, {}],
  [{ type: 'message_stop' }, { isLast: true, finishedChoices: [0] }],
  [{ type: 'error' }, { error: {} }],
  [{ type: 'ping', error: { message: 'a' } }, { error: {} }],
  [{ type: 'ping', error: null }, {}],
  [{ delta: { type: 'text_delta', text: 'hé' } }, written(3)],
  [{ delta: { thinking: 'abc' } }, written(3)],
  [{ delta: { partial_json: '{"a' } }, written(3)],
  [{ delta: { text: 5, thinking: null, partial_json: {}, signature: 'abc' } }, {}],
  [{ delta: 'text', content_block: 5 }, {}],
  [{ content_block: { type: 'tool_use', input: {}, name: 'f' } }, {}],
  [{ content_block: { type: 'tool_use', input: { a: 1 } } }, written(7)],
  [{ content_block: { type: 'text', text: 'ab' }, delta: { text: 'c' } }, written(3)],
  [{ delta: { stop_reason: 'end_turn' } }, { finishedChoices: [0] }],
  [{ delta: { stop_reason: null } }, {}],
  [{ message: { stop_reason: 'end_turn', content: 'a' } }, {}],
])('an event of a message is read for what the path goes by: %j', (event, expected) => {
  expect(inspected(event)).toEqual({ ...GOING_ON, ...expected });
});

test.each(['', '[]', '5', '{"type":"ping"', '{}x', '{"delta":{"text":}}'])(
  'the payload %j is no event of a message',
  (payload) => {
    const unread = { ...GOING_ON, valid: false, choices: 'none' };
    expect(inspected(payload)).toEqual(unread);
  },
);
