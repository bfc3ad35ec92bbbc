import { formatUsd, type NanoUsd } from './money.ts';
import { refuse, type Refusal } from './refusals.ts';
import { assert } from '../lib/assert.ts';

// Providers count whole cents. A fee is charged on top of the credit, and never becomes credit.

/** One cent. */
const CENT: NanoUsd = 10_000_000n;
const HUNDREDTHS_OF_PERCENT = 10_000n;

/** The fee on top of a top-up: a share of it, with a minimum. */
export interface FeeTerms {
  /** Hundredths of a percent. */
  readonly share: bigint;
  readonly min: NanoUsd;
}

/** The possible amounts of one top-up, without its fee. */
export interface TopUpTerms {
  readonly fee: FeeTerms;
  readonly amountMin: NanoUsd;
  readonly amountMax: NanoUsd;
  /** Tax comes on top of it, which the provider computes on its page. */
  readonly hasTax?: boolean;
}

/** Whether a provider can charge this amount: whole cents. */
export function isWholeCents(amount: NanoUsd): boolean {
  return amount % CENT === 0n;
}

/** A provider's cents as nano-USD. */
export function centsToNano(cents: number): NanoUsd {
  assert(Number.isSafeInteger(cents), 'an amount of cents is a whole number');
  return BigInt(cents) * CENT;
}

/** An amount of whole cents in the provider's unit. */
export function nanoToCents(amount: NanoUsd): number {
  assert(isWholeCents(amount), 'an amount that is charged is whole cents');
  return Number(amount / CENT);
}

/** The fee on top of an amount, rounded up to whole cents. */
export function feeOn(amount: NanoUsd, { share, min }: FeeTerms): NanoUsd {
  const exact = amount * share;
  const unit = HUNDREDTHS_OF_PERCENT * CENT;
  const rounded = ((exact + unit - 1n) / unit) * CENT;
  return rounded > min ? rounded : min;
}

/** Why this amount can't be bought; null if it can. */
export function amountRefusal(
  amount: NanoUsd,
  { amountMin, amountMax }: TopUpTerms,
  param = 'amount_usd',
): Refusal | null {
  if (amount >= amountMin && amount <= amountMax && isWholeCents(amount)) return null;
  const message = `A top-up is whole cents, from ${formatUsd(amountMin)} to ${formatUsd(amountMax)} USD.`;
  return refuse('INVALID_REQUEST', message, { param });
}
