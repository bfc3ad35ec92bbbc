import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  amountFields,
  formatExactUsd,
  formatUsd,
  groupDigits,
  NANO_PER_USD,
  optionalAmountFields,
  parseUsd,
} from './money.ts';

test.each([
  ['5', 5n * NANO_PER_USD],
  ['0.000000001', 1n],
  ['-0.000000001', -1n],
  ['-0', 0n],
  ['1.5', 1_500_000_000n],
  ['007.10', 7_100_000_000n],
  ['999999999.999999999', 999_999_999_999_999_999n],
])('an amount as text: %s is read to the last nano-USD', (text, amount) => {
  expect(parseUsd(text)).toBe(amount);
});

test.each([
  '',
  '-',
  '.5',
  '5.',
  '+5',
  ' 5',
  '5 ',
  '1e3',
  '1,5',
  '1_000',
  '0x10',
  'NaN',
  '5\n',
  '٥',
  '$5',
  '5.0000000001',
])('an amount as text: %j is no amount', (text) => {
  expect(parseUsd(text)).toBeNull();
});

test('an amount as text of ten digits before the point is no amount, as no column holds what they can say', () => {
  expect(parseUsd('9999999999')).toBeNull();
});

test.each([
  [0n, '0.00'],
  [5n, '0.000000005'],
  [-5n, '-0.000000005'],
  [5n * NANO_PER_USD, '5.00'],
  [1_230_000_000n, '1.23'],
  [1_234_000_000n, '1.234'],
  [9_000_000_000_000_000_000n, '9000000000.00'],
])(
  'an amount as text: %s nano-USD is written with at least two decimals, and none that says nothing',
  (amount, text) => {
    expect(formatUsd(amount)).toBe(text);
  },
);

test('an amount as text is read as it was written', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 18n) + 1n, 10n ** 18n - 1n), (amount) => {
      expect(parseUsd(formatUsd(amount))).toBe(amount);
    }),
  );
});

test('an amount as text means the same however many noughts follow', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 18n - 1n), fc.integer({ min: 0, max: 9 }), (amount, noughts) => {
      const [whole = '', decimals = ''] = formatUsd(amount).split('.');
      expect(parseUsd(`${whole}.${decimals.padEnd(Math.max(noughts, decimals.length), '0')}`)).toBe(amount);
    }),
  );
});

test('an amount in JSON is exact for programs and a decimal for people', () => {
  expect(amountFields('balance', 1_500_000_001n)).toEqual({
    balance_nano_usd: '1500000001',
    balance_usd: '1.500000001',
  });
});

test.each([
  [1n, '0.000000000000001'],
  [123_450_000_000n, '0.00012345'],
  [2_500_000_000_000_000n, '2.50'],
  [10_000_000_000_000_000n, '10.00'],
  [0n, '0.00'],
])('an amount of %s millionths of a nano-USD is written as %s USD', (millionths, text) => {
  expect(formatExactUsd(millionths)).toBe(text);
});

test.each([
  ['', ''],
  ['7', '7'],
  ['204', '204'],
  ['1204', '1,204'],
  ['123456', '123,456'],
  ['1234567', '1,234,567'],
])('the digits "%s" are grouped as "%s"', (digits, grouped) => {
  expect(groupDigits(digits)).toBe(grouped);
});

test('an amount that may be missing goes out as two fields, both null if there is none', () => {
  expect(optionalAmountFields('limit', 5n)).toEqual({ limit_nano_usd: '5', limit_usd: '0.000000005' });
  expect(optionalAmountFields('limit', null)).toEqual({ limit_nano_usd: null, limit_usd: null });
});
