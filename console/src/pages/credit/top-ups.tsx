import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TopUpJson } from '../../../../src/control/admin/payments/payment-contract.ts';
import { topUpsQuery } from '../../api/credit.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { creditCommand } from '../../components/credit-command.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { topUpName, TopUpState } from '../../components/top-up-state.tsx';
import { paths } from '../../paths.ts';
import { Cut } from '../../ui/cut.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Money } from '../../ui/money.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

const route = getRouteApi('/in/workspaces/$workspace/credit');

const COLUMNS: readonly Column<TopUpJson>[] = [
  { id: 'what', header: 'What', grow: true, cell: (topUp) => topUpName(topUp) },
  { id: 'state', header: 'Status', cell: (topUp) => <TopUpState topUp={topUp} /> },
  { id: 'created', header: 'Created', cell: ({ created_at: at }) => <Timestamp at={at} />, from: 'md' },
  { id: 'actor', header: 'By', cell: ({ actor }) => <Cut>{actor}</Cut>, from: 'xl' },
  {
    id: 'refunded',
    header: 'Returned',
    align: 'end',
    from: 'lg',
    cell: (topUp) => <Money amount={BigInt(topUp.refunded_nano_usd) + BigInt(topUp.disputed_nano_usd)} />,
  },
  { id: 'fee', header: 'Fee', align: 'end', from: 'md', cell: ({ fee_nano_usd: fee }) => <Money amount={fee} /> },
  { id: 'credit', header: 'Credit', align: 'end', cell: ({ amount_nano_usd: amount }) => <Money amount={amount} /> },
];

/** The workspace's top-ups, paid or not. */
export function TopUps({ workspace }: { readonly workspace: string }): ReactNode {
  const navigate = route.useNavigate();
  const { top_up: open } = route.useSearch();
  const topUps = useInfiniteQuery(topUpsQuery(workspace));
  return (
    <>
      <Table
        label="Top-ups"
        columns={COLUMNS}
        rows={topUps.data?.pages.flatMap(({ data }) => data)}
        rowKey={({ id }) => id}
        selectedKey={open}
        href={({ id }) => paths.credit(workspace, { tab: 'top-ups', top_up: id })}
        onNavigate={(href) => void navigate({ href })}
        moveByKeys
        error={problemFrom(topUps.error)}
        onRetry={() => void topUps.refetch()}
        empty={
          <EmptyState
            cause="Nothing was bought or redeemed yet."
            detail="Each purchase of credit stands here from its beginning on, whatever becomes of it."
          />
        }
      />
      <LoadMore list={topUps} />
      <div className="mt-6">
        <CommandLine command={creditCommand.topUps(workspace)} />
      </div>
    </>
  );
}
