import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_TOKENS } from '../../domain/usage.ts';
import { CHAT_USAGE, costWriter, EMBEDDINGS_USAGE, MESSAGES_USAGE, RESPONSES_USAGE, withCost } from './usage-cost.ts';

const SETTLED = {
  charge: 123_000n,
  tokens: { ...NO_TOKENS, input: 4, cached_input: 3, output: 2, audio_output: 1 },
  inUsage: true,
};

const written = (answer: string, form = CHAT_USAGE): string =>
  costWriter(Buffer.from(answer), form)(SETTLED).toString();

test.each([
  [
    '{ "n": 9223372036854775807, "usage" : {"prompt_tokens":1 } , "x":1.0}',
    '{ "n": 9223372036854775807, "usage" : {"prompt_tokens":1,"cost":"0.000123" } , "x":1.0}',
  ],
  ['{"usage":{}}', '{"usage":{"cost":"0.000123"}}'],
  ['{"usage":{"cost":0.5,"prompt_tokens":1}}', '{"usage":{"cost":"0.000123","prompt_tokens":1}}'],
  ['{"usage":{"cost":{"usage":{}}}}', '{"usage":{"cost":"0.000123"}}'],
  [
    '{"usage":{"prompt_tokens":1},"usage":{"prompt_tokens":2}}',
    '{"usage":{"prompt_tokens":1},"usage":{"prompt_tokens":2,"cost":"0.000123"}}',
  ],
  ['{"us\\u0061ge":{"a":1}}', '{"us\\u0061ge":{"a":1,"cost":"0.000123"}}'],
  ['[1]', '[1]'],
])('a cost is edited into the usage of an answer, and every other byte stays: %s', (answer, expected) => {
  expect(written(answer)).toBe(expected);
});

test.each(['{}', '{"usage":null}', '{"usage":7}', '{"id":"a"}'])(
  'a cost comes with the counts that were charged where an answer has no usage: %s',
  (answer) => {
    const { usage } = JSON.parse(written(answer)) as { usage: object };
    expect(usage).toEqual({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10, cost: '0.000123' });
  },
);

test('a cost changes nothing else of any answer', () => {
  const name = fc.stringMatching(/^\w{1,8}$/);
  fc.assert(
    fc.property(
      fc.dictionary(name, fc.jsonValue({ maxDepth: 2 })),
      fc.dictionary(name, fc.integer()),
      (rest, usage) => {
        const before = JSON.stringify({ ...rest, usage });
        const expected = JSON.stringify({ ...rest, usage: { ...usage, cost: '0.000123' } });
        expect(JSON.parse(written(before))).toEqual(JSON.parse(expected));
      },
    ),
  );
});

const chunk = (choices: readonly object[], more: object = {}): string => JSON.stringify({ id: 'c', choices, ...more });
const END = chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]);
const costed = (payloads: readonly string[], form = CHAT_USAGE): readonly string[] =>
  withCost(
    payloads.map((each) => Buffer.from(each)),
    form,
    SETTLED,
  ).map(String);

test('a stream’s cost is in the last event that has usage, and in no other', () => {
  const usage = { prompt_tokens: 1 };
  const events = [chunk([], { usage }), END, chunk([], { usage }), '[DONE]'];
  const after = costed(events);
  expect(after.filter((event, at) => event !== events[at])).toEqual([
    chunk([], { usage: { ...usage, cost: '0.000123' } }),
  ]);
  expect(after[2]).toContain('cost');
});

test('a stream’s cost is in the last event that may have usage, where none has', () => {
  const counts = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10, cost: '0.000123' };
  expect(costed([END, '[DONE]'])).toEqual([
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }], { usage: counts }),
    '[DONE]',
  ]);
  expect(costed(['[DONE]'])).toEqual(['[DONE]']);
});

test('a stream’s cost is where each API has its usage', () => {
  const completed = { type: 'response.completed', response: { id: 'r', usage: { input_tokens: 1 } } };
  expect(JSON.parse(costed([JSON.stringify(completed)], RESPONSES_USAGE)[0] ?? '')).toEqual({
    ...completed,
    response: { id: 'r', usage: { input_tokens: 1, cost: '0.000123' } },
  });
  const stop = { type: 'message_delta', delta: {}, usage: { output_tokens: 1 } };
  const [first, last] = costed([JSON.stringify(stop), '{"type":"message_stop"}'], MESSAGES_USAGE);
  expect(JSON.parse(first ?? '')).toEqual({ ...stop, usage: { output_tokens: 1, cost: '0.000123' } });
  expect(last).toBe('{"type":"message_stop"}');
});

test.each([
  [EMBEDDINGS_USAGE, { prompt_tokens: 7, total_tokens: 7 }],
  [MESSAGES_USAGE, { input_tokens: 7, output_tokens: 3 }],
  [
    RESPONSES_USAGE,
    {
      input_tokens: 7,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 3,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 10,
    },
  ],
])('usage that is made for a cost has the names of its API: %j', (form, counts) => {
  expect(JSON.parse(written('{"a":1}', form))).toEqual({ a: 1, usage: { ...counts, cost: '0.000123' } });
});

test('a stream’s cost is in no event that is not of its API’s answers', () => {
  const events = [
    '{"type":"ping","usage":{"a":1}}',
    '[]',
    '{"response":5}',
    '{"response":{"id":"r"}}',
    '{"x":{"usage":{}}}',
  ];
  const counts = RESPONSES_USAGE.usageOf(7, 3);
  expect(costed(events, RESPONSES_USAGE)).toEqual([
    ...events.slice(0, 3),
    JSON.stringify({ response: { id: 'r', usage: { ...counts, cost: '0.000123' } } }),
    ...events.slice(4),
  ]);
  expect(costed(events.slice(0, 3), RESPONSES_USAGE)).toEqual(events.slice(0, 3));
});
