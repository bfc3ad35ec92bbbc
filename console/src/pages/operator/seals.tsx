import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SealJson } from '../../../../src/control/admin/ledger/ledger-record-contract.ts';
import { sealsQuery } from '../../api/ledger.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { QueryTable, rowsOf } from '../../components/list-table.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { addDays, formatDay } from '../../format/day.ts';
import { moneyColumn } from '../../ui/columns.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Count } from '../../ui/count.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { commandWords } from '../../components/command-words.ts';
import { LEDGER_COMMANDS } from '../../../../src/control/operations/ledger-commands.ts';

/** The weeks for which proofs use totals instead of receipts. */
export function Seals(): ReactNode {
  const seals = useInfiniteQuery(sealsQuery);
  const rows = rowsOf(seals);
  return (
    <>
      <p className="mb-4 max-w-prose text-control text-text-2">
        Totals of a sealed week stand for its receipts in every proof, so the receipts may be dropped. A digest is of
        those totals: note it elsewhere to notice a change.
      </p>
      <QueryTable
        query={seals}
        label="Seals"
        columns={columnsOf(rows ?? [])}
        rows={rows}
        rowKey={({ name }) => name}
        expectedRows={3}
        empty={
          <EmptyState
            cause="No receipts are sealed."
            detail="Seal those that are older than five weeks with the command below, to be able to drop them."
          />
        }
      />
      <LoadMore list={seals} />
      <CommandLine
        className="mt-4"
        command={
          rows?.length === 0
            ? commandWords(LEDGER_COMMANDS, 'ledger seal')
            : commandWords(LEDGER_COMMANDS, 'ledger seals')
        }
      />
    </>
  );
}

function weekOf({ from, to }: SealJson): string {
  const now = new Date();
  return `${formatDay(from.slice(0, 10), now)} to ${formatDay(addDays(to.slice(0, 10), -1), now)}`;
}

function columnsOf(seals: readonly SealJson[]): readonly Column<SealJson>[] {
  return [
    { id: 'week', header: 'Receipts of', cell: weekOf, grow: true },
    { id: 'receipts', header: 'Receipts', align: 'end', cell: ({ receipts }) => <Count count={receipts} /> },
    moneyColumn('charges', 'Charged', ({ charges_nano_usd: charges }) => charges, { rows: seals }),
    { id: 'sealed', header: 'Sealed', from: 'md', cell: ({ sealed_at: at }) => <Timestamp at={at} daysAlone /> },
    { id: 'dropped', header: 'Dropped', cell: ({ dropped_at: at }) => <Timestamp at={at} none="kept" daysAlone /> },
    {
      id: 'digest',
      header: 'Digest',
      cell: ({ digest }) => (
        <span className="inline-flex items-center gap-1">
          <code title={digest} className="font-mono text-meta">{`${digest.slice(0, 12)}…`}</code>
          <CopyButton text={digest} label="Copy digest" />
        </span>
      ),
    },
  ];
}
