import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unicodePattern } from './patterns.ts';

test.each<[string, string, string | null]>([
  ['is right with the flag u stays as it is', String.raw`^\p{L}+[\-]{2}$`, String.raw`^\p{L}+[\-]{2}$`],
  ['escapes what needs none', String.raw`^\w+\@\-\_\:[\@\-\]]$`, String.raw`^\w+@-_:[@\-\]]$`],
  ['has a dash beside a class', String.raw`[\w-.][.-\d][a-z]`, String.raw`[\w\-.][.\-\d][a-z]`],
  ['has braces that count nothing', '^{a}{,2}b{2,3}]$', String.raw`^\{a\}\{,2\}b{2,3}\]$`],
  ['escapes a letter that may mean something elsewhere', String.raw`a\Z`, null],
  ['is of another flavour', '(?P<a>b)', null],
  ['is none', '[', null],
])('a pattern that %s', (_what, source, expected) => {
  expect(unicodePattern(source)).toBe(expected);
});

/** Parts of patterns, combined at random; most results are patterns. */
const PIECES = String.raw`a b - _ . { } ] {2} {1,} * ? | ( ) (?: [ [^ ^ $ , @ [a- b] \- \_ \@ \d \w \] \[ \\ \{ \} \b \1 \/`;
const piece = fc.constantFrom(...PIECES.split(' '));
const text = fc.string({
  unit: fc.constantFrom('a', 'b', '-', '_', '@', '1', '{', '}', '[', ']', '\\', '.', ','),
  maxLength: 5,
});

test('a pattern that is written otherwise matches what it matched before, and nothing else', () => {
  let rewritten = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 7 }), fc.array(text, { minLength: 4, maxLength: 8 }), (pieces, texts) => {
      const source = pieces.join('');
      const unicode = unicodePattern(source);
      if (unicode === null || unicode === source) return;
      rewritten++;
      for (const each of texts) expect(new RegExp(unicode, 'u').test(each)).toBe(new RegExp(source).test(each));
    }),
    { numRuns: 5_000 },
  );
  expect(rewritten).toBeGreaterThan(500);
});
