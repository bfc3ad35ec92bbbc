import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellWord } from './shell-word.ts';

test.each([
  ['acme/web', 'acme/web'],
  ['sandbox/*', "'sandbox/*'"],
  ['two words', "'two words'"],
  ["Ada's", "'Ada'\\''s'"],
  ['', "''"],
  ['a&', "'a&'"],
  ['&a', "'&a'"],
])('the word %s stands in a command as %s', (word, quoted) => {
  expect(shellWord(word)).toBe(quoted);
});

test('a shell reads every quoted word as it was', () => {
  const words = fc.sample(fc.string({ unit: 'grapheme' }), 50).map((word) => word.replaceAll('\0', ''));
  const script = words.map((word) => `printf '%s\\0' ${shellWord(word)}`).join('\n');
  const read = execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1);
  expect(read).toEqual(words);
});
