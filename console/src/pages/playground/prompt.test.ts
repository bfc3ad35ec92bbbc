import { expect, test } from 'vitest';
import { EMPTY_PROMPT, newMessage, type Prompt, readPrompt, requestOf } from './prompt.ts';

const MODEL = 'sandbox/echo';
const asked = (content: string): Prompt => ({ ...EMPTY_PROMPT, messages: [newMessage('user', [], content)] });

test('a prompt of one message makes the shortest request', () => {
  expect(requestOf(asked('Hi'), MODEL)).toEqual({
    body: { model: MODEL, messages: [{ role: 'user', content: 'Hi' }], stream: true },
  });
});

test('every field of a prompt is a field of its request, and empty messages are left out', () => {
  const { messages } = asked('Hi');
  const request = requestOf(
    {
      system: 'Be brief.',
      messages: [...messages, newMessage('assistant', messages, 'Yes?'), newMessage('user', messages, ' ')],
      temperature: '0',
      maxTokens: '20',
      schema: '{"type":"object"}',
      tools: '[{"type":"function","function":{"name":"clock"}}]',
    },
    MODEL,
  );
  expect(request).toEqual({
    body: {
      model: MODEL,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Yes?' },
      ],
      stream: true,
      temperature: 0,
      max_tokens: 20,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } },
      tools: [{ type: 'function', function: { name: 'clock' } }],
    },
  });
});

test.each([
  ['messages', {}],
  ['temperature', { temperature: '2.5' }],
  ['temperature', { temperature: 'warm' }],
  ['maxTokens', { maxTokens: '0' }],
  ['maxTokens', { maxTokens: '1.5' }],
  ['schema', { schema: '{"type":' }],
  ['schema', { schema: '[]' }],
  ['tools', { tools: '{}' }],
] as const)('a prompt with a wrong field says so of its %s: %j', (field, wrong) => {
  const base = field === 'messages' ? EMPTY_PROMPT : asked('Hi');
  const request = requestOf({ ...base, ...wrong }, MODEL);
  expect(Object.keys('problems' in request ? request.problems : {})).toEqual([field]);
});

test('each message keeps an id of its own when one before it is removed', () => {
  const first = newMessage('user', []);
  const second = newMessage('assistant', [first]);
  const third = newMessage('user', [second]);
  expect(new Set([first.id, second.id, third.id]).size).toBe(3);
});

test('a stored prompt is read as it was, and not at all if anything of it is missing or of another kind', () => {
  const prompt = { ...asked('Hi'), system: 'Be brief.' };
  expect(readPrompt(JSON.parse(JSON.stringify(prompt)))).toEqual(prompt);
  const [message] = prompt.messages;
  const { tools: _, ...withoutTools } = prompt;
  const others = [
    null,
    'Hi',
    [prompt],
    withoutTools,
    { ...prompt, temperature: 1 },
    { ...prompt, messages: [] },
    { ...prompt, messages: 'Hi' },
    { ...prompt, messages: [null] },
    { ...prompt, messages: [{ ...message, id: 1 }] },
    { ...prompt, messages: [{ ...message, role: 'system' }] },
    { ...prompt, messages: [message, { ...message, content: null }] },
  ];
  expect(others.map((stored) => readPrompt(stored))).toEqual(others.map(() => null));
});
