import type { ReactNode } from 'react';
import type { TopUpJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { type Status, StatusWord } from '../ui/status-word.tsx';

const STATES: Readonly<Record<TopUpJson['state'], readonly [Status, string]>> = {
  pending: ['waiting', 'waiting for payment'],
  processing: ['waiting', 'payment under way'],
  expired: ['off', 'expired'],
  failed: ['closed', 'failed'],
  paid: ['open', 'paid'],
};

/** How far a top-up is. */
export function TopUpState({ topUp }: { readonly topUp: Pick<TopUpJson, 'state'> }): ReactNode {
  const [status, words] = STATES[topUp.state];
  return <StatusWord status={status}>{words}</StatusWord>;
}

const ORIGINS: Readonly<Record<TopUpJson['origin'], string>> = {
  checkout: 'Top-up',
  auto: 'Automatic top-up',
  code: 'Redeemed code',
};

/** What kind of top-up it is. */
export function topUpName({ origin }: Pick<TopUpJson, 'origin'>): string {
  return ORIGINS[origin];
}

const FAILURES: Readonly<Record<string, string>> = {
  card_declined: 'The card was declined.',
  insufficient_funds: 'The card was declined: its account has too little money.',
  expired_card: 'The card has expired.',
  authentication_required: 'The bank wants the payment to be confirmed by its owner.',
  no_payment_method: 'The payment method that was kept is gone.',
  no_answer: 'The payment provider did not answer in time.',
  withdrawn: 'Automatic top-ups were turned off before it was charged.',
};

/** Why a top-up failed, for people; the provider's code where there are no words for it. */
export function failureWords(failure: string | null): string {
  if (failure === null) return 'The payment did not go through.';
  return FAILURES[failure] ?? `The payment did not go through: ${failure}.`;
}
