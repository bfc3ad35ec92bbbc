import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ReceiptJson } from '../../../../src/control/admin/ledger/ledger-contract.ts';
import { settledReceiptQuery } from '../../api/playground.ts';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { paths } from '../../paths.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Count } from '../../ui/count.tsx';
import { Duration } from '../../ui/duration.tsx';
import { Money } from '../../ui/money.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { isUnderWay, type Run } from './use-run.ts';

interface RunFactsProps {
  readonly workspace: string;
  readonly run: Run;
  readonly requestId: string;
}

/** What the request has cost, as its receipt says. */
export function RunFacts({ workspace, run, requestId }: RunFactsProps): ReactNode {
  const ended = isUnderWay(run) ? null : { request: requestId, isWhole: run.state === 'done' };
  const { data: receipt, error } = useQuery(settledReceiptQuery(workspace, ended));
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Charge', receipt && <Money amount={receipt.charge_nano_usd} />],
    ['Hold', receipt && <Money amount={receipt.hold_nano_usd} />],
    ['Tokens', receipt && <Tokens receipt={receipt} />],
    ['First token', receipt && <Duration ms={receipt.first_event_ms} />],
  ];
  return (
    <div className="mt-4 border-t border-line pt-3">
      <dl className="tabular grid grid-cols-2 gap-x-6 gap-y-3 text-control sm:grid-cols-4">
        {facts.map(([term, value]) => (
          <div key={term} className="min-w-0">
            <dt className="text-meta text-text-3">{term}</dt>
            <dd>{value ?? (error === null && <Skeleton className="w-16" />)}</dd>
          </div>
        ))}
        <div className="col-span-full min-w-0">
          <dt className="text-meta text-text-3">Request</dt>
          <dd className="flex items-center gap-1">
            <TextLink href={paths.request(workspace, requestId)} className="min-w-0 truncate">
              <code className="font-mono text-meta">{requestId}</code>
            </TextLink>
            <CopyButton text={requestId} label="Copy request id" />
          </dd>
        </div>
      </dl>
      <ProblemPanel error={error} />
    </div>
  );
}

/** The classes of tokens that a model reads; all others it writes. */
const isInput = (name: string): boolean => name.includes('input') || name.includes('cache');

function Tokens({ receipt }: { readonly receipt: ReceiptJson }): ReactNode {
  const counts = Object.entries(receipt.usage.tokens);
  const sum = (isCounted: (name: string) => boolean): number =>
    counts.reduce((total, [name, count]) => (isCounted(name) ? total + count : total), 0);
  return (
    <>
      <Count count={sum(isInput)} /> in, <Count count={sum((name) => !isInput(name))} /> out
    </>
  );
}
