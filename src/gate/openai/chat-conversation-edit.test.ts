import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addTool, appendMessages, instruct, setMember, spliceBody } from './chat-conversation-edit.ts';
import { readChatRequest, type ChatRequest } from './chat-request.ts';
import { applySplices } from './json-edit.ts';

interface Body {
  readonly [name: string]: unknown;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

function requestOf(text: string): ChatRequest {
  const reading = readChatRequest(Buffer.from(text));
  if (!reading.ok) throw new Error(reading.fault.message);
  return reading.request;
}

const parse = (bytes: Buffer): Body => JSON.parse(bytes.toString()) as Body;
const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const role = fc.constantFrom('system', 'developer', 'user', 'assistant');
const message = fc.record({ role, content: text });
const spaces = fc.constantFrom(undefined, 1, '\t');

test('a conversation is told more by its system, or by one that speaks first, and keeps all else', () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 3 }), text, spaces, (messages, said, indent) => {
      const request = requestOf(JSON.stringify({ seed: 1, messages, model: 'm' }, null, indent));
      const edited = parse(applySplices(request.body, instruct(request, said)));
      const [first, ...others] = messages;
      const isTold = first?.role === 'system' || first?.role === 'developer';
      expect(edited).toEqual({
        seed: 1,
        model: 'm',
        messages: isTold
          ? [{ ...first, content: `${first.content}\n\n${said}` }, ...others]
          : [{ role: 'system', content: said }, ...messages],
      });
    }),
  );
});

test('a conversation is told more by another message where what its system says is in parts', () => {
  const messages = [{ role: 'system', content: [{ type: 'text', text: 'x' }] }];
  const request = requestOf(JSON.stringify({ model: 'm', messages }));
  expect(parse(applySplices(request.body, instruct(request, 'y'))).messages).toEqual([
    { role: 'system', content: 'y' },
    ...messages,
  ]);
});

test('a conversation goes on behind its last message, together with other changes', () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 3 }), text, spaces, (messages, said, indent) => {
      const request = requestOf(JSON.stringify({ messages, model: 'm', response_format: {} }, null, indent));
      const added = [{ role: 'assistant', content: said } as const, { role: 'user', content: 'again' } as const];
      const splices = [...appendMessages(request, added), ...spliceBody(request, [setMember(request, 'n', '2')])];
      const edited = parse(applySplices(request.body, splices));
      expect(edited).toEqual({ messages: [...messages, ...added], model: 'm', response_format: {}, n: 2 });
    }),
  );
});

test.each([
  ['no tools', '', [{ type: 'function', a: 1 }]],
  ['tools that are null', '"tools":null,', [{ type: 'function', a: 1 }]],
  ['tools of which there are none', '"tools":[ ],', [{ type: 'function', a: 1 }]],
  ['a tool of its own', '"tools":[ {"type":"custom"} ],', [{ type: 'custom' }, { type: 'function', a: 1 }]],
])('a conversation gets a tool beside %s', (_what, tools, expected) => {
  const request = requestOf(`{${tools}"model":"m","messages":[{"role":"user","content":""}]}`);
  const edited = applySplices(request.body, spliceBody(request, [addTool(request, '{"type":"function","a":1}')]));
  expect(parse(edited)['tools']).toEqual(expected);
});
