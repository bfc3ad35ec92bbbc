import { expect, test } from 'vitest';
import { LARGE_BYTES } from '../../../lib/own-turn.ts';
import type { CompletionRequest } from '../dialect.ts';
import { EMBEDDINGS_DIALECT } from './embeddings-dialect.ts';

function read(fields: object): CompletionRequest {
  const result = EMBEDDINGS_DIALECT.read(Buffer.from(JSON.stringify({ model: 'm', ...fields })), {});
  if (!result.ok) throw new Error(result.fault.message);
  return result.request;
}

const answerOf = (embedding: unknown): Buffer => Buffer.from(JSON.stringify({ data: [{ embedding }] }));

test('input to embed is a request with a native form and no other facet', () => {
  const request = read({ input: ['abcd', 'ab'], of_2030: 1 });
  const none = { text: null, chat: null, tools: null, kept: null, audio: null };
  expect(request).toMatchObject({ model: 'm', unknown: [{ name: 'of_2030' }], leftOut: [], ...none });
  expect(request.input.bytes).toBe(6);
  const { native } = request;
  expect(native).toMatchObject({ stream: false, headers: {}, unknownBetas: [] });
  const edit = { upstreamModel: 'big', cap: 0, reasoning: false };
  for (const pieces of [native?.body(edit), native?.countBody('big')]) {
    expect(JSON.parse(Buffer.concat(pieces ?? []).toString())).toEqual({
      model: 'big',
      input: ['abcd', 'ab'],
      of_2030: 1,
    });
  }
  expect(EMBEDDINGS_DIALECT.read(Buffer.from('{}'), {})).toMatchObject({ ok: false, fault: { param: 'model' } });
});

test('vectors come in the form that was asked for, those of a large answer in turns of the event loop', async () => {
  const edit = read({ input: 'a', encoding_format: 'base64' }).native?.editAnswer;
  expect(edit?.(answerOf([1]))).toEqual(answerOf('AACAPw=='));
  const model = 'x'.repeat(LARGE_BYTES);
  const converted = edit?.(Buffer.from(JSON.stringify({ data: [{ embedding: [1] }], model })));
  expect(converted).toBeInstanceOf(Promise);
  expect(JSON.parse(String(await converted))).toEqual({ data: [{ embedding: 'AACAPw==' }], model });
});
