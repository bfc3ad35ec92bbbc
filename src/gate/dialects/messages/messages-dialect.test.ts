import { expect, test } from 'vitest';
import type { CompletionRequest, DialectHeaders } from '../dialect.ts';
import { signatureOf } from './carried-thoughts.ts';
import { MESSAGES_DIALECT } from './messages-dialect.ts';

const BODY = { model: 'm', max_tokens: 8_192, messages: [{ role: 'user', content: 'hi' }] };
const SEARCH = { type: 'web_search_20250305', name: 's' };
const SOLD = { web_search: { maxUses: 3, inputTokens: null } };

const bodyOf = (fields: object): Buffer => Buffer.from(JSON.stringify({ ...BODY, ...fields }));

function read(fields: object, headers: DialectHeaders = {}): CompletionRequest {
  const result = MESSAGES_DIALECT.read(bodyOf(fields), headers);
  if (!result.ok) throw new Error(result.fault.message);
  return result.request;
}

const parsed = (pieces: readonly Buffer[] = []): unknown => JSON.parse(Buffer.concat(pieces).toString());

test('only a maximum above what most answers need may be lowered by the money', () => {
  expect(read({}).text).toMatchObject({ stream: false, choices: 1, maxTokens: 8_192, isCeiling: false });
  expect(read({ max_tokens: 8_193, stream: true }).text).toMatchObject({
    stream: true,
    maxTokens: 8_193,
    isCeiling: true,
  });
});

test('tools that a provider runs are left out until their model is known to be sold with them', () => {
  const request = read({ tools: [SEARCH, { name: 'f', input_schema: {} }] });
  expect(request).toMatchObject({ leftOut: [SEARCH.type], tools: { bound: null } });
  const sold = request.tools?.sell(SOLD);
  expect(sold).toMatchObject({
    ok: true,
    request: { leftOut: [], tools: { bound: { each: { web_search: 3 }, total: 3 } } },
  });
  expect(read({ tools: [{ name: 'f' }] })).toMatchObject({ tools: null, leftOut: [] });
  const demanding = read({ tools: [SEARCH], tool_choice: { type: 'any' } });
  expect(demanding.tools?.sell({})).toMatchObject({ ok: false, fault: { param: 'tool_choice' } });
});

test('thoughts that no provider of the dialect could read are named among what is left out', () => {
  const thought = { type: 'thinking', thinking: 'a', signature: signatureOf({ isReasoning: true }) };
  const messages = [...BODY.messages, { role: 'assistant', content: [thought] }];
  expect(read({ messages }).leftOut).toEqual(['thoughts of another provider']);
});

test('a provider of the dialect is sent the caller’s version and betas, and those that nobody has judged are named', () => {
  const headers = { anthropicVersion: '2023-06-01', anthropicBeta: 'effort-2025-11-24,of-2030' };
  const { native } = read({ stream: true }, headers);
  expect(native?.headers).toEqual({ 'anthropic-version': '2023-06-01', 'anthropic-beta': headers.anthropicBeta });
  expect([native?.stream, native?.unknownBetas]).toEqual([true, ['of-2030']]);
  expect(read({}).native?.headers).toEqual({});
  expect(parsed(native?.body({ upstreamModel: 'big', cap: 5, reasoning: false }))).toMatchObject({
    model: 'big',
    max_tokens: 5,
  });
});

test('a request is counted with all its tools, under its provider’s name of the model', () => {
  const { counting } = MESSAGES_DIALECT;
  const result = counting?.read(bodyOf({ tools: [SEARCH], of_2030: 1 }), {});
  if (result?.ok !== true) throw new Error('it was not read');
  expect(result.request).toMatchObject({ model: 'm', unknown: [{ name: 'of_2030' }], text: { size: { messages: 1 } } });
  expect(parsed(result.request.native?.countBody('big'))).toEqual({
    ...BODY,
    model: 'big',
    tools: [SEARCH],
    of_2030: 1,
  });
  expect(counting?.read(Buffer.from('{}'), {})).toMatchObject({ ok: false, fault: { param: 'model' } });
  expect(counting?.answer(7)).toEqual({ input_tokens: 7 });
  expect(MESSAGES_DIALECT.read(Buffer.from('{}'), {})).toMatchObject({ ok: false, fault: { param: 'model' } });
});

test('the chat form of a request is made once for each kind of upstream', () => {
  const request = read({});
  const none = { extensions: 'none', reasoning: false } as const;
  const form = request.chat?.toChat(none);
  expect(form?.ok).toBe(true);
  expect(request.chat?.toChat(none)).toBe(form);
  expect(request.chat?.toChat({ ...none, reasoning: true })).not.toBe(form);
  expect(request.chat?.toChat({ ...none, extensions: 'anthropic' })).not.toBe(form);
  expect(request.chat?.notes?.ofAnswer('req-1')).toBe('req-1');
});
