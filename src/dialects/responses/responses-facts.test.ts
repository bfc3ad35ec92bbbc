import { expect, test } from 'vitest';
import { inspectResponseEvent, readResponseAnswer, readResponsesUsage } from './responses-facts.ts';

const inspect = (event: object | string) =>
  inspectResponseEvent(Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)));

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 15 },
  total_tokens: 120,
};
const COUNTED = {
  input: 50,
  cached_input: 40,
  cache_write_5m: 10,
  cache_write_1h: 0,
  audio_input: 0,
  output: 20,
  audio_output: 0,
};

test('each token of usage counts once: cached ones are no other input, reasoning is output', () => {
  expect(readResponsesUsage(USAGE)).toEqual(COUNTED);
  expect(readResponsesUsage({ input_tokens: -1 })).toBeNull();
  expect(readResponsesUsage(null)).toBeNull();
});

test('what the model wrote is counted in bytes of UTF-8, whatever it is a piece of', () => {
  for (const type of ['output_text', 'refusal', 'reasoning_summary_text', 'function_call_arguments']) {
    expect(inspect({ type: `response.${type}.delta`, delta: 'hé' })).toMatchObject({ valid: true, contentBytes: 3 });
  }
  expect(inspect({ type: 'response.output_text.done', text: 'hé' })).toMatchObject({ contentBytes: 0 });
});

test('the last event has the usage, and nothing that matters follows', () => {
  for (const type of ['response.completed', 'response.incomplete']) {
    const facts = inspect({ type, response: { error: null, output: [{ content: 'x' }], usage: USAGE } });
    expect(facts).toMatchObject({ isLast: true, finishedChoices: [0], usage: COUNTED, error: null, contentBytes: 0 });
  }
  expect(inspect({ type: 'response.created', response: { usage: null } })).toMatchObject({
    isLast: false,
    usage: null,
  });
});

test('an error is told apart from events that have one that is null', () => {
  expect(inspect({ type: 'error', code: 'server_error', message: 'oh no', param: null }).error).not.toBeNull();
  expect(inspect({ type: 'error', error: { message: 'oh no' } }).error).not.toBeNull();
  expect(inspect({ type: 'response.failed', response: { error: null } }).error).not.toBeNull();
  expect(inspect({ type: 'response.in_progress', response: { error: null } }).error).toBeNull();
});

test.each(['', '[]', '{', '{"delta":"x"}', '{"type":5}', '{"type":"a"}x', '{"type":"a","type":}'])(
  'the payload %j is no event of a response',
  (payload) => {
    expect(inspect(payload).valid).toBe(false);
  },
);

test('a whole answer has its usage, and what the model wrote is counted wherever it stands', () => {
  const output = [
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'ab' }], encrypted_content: 'zzzz' },
    { type: 'message', content: [{ type: 'output_text', text: 'cd', annotations: [] }] },
    { type: 'function_call', name: 'weather', arguments: '{}' },
  ];
  const read = (body: object): unknown => readResponseAnswer(Buffer.from(JSON.stringify(body)));
  expect(read({ output, usage: USAGE, error: null })).toEqual({
    valid: true,
    error: null,
    usage: COUNTED,
    choices: 1,
    contentBytes: 6,
  });
  expect(read([])).toMatchObject({ valid: false });
});
