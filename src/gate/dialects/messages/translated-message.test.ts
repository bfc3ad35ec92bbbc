import { expect, test } from 'vitest';
import { carriedBy, signatureOf } from './carried-thoughts.ts';
import { messageOf } from './translated-message.ts';

interface Message {
  readonly content: readonly Record<string, unknown>[];
}

function translate(completion: unknown): Message {
  return JSON.parse(messageOf(Buffer.from(JSON.stringify(completion)), '0a-1b').toString()) as Message;
}

/** The message for a choice with this message and finish reason. */
const said = (message: unknown, finish: unknown = 'stop') =>
  translate({ model: 'theirs', choices: [{ index: 0, message, finish_reason: finish }] });

const NO_USAGE = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
};
const text = (words: string) => ({ type: 'text', text: words });

test.each([5, {}, { choices: 5 }, { choices: [5] }, { choices: [{ message: 5 }], model: 5, usage: 5 }])(
  'a completion that says nothing is a message that says nothing: %j',
  (completion) => {
    expect(translate(completion)).toEqual({
      id: 'msg_0a1b',
      type: 'message',
      role: 'assistant',
      model: '',
      content: [],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: NO_USAGE,
    });
  },
);

test('a message has its model and the usage of its completion, each token in one place', () => {
  const usage = {
    prompt_tokens: 20,
    completion_tokens: 9,
    prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 7, cache_write_1h_tokens: 3, audio_tokens: 1 },
    completion_tokens_details: { reasoning_tokens: 4, audio_tokens: 2 },
  };
  expect(translate({ model: 'theirs', choices: [5, { message: { content: 'Hi' } }], usage })).toMatchObject({
    model: 'theirs',
    content: [text('Hi')],
    usage: {
      input_tokens: 8,
      cache_creation_input_tokens: 7,
      cache_read_input_tokens: 5,
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 4 },
      cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 3 },
    },
  });
});

const CALL = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
const REFUSED = { type: 'refusal', category: null, explanation: null };

test.each([
  ['stop', {}, 'end_turn'],
  ['stop', { tool_calls: [] }, 'end_turn'],
  ['stop', { tool_calls: [CALL] }, 'tool_use'],
  ['tool_calls', { tool_calls: [CALL] }, 'tool_use'],
  ['function_call', {}, 'tool_use'],
  ['length', { tool_calls: [CALL] }, 'max_tokens'],
  ['content_filter', {}, 'refusal'],
  ['stop', { refusal: 'No.' }, 'refusal'],
  ['length', { refusal: 'No.' }, 'max_tokens'],
  ['stop', { refusal: '' }, 'end_turn'],
  ['of_2030', {}, 'end_turn'],
  [null, { tool_calls: [CALL] }, 'end_turn'],
])('an answer that ends by %j with %j stops for %s', (finish, message, reason) => {
  const details = reason === 'refusal' ? { stop_details: REFUSED } : {};
  const { id, type, role, model, content, usage, ...stop } = said(message, finish) as Message & Record<string, unknown>;
  expect(stop).toEqual({ stop_reason: reason, stop_sequence: null, ...details });
  expect([id, type, role, model, usage, content.length]).toEqual([
    'msg_0a1b',
    'message',
    'assistant',
    'theirs',
    NO_USAGE,
    Object.values(message).flat().filter(Boolean).length,
  ]);
});

const use = (id: string, input: unknown, name: unknown = 'f') => ({
  type: 'tool_use',
  caller: { type: 'direct' },
  id,
  name,
  input,
});
const called = (args: unknown, more: object = {}) => ({ ...CALL, function: { name: 'f', arguments: args }, ...more });
const calling = (...calls: unknown[]) => ({ tool_calls: calls });

