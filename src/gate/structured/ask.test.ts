import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readChatRequest, type ChatRequest } from '../openai/chat-request.ts';
import { ownToolsOf, shapeAsk, type Wish } from './ask.ts';
import { checkSchema } from './schema-check.ts';
import { formsOf } from './schema-forms.ts';
import type { ChatStrategy } from './strategy.ts';

function requestOf(schema: string, more = ''): ChatRequest {
  const format = `{"type":"json_schema","json_schema":{"name":"n","schema":${schema}}}`;
  const text = `{"model":"m","messages":[{"role":"user","content":"x"}]${more},"response_format":${format}}`;
  const reading = readChatRequest(Buffer.from(text));
  if (!reading.ok) throw new Error(reading.fault.message);
  return reading.request;
}

function wishFor(schema: string, more = ''): Wish {
  const checked = checkSchema(schema);
  if ('message' in checked) throw new Error(checked.message);
  return {
    chat: requestOf(schema, more),
    schema: { id: 1, text: schema, forms: formsOf(checked) },
  };
}

const parse = ({ body }: ChatRequest): Record<string, unknown> =>
  JSON.parse(body.toString()) as Record<string, unknown>;
const SCHEMA = '{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}';
/** Strategies that send the caller's own schema; one rewritten for its provider may be longer. */
const STRATEGIES: readonly ChatStrategy[] = ['native', 'json_mode', 'tool', 'instruction'];

test('what is asked stays as it is where the upstream takes the schema as it is', () => {
  const wish = wishFor(SCHEMA);
  expect(shapeAsk(wish, 'native', null, null)).toBe(wish.chat);
  expect(parse(shapeAsk(wish, 'strict', 'openai', null))['response_format']).toMatchObject({
    json_schema: { name: 'n', strict: true, schema: JSON.parse(SCHEMA) as object },
  });
});

test('what is asked names no more than the format where the schema is in an instruction', () => {
  const { response_format: format, ...asked } = parse(shapeAsk(wishFor(SCHEMA), 'json_mode', null, null));
  expect(format).toEqual({ type: 'json_object' });
  expect(parse(shapeAsk(wishFor(SCHEMA), 'instruction', null, null))).toEqual(asked);
});

test.each([
  ['none', '', { type: 'function', function: { name: 'give_answer' } }],
  ['free', ',"tools":[{"type":"function","function":{"name":"f"}}]', 'required'],
  [
    'forbidden',
    ',"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"none"',
    { type: 'function', function: { name: 'give_answer' } },
  ],
] as const)('what is asked is a call that must be made, beside own tools that are %s', (own, more, choice) => {
  const wish = wishFor(SCHEMA, more);
  expect(ownToolsOf(wish.chat)).toBe(own);
  const asked = parse(shapeAsk(wish, 'tool', null, null));
  expect(asked['tool_choice']).toEqual(choice);
  expect((asked['tools'] as object[]).at(-1)).toMatchObject({
    function: { name: 'give_answer', parameters: JSON.parse(SCHEMA) as object },
  });
});

test.each([
  [',"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"required"'],
  [',"tools":[{"type":"function","function":{"name":"give_answer"}}]'],
])('what is asked is no call where own tools would be in its way', (more) => {
  expect(ownToolsOf(wishFor(SCHEMA, more).chat)).toBe('forced');
});

test('what is asked counts for no more input than was quoted, however it is asked', () => {
  const names = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(names, fc.constantFrom(...STRATEGIES), (properties, strategy) => {
      const members = properties.map((name) => `${JSON.stringify(name)}:{"type":"string"}`);
      const wish = wishFor(`{"type":"object","properties":{${members.join(',')}}}`);
      const asked = shapeAsk(wish, strategy, null, null);
      expect(asked.size.textBytes).toBeLessThanOrEqual(wish.chat.size.textBytes);
    }),
  );
});

test('what is asked again tells the model what it said and what was wrong with it', () => {
  const rejected = {
    text: 'no "JSON"',
    failures: [
      { pointer: '/a', keyword: 'type' },
      { pointer: '', keyword: 'required' },
    ],
  };
  const messages = parse(shapeAsk(wishFor(SCHEMA), 'native', null, rejected))['messages'] as { content: string }[];
  expect(messages.slice(1)).toMatchObject([
    { role: 'assistant', content: 'no "JSON"' },
    { role: 'user', content: expect.stringMatching(/- at \/a: type\n- at the top: required\n/) },
  ]);
  const silent = parse(shapeAsk(wishFor(SCHEMA), 'native', null, { ...rejected, text: ' ' }))['messages'];
  expect(silent).toMatchObject([{ role: 'user' }, { role: 'user' }]);
});
