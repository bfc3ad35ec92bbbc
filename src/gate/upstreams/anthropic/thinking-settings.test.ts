import { expect, test } from 'vitest';
import { messagesBody } from './messages-request.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';

const USER = { role: 'user', content: 'hello' };
const CALLED = { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] };
const RESULT = { role: 'tool', tool_call_id: 'c', content: 'done' };
const TOOLS = [{ type: 'function', function: { name: 'f' } }];
const THOUGHT = { type: 'thinking', thinking: 'hm', signature: 's' };

interface Body {
  readonly thinking?: object;
  readonly output_config?: object;
}

function bodyFor(model: string, fields: object, maxTokens = 10_000): Body {
  const chat = Buffer.from(JSON.stringify({ messages: [USER], ...fields }));
  return JSON.parse(messagesBody(chat, { model, maxTokens, stream: false, version: '2023-06-01' }).toString()) as Body;
}

const asked = (model: string, fields: object, maxTokens?: number) => {
  const { thinking, output_config: output } = bodyFor(model, fields, maxTokens);
  return { thinking, output };
};

const ADAPTIVE = { type: 'adaptive', display: 'summarized' };

test.each<[string, string, object]>([
  ['claude-opus-5-5', 'minimal', { thinking: ADAPTIVE, output: { effort: 'low' } }],
  ['claude-fable-5', 'medium', { thinking: ADAPTIVE, output: { effort: 'medium' } }],
  ['claude-sonnet-4-6', 'high', { thinking: ADAPTIVE, output: { effort: 'high' } }],
  ['claude-opus-4-8', 'xhigh', { thinking: ADAPTIVE, output: { effort: 'xhigh' } }],
  ['claude-mythos-preview', 'max', { thinking: ADAPTIVE, output: { effort: 'max' } }],
  ['anthropic/claude-opus-10', 'low', { thinking: ADAPTIVE, output: { effort: 'low' } }],
  ['claude-opus-5', 'none', { thinking: { type: 'disabled' } }],
  ['claude-opus-4-5-20251101', 'high', { thinking: { type: 'enabled', budget_tokens: 8_000 } }],
  ['claude-haiku-4-5', 'minimal', { thinking: { type: 'enabled', budget_tokens: 1_024 } }],
  ['claude-sonnet-4-20250514', 'medium', { thinking: { type: 'enabled', budget_tokens: 5_000 } }],
  ['claude-3-7-sonnet-20250219', 'max', { thinking: { type: 'enabled', budget_tokens: 9_500 } }],
  ['claude-haiku-4-5', 'none', {}],
])('reasoning_effort is told to each model in its own way: %s at %s', (model, effort, expected) => {
  expect(asked(model, { reasoning_effort: effort })).toEqual({ thinking: undefined, output: undefined, ...expected });
});

test('without reasoning_effort, models do as they do by themselves', () => {
  expect(asked('claude-opus-5', {})).toEqual({ thinking: undefined, output: undefined });
  expect(asked('claude-opus-5', { reasoning_effort: null })).toEqual({ thinking: undefined, output: undefined });
});

test('a thinking budget leaves room for an answer, and is left out where the cap has none for both', () => {
  expect(asked('claude-haiku-4-5', { reasoning_effort: 'high' }, 1_025).thinking).toMatchObject({
    budget_tokens: 1_024,
  });
  expect(asked('claude-haiku-4-5', { reasoning_effort: 'high' }, 1_024).thinking).toBeUndefined();
});

test('a model that must call a tool is not told to think, which the API would refuse', () => {
  const forced = { reasoning_effort: 'high', tools: TOOLS, tool_choice: 'required' };
  expect(asked('claude-opus-5', forced)).toEqual({ thinking: undefined, output: { effort: 'high' } });
  expect(asked('claude-haiku-4-5', forced).thinking).toBeUndefined();
});

test('thinking on a budget does not go on over a tool call whose thoughts are lost', () => {
  const loop = { reasoning_effort: 'high', tools: TOOLS, messages: [USER, CALLED, RESULT] };
  expect(asked('claude-haiku-4-5', loop).thinking).toBeUndefined();
  expect(asked('claude-opus-5', loop).thinking).toEqual(ADAPTIVE);
  const kept = [USER, { ...CALLED, thinking_blocks: [THOUGHT] }, RESULT];
  expect(asked('claude-haiku-4-5', { ...loop, messages: kept }).thinking).toBeDefined();
});

test('a reasoning effort stands beside a schema', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
  const format = { type: 'json_schema', json_schema: { name: 'x', schema } };
  expect(asked('claude-opus-5', { reasoning_effort: 'low', response_format: format }).output).toEqual({
    effort: 'low',
    format: { type: 'json_schema', schema },
  });
});

test('a reasoning effort that nobody knows is refused', () => {
  expect(() => bodyFor('claude-opus-5', { reasoning_effort: 'toString' })).toThrow(Untranslatable);
  expect(() => bodyFor('claude-opus-5', { reasoning_effort: 3 })).toThrow(Untranslatable);
});

test('a request that speaks of thinking in the API’s own words is taken at them', () => {
  const thinking = { type: 'enabled', budget_tokens: 2_048 };
  expect(asked('claude-opus-5', { thinking, reasoning_effort: 'high' })).toEqual({ thinking, output: undefined });
});