test.each([
  [{ content: 'Hi' }, [text('Hi')]],
  [{ content: [text('H'), text('i')] }, [text('Hi')]],
  [{ content: '', refusal: 'No.' }, [text('No.')]],
  [{ content: 'Well.', refusal: 'No.', tool_calls: null }, [text('Well.'), text('No.')]],
  [{ content: 5, refusal: 5, tool_calls: 5 }, []],
  [{ content: 'Hi', ...calling(CALL) }, [text('Hi'), use('c1', { a: 1 })]],
  [calling(5, CALL), [use('c1', { a: 1 })]],
  [calling(called({ a: 2 })), [use('c1', { a: 2 })]],
  [calling(called(undefined)), [use('c1', {})]],
  [calling(called(' ')), [use('c1', {})]],
  [calling(called('[1]')), [use('c1', { raw_arguments: '[1]' })]],
  [calling(called('{"a":')), [use('c1', { raw_arguments: '{"a":' })]],
  [calling(called('{}', { id: '' }), called('{}', { id: 5 })), [use('toolu_0', {}), use('toolu_1', {})]],
  [calling({ id: 'c1' }), [{ type: 'tool_use', caller: { type: 'direct' }, id: 'c1', input: {} }]],
])('what a model says is said in blocks: %j', (message, expected) => {
  expect(said(message).content).toEqual(expected);
});

test('a number of any size stays what it is in the arguments of a call', () => {
  const completion = JSON.stringify({ choices: [{ message: calling(called('{"a":12345678901234567890}')) }] });
  expect(messageOf(Buffer.from(completion), 'r').toString()).toContain('"input":{"a":12345678901234567890}');
});

const G1 = { google: { thought_signature: 'g1' } };
const thinking = (words: string, carried: object) => ({ type: 'thinking', thinking: words, carried });

test.each([
  [{ reasoning_content: 'Hm.' }, thinking('Hm.', { isReasoning: true })],
  [{ reasoning: 'Hm.' }, thinking('Hm.', { isReasoning: true })],
  [{ reasoning_content: '', reasoning: 'Hm.' }, thinking('Hm.', { isReasoning: true })],
  [{ reasoning_content: 'Hm.', reasoning: 'Hm.' }, thinking('Hm.', { isReasoning: true })],
  [{ extra_content: G1 }, thinking('', { isReasoning: false, message: G1 })],
  [
    { reasoning: 'Hm.', ...calling(CALL, called('{}', { id: 'c2', extra_content: G1 })) },
    thinking('Hm.', { isReasoning: true, calls: { c2: G1 } }),
  ],
  [calling(called('{}', { id: '', extra_content: G1 })), thinking('', { isReasoning: false, calls: { toolu_0: G1 } })],
])('what its provider needs back comes first, in the signature of a thought: %j', (message, expected) => {
  const { signature, ...block } = said({ content: 'Hi', ...message }).content[0] ?? {};
  expect({ ...block, carried: carriedBy(signature) }).toEqual(expected);
  expect(signature).toBe(signatureOf(expected.carried as { isReasoning: boolean }));
});

test('thoughts as their provider signed them stand where they stood, without their places', () => {
  const signed = [
    { type: 'thinking', thinking: 'a', signature: 's1', index: 0 },
    { type: 'redacted_thinking', data: 'x', index: 2 },
    { type: 'thinking', thinking: 'b', signature: 's2' },
    5,
  ];
  const message = { content: 'Hi', reasoning_content: 'ab', thinking_blocks: signed, ...calling(CALL) };
  expect(said(message).content).toEqual([
    { type: 'thinking', thinking: 'b', signature: 's2' },
    { type: 'thinking', thinking: 'a', signature: 's1' },
    text('Hi'),
    { type: 'redacted_thinking', data: 'x' },
    use('c1', { a: 1 }),
  ]);
  expect(said({ content: 'Hi', reasoning_content: 'Hm.', thinking_blocks: [5] }).content).toMatchObject([
    { type: 'thinking', thinking: 'Hm.' },
    text('Hi'),
  ]);
});

test.each([5, null, 'own', 'xfaregate.e30', 'faregate.', 'faregate.e', 'faregate.NQ'])(
  'a signature that was made elsewhere carries nothing: %j',
  (signature) => {
    expect(carriedBy(signature)).toBeNull();
  },
);

test('a signature carries what it was given, and no calls that are none', () => {
  const sign = (value: object) => `faregate.${Buffer.from(JSON.stringify(value)).toString('base64url')}`;
  expect(signatureOf({ isReasoning: true })).toBe(sign({ isReasoning: true }));
  expect(carriedBy(sign({ isReasoning: 1, calls: [] }))).toEqual({ isReasoning: false, message: undefined });
  expect(carriedBy(sign({}))).not.toHaveProperty('calls');
});
