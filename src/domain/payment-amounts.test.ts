import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountRefusal, centsToNano, feeOn, isWholeCents, nanoToCents } from './payment-amounts.ts';

const CENT = 10_000_000n;
const cents = fc.integer({ min: 0, max: 10_000_000 });

test('an amount of cents becomes nano-USD and back without loss', () => {
  expect(centsToNano(1)).toBe(CENT);
  expect(nanoToCents(25n * CENT)).toBe(25);
  fc.assert(fc.property(cents, (amount) => nanoToCents(centsToNano(amount)) === amount));
});

test('an amount that is not whole cents is never given to a provider', () => {
  expect([CENT, CENT + 1n, CENT - 1n, 0n].map(isWholeCents)).toEqual([true, false, false, true]);
  expect(() => nanoToCents(CENT + 1n)).toThrow('an amount that is charged is whole cents');
  expect(() => centsToNano(0.5)).toThrow('an amount of cents is a whole number');
});

test.each([
  // amount, share in hundredths of a percent, minimum, fee: in cents
  [10_000n, 550n, 80n, 550n],
  [1_000n, 550n, 80n, 80n],
  [1_001n, 1_000n, 0n, 101n],
  [1_010n, 1_000n, 0n, 101n],
  [800n, 1_000n, 80n, 80n],
  [0n, 550n, 0n, 0n],
])('of %s cents, a share of %s with a minimum of %s cents is a fee of %s cents', (amount, share, min, fee) => {
  expect(feeOn(amount * CENT, { share, min: min * CENT })).toBe(fee * CENT);
});

test('a fee is whole cents, at least the exact share, and less than a cent above it', () => {
  fc.assert(
    fc.property(cents, fc.bigInt(0n, 10_000n), (amount, share) => {
      const exact = BigInt(amount) * CENT * share;
      const fee = feeOn(BigInt(amount) * CENT, { share, min: 0n });
      return isWholeCents(fee) && fee * 10_000n >= exact && fee * 10_000n < exact + 10_000n * CENT;
    }),
  );
});

test('a top-up is refused below its least and above its greatest amount, and between cents', () => {
  const terms = { fee: { share: 0n, min: 0n }, amountMin: 500n * CENT, amountMax: 1_000n * CENT };
  const refusal = {
    code: 'INVALID_REQUEST',
    message: 'A top-up is whole cents, from 5.00 to 10.00 USD.',
    param: 'amount_usd',
  };
  for (const amount of [500n, 501n, 1_000n]) expect(amountRefusal(amount * CENT, terms)).toBeNull();
  for (const amount of [499n * CENT, 1_001n * CENT, 600n * CENT + 1n]) {
    expect(amountRefusal(amount, terms)).toMatchObject(refusal);
  }
  expect(amountRefusal(0n, terms, 'auto_top_up.amount_usd')).toMatchObject({ param: 'auto_top_up.amount_usd' });
});
