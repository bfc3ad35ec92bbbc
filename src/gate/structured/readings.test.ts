import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readingsOf } from './readings.ts';

const readings = (text: string): string[] => [...readingsOf(text)];

test.each<[string, string, string]>([
  ['the text', '{"a":1}', '{"a":1}'],
  ['the text without white space', '\uFEFF\n {"a":1} \r\n', '{"a":1}'],
  ['a fence', 'So:\n```json\n{"a":1}\n```\nDone.', '{"a":1}'],
  ['a fence without a language', '```\n[1]\n```', '[1]'],
  ['an object among words', 'It is {"a":{"b":"}"}}, I think.', '{"a":{"b":"}"}}'],
  ['an array after an unpaired bracket', 'Well :{ here: [1, 2]', '[1, 2]'],
  ['what follows thoughts', '<think>{"no":1}</think>{"a":1}', '{"a":1}'],
  ['a scalar in a fence', '```json\n"x"\n```', '"x"'],
])('what may be meant as JSON is %s', (_what, text, meant) => {
  expect(readings(text).at(-1)).toBe(meant);
});

test.each([
  ['two objects', '{"a":1} {"a":2}'],
  ['two fences', '```json\n{"a":1}\n```\n```json\n{"a":2}\n```'],
  ['no brackets', 'I can not say.'],
  ['brackets without an end', 'x {"a":1'],
  ['a hundred unpaired brackets', `${'{ '.repeat(100)}{"a":1}`],
])('what may be meant as JSON is not guessed from %s', (_what, text) => {
  expect(readings(text)).toEqual([text]);
});

test('what may be meant as JSON is a text of JSON itself, whatever is in it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(readings(text)[0]).toBe(text.trim());
    }),
  );
});
