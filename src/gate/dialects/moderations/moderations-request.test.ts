import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ModerationInput } from './moderation-input.ts';
import { type ModerationsRequest, readModerationsRequest } from './moderations-request.ts';

function read(input: unknown): ModerationsRequest {
  const reading = readModerationsRequest(Buffer.from(JSON.stringify({ model: 'm', input })));
  if (!reading.ok) throw new Error(reading.fault.message);
  return reading.request;
}

const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };

test('the sizes of texts are those that they decode to, in each form of the input', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(text, fc.array(text, { minLength: 1 }), (one, several) => {
      expect(read(one).textSizes).toEqual([Buffer.byteLength(one)]);
      const sizes = several.map((each) => Buffer.byteLength(each));
      expect(read(several).textSizes).toEqual(sizes);
      expect(read(several.map((each) => ({ type: 'text', text: each }))).textSizes).toEqual(sizes);
    }),
  );
});

test('images count by the model’s bound, whatever their size, and else as its context window', () => {
  const { textSizes, images } = read([{ type: 'text', text: 'abc' }, IMAGE, IMAGE]);
  expect([textSizes, images]).toEqual([[3], 2]);
  const input = new ModerationInput(textSizes, images);
  const price = { rates: {} as never, tiers: [] };
  const terms = { kind: 'moderation', price, contextWindow: 1_000, maxOutput: 0 } as const;
  const media = (imageTokens: number | null) => ({ imageTokens, audioTokens: null, fileTokens: null });
  expect(input.tokensMax({ ...terms, media: media(85) })).toBe(5 + 2 * 85);
  expect(input.tokensMax({ ...terms, media: media(null) })).toBe(5 + 2_000);
  expect(input.bytes).toBe(3);
});

test('a part that gives its text twice counts for both, whichever a server reads', () => {
  const body = '{"model":"m","input":[{"type":"text","text":"ab","text":"c"}]}';
  const reading = readModerationsRequest(Buffer.from(body));
  expect(reading.ok && reading.request.textSizes).toEqual([2, 1]);
});

test.each([
  ['model', '{"input":"hi"}'],
  ['input', '{"model":"m"}'],
  ['input', '{"model":"m","input":[]}'],
  ['input', '{"model":"m","input":7}'],
  ['input', '{"model":"m","input":null}'],
  ['input', JSON.stringify({ model: 'm', input: Array.from({ length: 2_049 }, () => 'a') })],
  ['input[0]', '{"model":"m","input":[[1]]}'],
  ['input[0]', '{"model":"m","input":[{"type":"text"}]}'],
  ['input[1]', '{"model":"m","input":["a",{"type":"text","text":7}]}'],
  ['input[0]', '{"model":"m","input":[{"type":"image_url","image_url":"u"}]}'],
  ['models', '{"model":"m","input":"hi","models":["n"]}'],
  [null, '{"model":"m","input":"hi"'],
])('a wrong body is refused by the name of the field: %s', (param, body) => {
  const reading = readModerationsRequest(Buffer.from(body));
  expect(reading.ok ? 'read' : reading.fault.param).toBe(param);
});

test('members that nobody has judged are listed by their paths', () => {
  const { unknown } = read([{ type: 'image_url', image_url: { url: 'u', file_id: 'f' }, more: 1 }]);
  expect(unknown.map(({ name }) => name)).toEqual(['input.image_url.file_id', 'input.more']);
});
