import { expect, test } from 'vitest';
import type { PaymentSettingsJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { feeWords, wrongAmount } from './top-up-create.tsx';

const CENT = 10_000_000n;
const TERMS = { amountMin: 500n * CENT, amountMax: 100_000n * CENT, fee: { share: 550n, min: 80n * CENT } };

test.each([
  [500n * CENT, null],
  [100_000n * CENT, null],
  [501n * CENT, null],
  [499n * CENT, 'Enter at least $5.00.'],
  [100_001n * CENT, 'Enter at most $1,000.00.'],
  [500n * CENT + 1n, 'Enter whole cents.'],
])('credit of %s nano-USD is offered, or refused with what would be right: %s', (amount, wrong) => {
  expect(wrongAmount(amount, TERMS)).toBe(wrong);
});

test.each([
  ['5.50', '0.80', '5.5 %, at least $0.80'],
  ['5.50', '0.00', '5.5 %'],
  ['0.00', '0.80', 'fixed'],
  ['0.00', '0.00', 'none'],
])('a fee of %s percent and at least %s USD is called "%s"', (percent, min, words) => {
  const settings = { fee_percent: percent, fee_min_usd: min, amount_min_usd: '5.00', amount_max_usd: '9.00' };
  expect(feeWords(settings as unknown as PaymentSettingsJson)).toBe(words);
});
