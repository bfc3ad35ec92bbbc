import { expect, test } from 'vitest';
import { readModelRequest } from '../../openai/model-request.ts';
import { readEmbeddingsRequest, type EmbeddingsRequest } from './embeddings-request.ts';

function read(text: string): EmbeddingsRequest {
  const reading = readEmbeddingsRequest(Buffer.from(text));
  if (!reading.ok) throw new Error(reading.fault.message);
  return reading.request;
}

test.each([
  ['a text, in the bytes that it decodes to', '"h\\u00e9\\n"', [4]],
  ['texts', '["a","bcd"]', [1, 3]],
  ['a token array', '[1, 2, 30000]', [3]],
  ['token arrays', '[[1,2],[3]]', [2, 1]],
])('the size of an input is known: %s', (_what, input, sizes) => {
  expect(read(`{"input":${input},"model":"m"}`)).toMatchObject({
    model: 'm',
    inputSizes: sizes,
    encodingFormat: 'float',
  });
});

const tooMany = JSON.stringify(Array.from({ length: 2049 }, () => 'a'));
test.each([
  '""',
  '[]',
  '[""]',
  '[[]]',
  '[[1],[]]',
  '["a",1]',
  '[1,"a"]',
  '[[1],"a"]',
  '[["a"]]',
  '[1.5]',
  '[-1]',
  '[1e3]',
  '[null]',
  '{}',
  'null',
  '7',
  tooMany,
])('an embeddings body is refused with the input %.20s', (input) => {
  const reading = readEmbeddingsRequest(Buffer.from(`{"model":"m","input":${input}}`));
  expect(reading).toMatchObject({ ok: false, fault: { param: 'input' } });
});

test.each([
  ['{"model":"m"}', 'input'],
  ['{"input":"a"}', 'model'],
  ['{"model":"m","input":"a","encoding_format":"int8"}', 'encoding_format'],
  ['{"model":"m","input":"a","encoding_format":["base64"]}', 'encoding_format'],
  ['{"model":"m","input":"a","dimensions":0}', 'dimensions'],
  ['{"model":"m","input":"a","input":"b"}', 'input'],
  ['{"model":"m","input":"a","Input":"b"}', 'input'],
  ['{"model":"m","input":"a"', null],
  ['{"model":"m","input":["a"', null],
])('an embeddings body is refused: %s', (text, param) => {
  expect(readEmbeddingsRequest(Buffer.from(text))).toMatchObject({ ok: false, fault: { param } });
});

test('half a surrogate pair is three bytes, as every reader makes U+FFFD of it', () => {
  expect(read('{"input":["\\ud83d\\ude00","\\ud83d","\\ude00\\ud83d"],"model":"m"}').inputSizes).toEqual([4, 3, 6]);
});

test('a million tokens are read, and 2,048 long texts', () => {
  const tokens = JSON.stringify({ model: 'm', input: Array.from({ length: 1_000_000 }, (_, index) => index) });
  expect(read(tokens).inputSizes).toEqual([1_000_000]);
  expect(readModelRequest(Buffer.from(tokens)).ok).toBe(true);
  const texts = Array.from({ length: 2_048 }, () => 'Ein Satz, und noch einer.\n'.repeat(500));
  expect(read(JSON.stringify({ model: 'm', input: texts })).inputSizes).toHaveLength(2_048);
});

test('the form that the caller asked for is known, and null is none', () => {
  expect(read('{"model":"m","input":"a","encoding_format":"base64","dimensions":256}').encodingFormat).toBe('base64');
  expect(read('{"model":"m","input":"a","encoding_format":null,"dimensions":null}').encodingFormat).toBe('float');
});
