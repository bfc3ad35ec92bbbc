import type { ReactNode } from 'react';
import type { TopUpTerms } from '../../../src/domain/payment-amounts.ts';
import { formatMoney } from '../format/money.ts';
import { worstMonth } from './top-up-terms.ts';

interface TopUpWorstProps {
  readonly terms: TopUpTerms;
  readonly amount: bigint;
  readonly monthMax: bigint;
}

/** What automatic top-ups may come to in a month, before anybody agrees to them. */
export function TopUpWorst({ terms, amount, monthMax }: TopUpWorstProps): ReactNode {
  const { count, charge, credit } = worstMonth(terms, { amount, monthMax });
  if (count === 0n) return 'The limit of the month is below one top-up and its fee, so none would be made.';
  const times = count === 1n ? 'one top-up' : `${count} top-ups`;
  return `In the worst month that is ${times}: ${formatMoney(charge)} charged, fees included, for ${formatMoney(credit)} of credit.`;
}
