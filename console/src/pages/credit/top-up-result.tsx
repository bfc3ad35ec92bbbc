import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import type { TopUpJson } from '../../../../src/control/admin/payments/payment-contract.ts';
import { ApiError } from '../../api/api-error.ts';
import { topUpQuery } from '../../api/credit.ts';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { failureWords } from '../../components/top-up-state.tsx';
import { formatMoney } from '../../format/money.ts';
import { announce } from '../../ui/announcements.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';

interface TopUpResultProps {
  readonly workspace: WorkspaceJson;
  readonly topUp: string;
  /** Whether the payer left the payment page without paying. */
  readonly wasLeft: boolean;
  /** Begins another top-up. */
  readonly again: ReactNode;
  readonly onDismiss: () => void;
}

/** The result of a payment after the return from the provider's page. It comes from the server, not from the address. */
export function TopUpResult({ workspace, topUp: id, wasLeft, again, onDismiss }: TopUpResultProps): ReactNode {
  const { data: topUp, error, refetch } = useQuery(topUpQuery(workspace.id, id));
  const words = topUp === undefined ? null : wordsOf(topUp, workspace.name, wasLeft);
  useEffect(() => {
    if (words !== null) announce(words);
  }, [words]);
  if (topUp === undefined || words === null) {
    if (error instanceof ApiError && error.status === 404) {
      return (
        <Banner tone="warn" action={<Button onClick={onDismiss}>Dismiss</Button>}>
          This workspace has no such top-up. Nothing was charged, and no credit was added.
        </Banner>
      );
    }
    return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  }
  const { state, checkout_url: url } = topUp;
  const isWaiting = state === 'processing' || (state === 'pending' && !wasLeft);
  return (
    <Banner
      tone={state === 'failed' || state === 'expired' ? 'warn' : 'info'}
      action={
        <>
          {state === 'pending' && wasLeft && url !== null && (
            <a href={url} className={buttonClass('primary')}>
              Continue to payment
            </a>
          )}
          {(state === 'failed' || state === 'expired') && again}
          {!isWaiting && <Button onClick={onDismiss}>Dismiss</Button>}
        </>
      }
    >
      <span className="inline-flex items-start gap-2">
        {isWaiting && <Spinner className="mt-1" />}
        <span className={state === 'paid' ? 'font-medium text-accent-text' : ''}>{words}</span>
      </span>
    </Banner>
  );
}

function wordsOf({ state, failure, ...topUp }: TopUpJson, workspace: string, wasLeft: boolean): string {
  const credit = formatMoney(topUp.amount_nano_usd);
  if (state === 'paid') return `Paid. ${workspace} has ${credit} more credit.`;
  if (state === 'failed') return `${failureWords(failure)} The workspace ${workspace} got no credit.`;
  if (state === 'expired') return `The payment page has expired. Nothing was charged, and ${workspace} got no credit.`;
  if (state === 'processing') {
    return `The payment is under way: ${workspace} gets ${credit} of credit when the money arrives. With a bank transfer that takes days.`;
  }
  if (wasLeft) return `You left the payment page. Nothing was charged, and ${workspace} got no credit.`;
  return `Waiting for the payment: ${workspace} gets ${credit} of credit, and this page shows it as soon as it is confirmed.`;
}
