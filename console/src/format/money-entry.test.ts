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
  ['12', '12.00'],
  ['.25', '0.25'],
  ['12,345', '12345.00'],
  ['$1,234,567.891234567', '1234567.891234567'],
])('typed as %s, an amount is %s USD', (typed, usd) => {
  expect(readMoney(typed)).toMatchObject({ ok: true, usd });
});

test.each([
  ['', 'Enter an amount in dollars, such as 5 or 5.00.'],
  ['$', 'Enter an amount in dollars, such as 5 or 5.00.'],
  ['−5', 'above zero'],
  ['5-', 'digits alone'],
  ['12,5', 'Write cents after a point: 12.5.'],
  ['1,25', 'Write cents after a point: 1.25.'],
  ['a1,5', 'digits alone'],
  ['12.0000000001', 'at most nine decimals'],
  ['a0.0000000001', 'digits alone'],
  ['0.0000000001a', 'digits alone'],
  ['a1000000000', 'digits alone'],
  ['5$ ', 'digits alone'],
  ['a.5', 'digits alone'],
  ['.5a', 'digits alone'],
  ['1,000a', 'digits alone'],
  ['1,000.5.5', 'digits alone'],
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
