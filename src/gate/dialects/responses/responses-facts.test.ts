import { expect, test } from 'vitest';
import {
  inspectResponseEvent,
  mayEnd,
  readCompactionAnswer,
  readResponseAnswer,
  readResponsesUsage,
} from './responses-facts.ts';

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

const answer = (body: unknown) => readResponseAnswer(Buffer.from(JSON.stringify(body)));
const UNREAD = { valid: false, error: null, usage: null, choices: 0, contentBytes: 0 };

test.each([[], 'x', {}, { usage: USAGE }, { output: null }, { output: {} }])(
  'what has no list of an output is no answer, and is not charged for: %j',
  (body) => {
    expect(answer(body)).toEqual(UNREAD);
  },
);

test('an answer is read to its end, and its usage is the last that counts', () => {
  expect(readResponseAnswer(Buffer.from('{"output":[]}x'))).toEqual(UNREAD);
  expect(answer({ output: [], usage: USAGE })).toMatchObject({ valid: true, usage: COUNTED, contentBytes: 0 });
  const text = JSON.stringify({ output: [], usage: USAGE }).slice(0, -1);
  expect(readResponseAnswer(Buffer.from(`${text},"usage":null}`))).toMatchObject({ usage: COUNTED });
  expect(answer({ output: [] })).toMatchObject({ valid: true, error: null, usage: null, choices: 1 });
});

test.each([
  [{ object: 'error', message: 'oh no' }, 'an error without a message'],
  [{ error: { message: 'oh no' } }, 'oh no'],
  [{ error: { message: 'oh no' }, object: 'error' }, 'oh no'],
  [{ object: 'error', error: { message: 'oh no' } }, 'oh no'],
  [{ error: {} }, 'an error without a message'],
])('an answer that is an error says which: %j', (fields, message) => {
  expect(answer({ output: [], ...fields }).error).toMatchObject({ message });
});

test.each([{ error: null }, { object: 'response' }, { object: null }, { object: ['error'] }])(
  'an answer without an error has none: %j',
  (fields) => {
    expect(answer({ output: [], ...fields }).error).toBeNull();
  },
);

test('of a compaction the model has written what is encrypted, and nothing of its request', () => {
  const output = [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'abc' }] },
    { type: 'compaction', encrypted_content: 'hé' },
  ];
  const body = Buffer.from(JSON.stringify({ output, usage: USAGE }));
  expect(readCompactionAnswer(body)).toMatchObject({ valid: true, usage: COUNTED, contentBytes: 3 });
});

test.each([
  ['error', true],
  ['response.completed', true],
  ['response.incomplete', true],
  ['response.failed', true],
  ['response.in_progress', false],
  ['constructor', false],
  ['', false],
])('an event of the type %s may end its response: %s', (type, expected) => {
  expect(mayEnd(type)).toBe(expected);
  expect(inspect({ type, response: {} }).isLast).toBe(expected && type !== 'error');
});

test('an event is read for what the path goes by, and where its response stands', () => {
  const text = '{"type":"response.created","response": {"id":"r","store":false,"previous_response_id":"p"} }';
  const facts = inspect(text);
  expect(facts).toMatchObject({ valid: true, type: 'response.created', choices: 'some', finishedChoices: [] });
  expect(facts).toMatchObject({ error: null, usageChoice: null, isUsageInChoice: false, hasContent: false });
  const at = (span: { start: number; end: number } | null | undefined) => span && text.slice(span.start, span.end);
  const { response } = facts;
  expect(at(response)).toBe('{"id":"r","store":false,"previous_response_id":"p"}');
  expect([at(response?.store), at(response?.previous)]).toEqual(['false', '"p"']);
  expect(inspect({ type: 'a', delta: 'x' })).toMatchObject({ response: null, hasContent: true, contentBytes: 1 });
  expect(inspect({ type: 'a', delta: { text: 'x' } })).toMatchObject({ hasContent: false, contentBytes: 0 });
  expect(inspect({ type: 'a', response: 'r' })).toMatchObject({ valid: true, usage: null });
  expect(inspect({ type: 'response.completed', response: {} })).toMatchObject({ choices: 'none' });
  expect(inspect({ type: 'x'.repeat(126) }).valid).toBe(true);
  expect(inspect({ type: 'x'.repeat(129) }).valid).toBe(false);
});

test.each([
  [{ type: 'error', message: 'oh no' }, 'oh no'],
  [{ type: 'error', error: { message: 'oh no' } }, 'oh no'],
  [{ type: 'error' }, 'an error without a message'],
  [{ type: 'response.failed', response: { error: { message: 'oh no' } } }, 'oh no'],
  [{ type: 'response.failed', error: { message: 'oh no' }, response: { error: null } }, 'oh no'],
  [{ type: 'response.completed', response: { error: { message: 'oh no' } } }, 'oh no'],
])('an event that is an error says which: %j', (event, message) => {
  expect(inspect(event).error).toMatchObject({ message });
});
