import { expect, test } from 'vitest';
import { signatureOf } from './carried-thoughts.ts';
import { NOTHING_CHANGED, saleOf } from './hosted-tools.ts';
import { readMessagesRequest } from './messages-request.ts';
import { nativeMessagesBody } from './native-body.ts';

const BODY = { model: 'm', max_tokens: 8_000, messages: [{ role: 'user', content: 'hi' }] };

function sentText(text: string, cap: number | null, upstreamModel = 'm'): string {
  const result = readMessagesRequest(Buffer.from(text));
  if (!result.ok) throw new Error(result.fault.message);
  return Buffer.concat(nativeMessagesBody(result.request, NOTHING_CHANGED, { upstreamModel, cap })).toString();
}

function sent(fields: object, cap: number | null, upstreamModel = 'm'): unknown {
  return JSON.parse(sentText(JSON.stringify({ ...BODY, ...fields }), cap, upstreamModel));
}

test.each([null, 8_000])('a request that needs no edit goes out byte by byte: a cap of %s', (cap) => {
  const text = `{ "max_tokens" : 8000,"x":1.0, ${JSON.stringify(BODY).slice(1).replace('"max_tokens":8000,', '')} `;
  expect(sentText(text, cap)).toBe(text);
});

test('a provider is sent its own name of the model, and the cap', () => {
  expect(sent({}, 50, 'big')).toEqual({ ...BODY, model: 'big', max_tokens: 50 });
});

const thinking = (budget: unknown) => ({ thinking: { type: 'enabled', budget_tokens: budget } });

test.each([
  [thinking(4_000), 3_000, thinking(1_500)],
  [thinking(3_000), 3_000, thinking(1_500)],
  [thinking(4_000), 3_001, thinking(1_500)],
  [thinking(4_000), 1_500, thinking(1_024)],
  [thinking(4_000), 1_025, thinking(1_024)],
  [thinking(4_000), 1_024, {}],
  [thinking(4_000), 10, {}],
  [thinking(2_999), 3_000, thinking(2_999)],
  [thinking(9_000), 3_000, thinking(9_000)],
  [thinking(8_000), 3_000, thinking(8_000)],
  [thinking('4000'), 3_000, thinking('4000')],
  [{ thinking: { type: 'adaptive' } }, 10, { thinking: { type: 'adaptive' } }],
])('a budget of thoughts stays below a cap that the money has lowered: %j at %i', (fields, cap, expected) => {
  expect(sent(fields, cap)).toEqual({ ...BODY, max_tokens: cap, ...expected });
});

test('a budget of thoughts is as the caller wrote it while its maximum is', () => {
  expect(sent(thinking(4_000), null)).toEqual({ ...BODY, ...thinking(4_000) });
  expect(sent(thinking(4_000), 8_000)).toEqual({ ...BODY, ...thinking(4_000) });
});

test('where no tool is left, the choice of one goes with them', () => {
  const fields = { tools: [{ type: 'web_search_20250305', name: 's' }], tool_choice: { type: 'auto' }, top_k: 5 };
  const result = readMessagesRequest(Buffer.from(JSON.stringify({ ...BODY, ...fields })));
  if (!result.ok) throw new Error(result.fault.message);
  const pieces = nativeMessagesBody(result.request, saleOf(result.request, {}), { upstreamModel: 'm', cap: null });
  expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual({ ...BODY, top_k: 5 });
});

test('thoughts that another provider had are taken out, and messages that say nothing else', () => {
  const own = { type: 'thinking', thinking: 'a', signature: 'of the provider' };
  const foreign = { type: 'thinking', thinking: 'b', signature: signatureOf({ isReasoning: true }) };
  const text = { type: 'text', text: 'c' };
  const messages = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [own, foreign, text], x: 1 },
    { role: 'assistant', content: [foreign, foreign] },
    { role: 'assistant', content: [text, foreign] },
    { role: 'user', content: [text, { ...foreign, type: 'text' }, own] },
  ];
  expect(sent({ messages }, null)).toEqual({
    ...BODY,
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [own, text], x: 1 },
      { role: 'assistant', content: [text] },
      messages[4],
    ],
  });
});
