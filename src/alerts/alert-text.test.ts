import { expect, test } from 'vitest';
import { roundUsd, writeUsd } from './alert-text.ts';

test.each([
  [5_000_000_000_000n, '5,000.00 USD'],
  [-1_234_567_891_234_567n, '-1,234,567.891234567 USD'],
  [999_990_000_000n, '999.99 USD'],
  [4_208_000n, '0.004208 USD'],
])('an alert writes %d nano-USD as %s', (amount, text) => {
  expect(writeUsd(amount)).toBe(text);
});

test('an alert rounds what has more digits than cents towards zero, but never to nothing', () => {
  expect(roundUsd(1_234_567_899_999_999n)).toBe('1,234,567.89 USD');
  expect(roundUsd(-1_000_009_000_000n)).toBe('-1,000.00 USD');
  expect(roundUsd(9_999_999n)).toBe('0.009999999 USD');
});
