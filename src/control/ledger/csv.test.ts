import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

const FORMULA = 'HYPERLINK("https://evil.example")';

test.each(
  ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20', '\ufe66', '\u2212'].flatMap((sign) => [
    sign,
    ` ${sign}`,
    `\u00a0\u3000${sign}`,
    `\u200b\ufeff${sign}`,
    `\t${sign}`,
    `\r${sign}`,
    `\n${sign}`,
    `\u0000${sign}`,
  ]),
)('a text that begins with %j is no formula in a spreadsheet', (beginning) => {
  expect(csvLine([beginning + FORMULA])).toMatch(/^"'/);
});

test.each(['\t', '\r', '\n', '\r\n'])('a text that begins with %j stays in its cell', (beginning) => {
  expect(csvLine([`${beginning}text`])).toBe(`"'${beginning}text"\r\n`);
});

test.each([
  ['plain', 'plain'],
  ['a-b', 'a-b'],
  ['1 = 1', '1 = 1'],
  [' leading', ' leading'],
  ['mail@example.com', 'mail@example.com'],
  ['a, b', '"a, b"'],
  ['a; b', '"a; b"'],
  ['a\tb', '"a\tb"'],
  ['say "so"', '"say ""so"""'],
  ['', ''],
])('the text %j is the field %j', (text, field) => {
  expect(csvLine([text])).toBe(`${field}\r\n`);
});

test('numbers and amounts are never taken for formulas, so that they add up', () => {
  expect(csvLine([-5, -1_500_000_000n, true, null])).toBe('-5,-1500000000,-1.50,true,\r\n');
});
