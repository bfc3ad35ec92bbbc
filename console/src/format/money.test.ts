import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  alignDecimals,
  decimalsOf,
  formatMoney,
  formatMoneyExactly,
  formatMoneyTicks,
  moneyAsDecimal,
} from './money.ts';

const amounts = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
const numberOf = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.replaceAll(/[$,]/g, '').replace('−', '-').split('.');
  const magnitude = BigInt(whole.replace('-', '') + fraction.padEnd(9, '0'));
  return whole.startsWith('-') ? -magnitude : magnitude;
};

test.each([
  ['0', '$0.00'],
  ['1', '$0.000000001'],
  ['4208000', '$0.0042'],
  ['41270000000', '$41.27'],
  ['41200000', '$0.041'],
  ['500000000', '$0.50'],
  ['1234567891234', '$1,234.57'],
  ['123456789123456', '$123,456.79'],
  ['999999999999999999', '$1,000,000,000.00'],
  ['4999999600', '$5.00'],
  ['4999994000', '$5.00'],
  ['412000000', '$0.41'],
  ['9996000', '$0.01'],
  ['-1500000000', '−$1.50'],
  [2_500_000_000n, '$2.50'],
])('an amount of %s nano-USD reads %s', (amount, words) => {
  expect(formatMoney(amount)).toBe(words);
});

test('an amount reads in cents, or with two digits where it has fewer, and is off by half of the last one at most', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      const words = formatMoney(amount);
      expect(words).toMatch(/^−?\$\d{1,3}(,\d{3})*\.\d{2,9}$/);
      const off = numberOf(words) - amount;
      const magnitude = amount < 0n ? -amount : amount;
      const tolerated = magnitude < 100_000_000n ? magnitude / 20n : 5_000_000n;
      expect(off < 0n ? -off : off).toBeLessThanOrEqual(tolerated);
    }),
  );
});

test('an exact amount and its decimal lose not one nano-dollar', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      expect(numberOf(formatMoneyExactly(amount.toString()))).toBe(amount);
      expect(numberOf(moneyAsDecimal(amount.toString()))).toBe(amount);
    }),
  );
});

test('the amounts of an axis have equally many decimals, none if all are whole dollars', () => {
  expect(formatMoneyTicks(['0', '600000000000', '1200000000000'])).toEqual(['$0', '$600', '$1,200']);
  expect(formatMoneyTicks(['0', '2500000000', '5000000000'])).toEqual(['$0.00', '$2.50', '$5.00']);
  expect(formatMoneyTicks(['0', '5000000', '10000000'])).toEqual(['$0.000', '$0.005', '$0.010']);
});

test('a column has room for its amount with the most decimals', () => {
  expect(decimalsOf(['5000000000', '-4208000', '41270000000'])).toBe(4);
  expect(decimalsOf(['5000000000', '-4208000', '41270000000'], formatMoneyExactly)).toBe(6);
  expect(decimalsOf([])).toBe(2);
});

test('exact amounts of a bill are written in full, with their points below each other', () => {
  expect(alignDecimals(['0.000001050000', '12.5', '-1234.00', '0.00'])).toEqual([
    '$0.00000105',
    '$12.50000000',
    '−$1,234.00000000',
    '$0.00000000',
  ]);
  expect(alignDecimals(['1'])).toEqual(['$1.00']);
  expect(alignDecimals(['x1', '1x'])).toEqual(['$0.00', '$0.00']);
});
