import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CorrectionPostingJson } from '../../../../src/control/admin/ledger/ledger-record-contract.ts';
import { correctionsQuery } from '../../api/ledger.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { instanceCommand } from '../../components/instance-command.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { decimalsOf } from '../../format/money.ts';
import { paths } from '../../paths.ts';
import { Cut } from '../../ui/cut.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Money } from '../../ui/money.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

/** The receipts whose charge was put right, of all workspaces. */
export function Corrections(): ReactNode {
  const corrections = useInfiniteQuery(correctionsQuery);
  const rows = corrections.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      <Table
        label="Corrections"
        columns={columnsOf(rows ?? [])}
        rows={rows}
        rowKey={({ id }) => id}
        href={({ workspace_id: workspace, receipt_request_id: request }) =>
          request === null ? undefined : paths.request(workspace, request)
        }
        expectedRows={3}
        error={problemFrom(corrections.error)}
        onRetry={() => void corrections.refetch()}
        empty={
          <EmptyState
            cause="No receipt was ever corrected."
            detail="A receipt never changes: a wrong charge is put right by a posting that names it."
          />
        }
      />
      <LoadMore list={corrections} />
      <div className="mt-4">
        <CommandLine command={instanceCommand.corrections()} />
      </div>
    </>
  );
}

function columnsOf(corrections: readonly CorrectionPostingJson[]): readonly Column<CorrectionPostingJson>[] {
  const decimals = decimalsOf(corrections.map(({ amount_nano_usd: amount }) => amount));
  return [
    { id: 'at', header: 'When', cell: ({ posted_at: at }) => <Timestamp at={at} /> },
    { id: 'workspace', header: 'Workspace', cell: ({ workspace_name: name }) => name, grow: true },
    {
      id: 'amount',
      header: 'Given back',
      align: 'end',
      cell: ({ amount_nano_usd: amount }) => <Money amount={amount} decimals={decimals} />,
    },
    {
      id: 'reason',
      header: 'Reason',
      cell: ({ reason }) => <span className="inline-block py-1.5 wrap-anywhere whitespace-normal">{reason}</span>,
    },
    { id: 'by', header: 'By', from: 'lg', cell: ({ actor }) => <Cut>{actor}</Cut> },
  ];
}
