import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TopUpJson } from '../../../../src/control/admin/payments/payment-contract.ts';
import { topUpsQuery } from '../../api/credit.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { topUpName, TopUpState } from '../../components/top-up-state.tsx';
import { paths } from '../../paths.ts';
import { moneyColumn } from '../../ui/columns.tsx';
import { Cut } from '../../ui/cut.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { commandWords } from '../../components/command-words.ts';
import { TOP_UP_COMMANDS } from '../../../../src/control/operations/payment-commands.ts';

const route = getRouteApi('/in/workspaces/$workspace/credit');

const COLUMNS: readonly Column<TopUpJson>[] = [
  { id: 'what', header: 'What', grow: true, cell: (topUp) => topUpName(topUp) },
  { id: 'state', header: 'Status', cell: (topUp) => <TopUpState topUp={topUp} /> },
  { id: 'created', header: 'Created', cell: ({ created_at: at }) => <Timestamp at={at} />, from: 'md' },
  { id: 'actor', header: 'By', cell: ({ actor }) => <Cut>{actor}</Cut>, from: 'xl' },
  moneyColumn('refunded', 'Returned', (topUp) => BigInt(topUp.refunded_nano_usd) + BigInt(topUp.disputed_nano_usd), {
    from: 'lg',
  }),
  moneyColumn('tax', 'Tax', ({ tax_nano_usd: tax }) => tax, { from: 'lg' }),
  moneyColumn('fee', 'Fee', ({ fee_nano_usd: fee }) => fee, { from: 'md' }),
  moneyColumn('credit', 'Credit', ({ amount_nano_usd: amount }) => amount),
];

/** The workspace's top-ups, paid or not. */
export function TopUps({ workspace }: { readonly workspace: string }): ReactNode {
  const { top_up: open } = route.useSearch();
  const topUps = useInfiniteQuery(topUpsQuery(workspace));
  return (
    <>
      <ListTable
        list={topUps}
        label="Top-ups"
        columns={COLUMNS}
        selectedKey={open}
        href={({ id }) => paths.credit(workspace, { tab: 'top-ups', top_up: id })}
        moveByKeys
        empty={
          <EmptyState
            cause="Nothing was bought or redeemed yet."
            detail="Each purchase of credit stands here from its beginning on, whatever becomes of it."
          />
        }
      />
      <CommandLine className="mt-6" command={commandWords(TOP_UP_COMMANDS, 'top-up list', { workspace })} />
    </>
  );
}
