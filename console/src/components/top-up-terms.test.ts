import { expect, test } from 'vitest';
import type { PaymentSettingsJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { termsOf, worstMonth } from './top-up-terms.ts';

const CENT = 10_000_000n;
const SETTINGS = { amount_min_usd: '5.00', amount_max_usd: '1000.00', fee_percent: '5.50', fee_min_usd: '0.80' };
const terms = termsOf(SETTINGS as PaymentSettingsJson);

test('the terms that a page has are those of the server, digit by digit', () => {
  expect(terms).toEqual({ amountMin: 500n * CENT, amountMax: 100_000n * CENT, fee: { share: 550n, min: 80n * CENT } });
});

test.each([
  ['as many as fit with their fees', 2_000n, 10_000n, { count: 4n, charge: 8_440n, credit: 8_000n }],
  ['exactly at the limit', 2_000n, 2_110n, { count: 1n, charge: 2_110n, credit: 2_000n }],
  ['none that the limit is a cent too low for', 2_000n, 2_109n, { count: 0n, charge: 0n, credit: 0n }],
] as const)('the worst month has %s', (_case, amount, monthMax, { count, charge, credit }) => {
  expect(worstMonth(terms, { amount: amount * CENT, monthMax: monthMax * CENT })).toEqual({
    count,
    charge: charge * CENT,
    credit: credit * CENT,
  });
});
