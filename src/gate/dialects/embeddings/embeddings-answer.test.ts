import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertEmbeddings } from './embeddings-answer.ts';

const FLOATS = Buffer.from(
  '{"object":"list", "data":[{"embedding":[0.5,-1, 2e0],"index":0},{"index":1,"embedding":[]}],"usage":{"prompt_tokens":1}}',
);

test('vectors become base64 of little-endian floats, and nothing else changes', () => {
  const expected = FLOATS.toString()
    .replace('[0.5,-1, 2e0]', '"AAAAPwAAgL8AAABA"')
    .replace('"embedding":[]', '"embedding":""');
  expect(convertEmbeddings(FLOATS, 'base64').toString()).toBe(expected);
});

test('base64 of an answer becomes floats', () => {
  const answer = Buffer.from('{"data":[{"embedding":"AAAAPwAAgL8AAABA"}]}');
  expect(convertEmbeddings(answer, 'float').toString()).toBe('{"data":[{"embedding":[0.5,-1,2]}]}');
});

test('an answer in the form that is wanted comes back as the same buffer', () => {
  expect(convertEmbeddings(FLOATS, 'float')).toBe(FLOATS);
  const base64 = convertEmbeddings(FLOATS, 'base64');
  expect(convertEmbeddings(base64, 'base64')).toBe(base64);
});

test.each([
  '{"data":[{"embedding":["a"]}]}',
  '{"data":[{"embedding":[1]}]',
  '{"data":{"embedding":[1]}}',
  '[]',
  '{"data":[[1],null,{"x":[1]}]}',
])('what is no embeddings answer stays as it is: %s', (text) => {
  const answer = Buffer.from(text);
  expect(convertEmbeddings(answer, 'base64')).toBe(answer);
});

test.each(['"AAAA"', '"not base64!"', '"AADAfw=="'])(
  'a text that is no vector of finite floats stays as it is: %s',
  (text) => {
    const answer = Buffer.from(`{"data":[{"embedding":${text}}]}`);
    expect(convertEmbeddings(answer, 'float')).toBe(answer);
  },
);

test('floats survive the way to base64 and back, to the last bit', () => {
  const float = fc.float({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.array(fc.array(float)), (vectors) => {
      const answer = Buffer.from(JSON.stringify({ data: vectors.map((embedding) => ({ embedding })) }));
      const back = convertEmbeddings(convertEmbeddings(answer, 'base64'), 'float');
      const { data } = JSON.parse(back.toString()) as { data: { embedding: number[] }[] };
      expect(data.map(({ embedding }) => embedding.map(Math.fround))).toEqual(
        vectors.map((vector) => vector.map((each) => each + 0)),
      );
    }),
  );
});
