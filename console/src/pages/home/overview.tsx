import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import type { ReceiptSummaryJson } from '../../../../src/control/admin/ledger/ledger-contract.ts';
import { daysQuery } from '../../api/home.ts';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { servedColumns } from '../../components/served-columns.tsx';
import { paths } from '../../paths.ts';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { NARROW, useMedia } from '../../ui/use-media.ts';
import { AttentionList } from './attention-list.tsx';
import { HeroNumbers } from './hero-numbers.tsx';

const SpendingChart = lazy(async () => ({ default: (await import('./spending-chart.tsx')).SpendingChart }));

interface OverviewProps {
  readonly workspace: WorkspaceJson;
  readonly receipts: readonly ReceiptSummaryJson[];
}

/** A workspace that is in use. On a phone, where little is seen without scrolling, what needs attention comes first. */
export function Overview({ workspace, receipts }: OverviewProps): ReactNode {
  const attention = <AttentionList id={workspace.id} workspace={workspace} />;
  const isNarrow = useMedia(NARROW);
  return (
    <>
      {isNarrow && attention}
      <HeroNumbers workspace={workspace} />
      {!isNarrow && attention}
      <Spending workspace={workspace.id} />
      <LatestRequests workspace={workspace.id} receipts={receipts} />
    </>
  );
}

/** The height of the chart with its label, so that nothing moves when it comes; a sentence in its place needs less. */
const ROOM = 'min-h-59 has-[p]:min-h-0';

/** What each of the last 30 days cost. */
export function Spending({ workspace }: { readonly workspace: string }): ReactNode {
  const { data: usage, error, refetch } = useQuery(daysQuery(workspace));
  return (
    <Section
      title="Spending"
      actions={
        <TextLink href={paths.usage(workspace)} className="text-control">
          All usage
        </TextLink>
      }
    >
      <ProblemPanel error={error} onRetry={() => void refetch()} />
      <div className={ROOM} aria-busy={usage === undefined}>
        <Suspense>{usage !== undefined && <SpendingChart usage={usage} />}</Suspense>
      </div>
    </Section>
  );
}

/** The requests that were charged last. */
export function LatestRequests({
  workspace,
  receipts,
}: {
  readonly workspace: string;
  readonly receipts: readonly ReceiptSummaryJson[];
}): ReactNode {
  return (
    <Section
      title="Latest requests"
      actions={
        <TextLink href={paths.requests(workspace)} className="text-control">
          All requests
        </TextLink>
      }
    >
      <Table
        label="Latest requests"
        columns={servedColumns(receipts, false)}
        rows={receipts}
        rowKey={({ request_id: id }) => id}
        href={({ request_id: id }) => paths.request(workspace, id)}
        empty={null}
      />
    </Section>
  );
}
