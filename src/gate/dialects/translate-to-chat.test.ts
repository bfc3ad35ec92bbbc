import { expect, test } from 'vitest';
import { DIALECTS } from './dialects.ts';
import { translateToChat } from './translate-to-chat.ts';

const TARGET = { extensions: 'none', reasoning: false } as const;
const bodyOf = (fields: object): Buffer => Buffer.from(JSON.stringify({ model: 'm', ...fields }));
const TEXT = { messages: [{ role: 'user', content: 'hi' }] };

test('a thread translates a request into what the request’s own process makes of it', () => {
  const body = bodyOf({ input: 'hi', temperature: 0.5, tools: [{ type: 'mcp' }] });
  const made = translateToChat({ endpoint: 'responses', body, target: TARGET });
  if (!made.ok) throw new Error(made.fault.message);
  const { notes, ...rest } = made;
  expect(JSON.parse(rest.made.toString())).toEqual({ model: 'm', temperature: 0.5, ...TEXT });
  expect(rest).toMatchObject({ ok: true, leftOut: ['mcp'] });
  expect(JSON.parse(notes)).toMatchObject({ tools: [], settings: { temperature: 0.5 } });
  const messages = bodyOf({ ...TEXT, max_tokens: 9 });
  expect(translateToChat({ endpoint: 'messages', body: messages, target: TARGET })).toEqual({
    ok: true,
    made: messages,
    leftOut: [],
    notes: '',
  });
});

test('a request without words in chat is refused, and one that was never read is a fault of this program', () => {
  const body = bodyOf({ input: 'hi', truncation: 'auto' });
  expect(translateToChat({ endpoint: 'responses', body, target: TARGET })).toMatchObject({
    ok: false,
    fault: { param: 'truncation' },
  });
  expect(() => translateToChat({ endpoint: 'chat', body: Buffer.from('{'), target: TARGET })).toThrow(
    'a request that was read can be read again',
  );
});

test('each dialect stands under its endpoint', () => {
  for (const [name, { endpoint }] of Object.entries(DIALECTS)) expect(endpoint).toBe(name);
});
