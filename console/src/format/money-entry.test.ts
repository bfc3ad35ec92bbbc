import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMoneyExactly } from './money.ts';
import { readMoney } from './money-entry.ts';

test.each([
  ['5', '5.00'],
  ['5.00', '5.00'],
  [' $5 ', '5.00'],
  ['$ 5.5', '5.50'],
  ['.5', '0.50'],
  ['5.', '5.00'],
  ['1,000', '1000.00'],
  ['$1,234,567.891234567', '1234567.891234567'],
])('typed as %s, an amount is %s USD', (typed, usd) => {
  expect(readMoney(typed)).toMatchObject({ ok: true, usd });
});

test.each([
  ['', 'such as 5 or 5.00'],
  ['five', 'digits alone'],
  ['1,5', 'Write cents after a point: 1.5.'],
  ['1,00,000', 'digits alone'],
  ['-5', 'above zero'],
  ['5e3', 'digits alone'],
  ['0.0000000001', 'at most nine decimals'],
  ['10000000000', 'below $1,000,000,000'],
  ['1,000,000,000', 'below $1,000,000,000'],
])('typed as "%s", an amount is answered by what would be right', (typed, words) => {
  expect(readMoney(typed)).toMatchObject({ ok: false, problem: expect.stringContaining(words) });
});

test('every amount that the console shows exactly can be typed back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), (nano) => {
      expect(readMoney(formatMoneyExactly(nano))).toMatchObject({ ok: true, nano });
    }),
  );
});
