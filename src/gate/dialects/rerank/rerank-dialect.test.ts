import { expect, test } from 'vitest';
import { RERANK_DIALECT } from './rerank-dialect.ts';

test('documents to rank are a request with a native form and no other facet', () => {
  const body = JSON.stringify({ model: 'm', query: 'abcd', documents: ['ab', { text: 'c' }], of_2030: 1 });
  const result = RERANK_DIALECT.read(Buffer.from(body), {});
  if (!result.ok) throw new Error(result.fault.message);
  const { request } = result;
  const none = { text: null, chat: null, tools: null, kept: null, audio: null };
  expect(request).toMatchObject({ model: 'm', unknown: [{ name: 'of_2030' }], leftOut: [], ...none });
  expect(request.input).toMatchObject({ bytes: 4 + 2 + 4 + 1, requestsMax: 1 });
  expect(request.native).toMatchObject({ stream: false, headers: {}, unknownBetas: [], editAnswer: null });
  expect(RERANK_DIALECT.read(Buffer.from('{}'), {})).toMatchObject({ ok: false, fault: { param: 'model' } });
});

test('an answer without usage gets that of a request whose tokens are all input', () => {
  expect(RERANK_DIALECT.usageForm.usageOf(9, 0)).toEqual({ prompt_tokens: 9, total_tokens: 9 });
});
