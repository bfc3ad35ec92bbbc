import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCount, formatCountShort, formatNumberOf, formatShare, formatTokens } from './count.ts';

test('whole numbers are grouped by thousands, whatever carries them', () => {
  expect([0, 999, 1203.6, -1204, 9_007_199_254_740_993n, '123456789012345678901'].map(formatCount)).toEqual([
    '0',
    '999',
    '1,204',
    '−1,204',
    '9,007,199,254,740,993',
    '123,456,789,012,345,678,901',
  ]);
  expect([formatTokens(1), formatTokens(1n), formatTokens(1204n), formatNumberOf(2, 'reply', 'replies')]).toEqual([
    '1 token',
    '1 token',
    '1,204 tokens',
    '2 replies',
  ]);
});

test('numbers at an axis are short', () => {
  expect([2.4, 7e9, 1.5e15, 103_000_000, 950.4, 999.5, 9_950].map(formatCountShort)).toEqual([
    '2',
    '7 B',
    '1500 T',
    '103 M',
    '950',
    '1 k',
    '10 k',
  ]);
  expect([3.2e12, 98.4, -4_040].map(formatCountShort)).toEqual(['3.2 T', '98', '-4 k']);
  expect([0, 999, 1_000, 1_240, 9_960, 34_000_000, 999_600].map(formatCountShort)).toEqual([
    '0',
    '999',
    '1 k',
    '1.2 k',
    '10 k',
    '34 M',
    '1 M',
  ]);
});

test('a share is 0% only of nothing and 100% only of all', () => {
  expect([
    formatShare(0, 10),
    formatShare(1, 3_000),
    formatShare(1, 8),
    formatShare(1n, 2n),
    formatShare(2_999, 3_000),
    formatShare(3, 3),
    formatShare(0, 0),
    formatShare(1, 0),
    formatShare(1, 1_000),
    formatShare(999, 1_000),
    formatShare(10_004, 100_000),
    formatShare(3, 2),
  ]).toEqual(['0%', '<0.1%', '12.5%', '50.0%', '>99.9%', '100%', '0%', '0%', '0.1%', '99.9%', '10.0%', '150.0%']);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 1, max: 10 ** 9 }), (one, other) => {
      const [part, whole] = [one, one + other];
      expect(['0%', '100%']).not.toContain(formatShare(part, whole));
    }),
  );
});
