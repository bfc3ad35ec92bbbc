import { expect, test } from 'vitest';
import { signatureOf } from './carried-thoughts.ts';
import { readableMessages } from './foreign-thoughts.ts';
import { readMessagesRequest } from './messages-request.ts';

const CARRIED = { type: 'thinking', thinking: 'a', signature: signatureOf({ isReasoning: true }) };
const OWN = { type: 'thinking', thinking: 'b', signature: 'of the provider' };
const TEXT = { type: 'text', text: 'c' };

function readable(...messages: unknown[]): unknown {
  const body = Buffer.from(JSON.stringify({ model: 'm', max_tokens: 9, messages, metadata: {} }));
  const result = readMessagesRequest(body);
  if (!result.ok) throw new Error(result.fault.message);
  const value = readableMessages(result.request);
  return value === null ? null : JSON.parse(value.toString());
}

const HI = { role: 'user', content: 'hi' };
const assistant = (...content: unknown[]) => ({ role: 'assistant', content, of_2030: [CARRIED] });

test.each([
  [
    [HI, assistant(CARRIED, TEXT)],
    [HI, assistant(TEXT)],
  ],
  [
    [HI, assistant(TEXT, CARRIED)],
    [HI, assistant(TEXT)],
  ],
  [
    [HI, assistant(OWN, CARRIED, TEXT), HI],
    [HI, assistant(OWN, TEXT), HI],
  ],
  [
    [HI, assistant(CARRIED), HI],
    [HI, HI],
  ],
  [[HI, assistant(CARRIED, CARRIED)], [HI]],
  [[assistant(CARRIED)], []],
  [
    [assistant(CARRIED, TEXT), assistant(), assistant(OWN), assistant(CARRIED, TEXT)],
    [assistant(TEXT), assistant(), assistant(OWN), assistant(TEXT)],
  ],
])(
  'thoughts of translated answers are taken out of a conversation, and messages of nothing else: %j',
  (messages, expected) => {
    expect(readable(...messages)).toEqual(expected);
  },
);

test('a conversation without such thoughts stays as its caller wrote it', () => {
  expect(readable(HI, assistant(OWN, TEXT), assistant())).toBeNull();
});
