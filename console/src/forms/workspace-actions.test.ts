import { expect, test } from 'vitest';
import { partsOf } from './workspace-actions.tsx';

test.each([
  [10n, 4n, 4n, 6n],
  [10n, 10n, 10n, 0n],
  [10n, 25n, 10n, 0n],
  [10n, 0n, 0n, 10n],
  [0n, 5n, 0n, 0n],
  [-3n, 5n, 0n, 0n],
])('of a balance of %s, of which %s was paid, closing refunds %s, and %s lapses', (balance, paid, refunded, lapsed) => {
  expect(partsOf(balance, paid)).toEqual({ refunded, lapsed });
});
