import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CorrectionPostingJson } from '../../../../src/control/admin/ledger/ledger-record-contract.ts';
import { correctionsQuery } from '../../api/ledger.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { ListTable, rowsOf } from '../../components/list-table.tsx';
import { paths } from '../../paths.ts';
import { moneyColumn } from '../../ui/columns.tsx';
import { Cut } from '../../ui/cut.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { commandWords } from '../../components/command-words.ts';
import { LEDGER_COMMANDS } from '../../../../src/control/operations/ledger-commands.ts';

/** Corrected receipts of all workspaces. */
export function Corrections(): ReactNode {
  const corrections = useInfiniteQuery(correctionsQuery);
  return (
    <>
      <ListTable
        list={corrections}
        label="Corrections"
        columns={columnsOf(rowsOf(corrections) ?? [])}
        href={({ workspace_id: workspace, receipt_request_id: request }) =>
          request === null ? undefined : paths.request(workspace, request)
        }
        expectedRows={3}
        empty={
          <EmptyState
            cause="No receipt was ever corrected."
            detail="A receipt never changes: a wrong charge is put right by a posting that names it."
          />
        }
      />
      <CommandLine className="mt-4" command={commandWords(LEDGER_COMMANDS, 'ledger corrections')} />
    </>
  );
}

function columnsOf(corrections: readonly CorrectionPostingJson[]): readonly Column<CorrectionPostingJson>[] {
  return [
    { id: 'at', header: 'When', cell: ({ posted_at: at }) => <Timestamp at={at} /> },
    { id: 'workspace', header: 'Workspace', cell: ({ workspace_name: name }) => name, grow: true },
    moneyColumn('amount', 'Given back', ({ amount_nano_usd: amount }) => amount, { rows: corrections }),
    {
      id: 'reason',
      header: 'Reason',
      cell: ({ reason }) => <span className="inline-block py-1.5 wrap-anywhere whitespace-normal">{reason}</span>,
    },
    { id: 'by', header: 'By', from: 'lg', cell: ({ actor }) => <Cut>{actor}</Cut> },
  ];
}
