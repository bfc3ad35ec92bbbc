import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeliveryJson } from '../../../../src/control/admin/alerts/alert-contract.ts';
import { type AlertOwner, deliveryQuery } from '../../api/alerts.ts';
import { webhookCommand } from '../../components/alert-command.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { deliveryHelp, deliveryStatus, lastAnswer } from '../../components/delivery-words.ts';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { DeliveryResend } from '../../forms/webhook-send.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { type Definition, DefinitionList } from '../../ui/definition-list.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

interface DeliverySheetProps {
  readonly owner: AlertOwner;
  readonly delivery: string;
  readonly onClose: () => void;
}

/** One mail or webhook: how often it was tried, what came of it, and what helps. */
export function DeliverySheet({ owner, delivery: id, onClose }: DeliverySheetProps): ReactNode {
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(owner, id));
  return (
    <Sheet
      open
      title={delivery?.channel === 'mail' ? 'Mail' : 'Webhook delivery'}
      description={delivery?.subject ?? delivery?.recipient}
      onClose={onClose}
      footer={delivery !== undefined && <DeliveryResend owner={owner} delivery={delivery} />}
    >
      {delivery === undefined && error === null && <Skeleton className="w-60" />}
      <ProblemPanel error={error} onRetry={() => void refetch()} />
      {delivery !== undefined && (
        <>
          <Outcome delivery={delivery} />
          <DefinitionList items={factsOf(delivery)} />
          <div className="mt-6">
            <CommandLine command={webhookCommand.resend(owner, delivery.id)} />
          </div>
        </>
      )}
    </Sheet>
  );
}

function Outcome({ delivery }: { readonly delivery: DeliveryJson }): ReactNode {
  const { status, word } = deliveryStatus(delivery);
  const help = deliveryHelp(delivery);
  return (
    <div aria-live="polite" className="mb-6 flex flex-col gap-1">
      <p className="text-body font-medium">
        <StatusWord status={status}>{word.charAt(0).toUpperCase() + word.slice(1)}</StatusWord>
      </p>
      {lastAnswer(delivery) !== null && <p className="text-control wrap-anywhere">{lastAnswer(delivery)}</p>}
      {help !== null && <p className="text-control text-text-2">{help}</p>}
    </div>
  );
}

function factsOf(delivery: DeliveryJson): readonly Definition[] {
  const { id, recipient, attempts, created_at: created, next_attempt_at: next, finished_at: finished } = delivery;
  return [
    { term: 'Sent to', value: recipient },
    { term: 'Tries', value: attempts },
    { term: 'Raised', value: <Timestamp at={created} /> },
    ...(next === null ? [] : [{ term: 'Next try', value: <Timestamp at={next} /> }]),
    ...(finished === null ? [] : [{ term: 'Ended', value: <Timestamp at={finished} /> }]),
    {
      term: 'Id',
      value: (
        <span className="inline-flex items-center gap-1">
          <code className="font-mono wrap-anywhere">{id}</code>
          <CopyButton text={id} label="Copy id" />
        </span>
      ),
    },
  ];
}
