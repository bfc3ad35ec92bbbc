import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SealJson } from '../../../../src/control/admin/ledger/ledger-record-contract.ts';
import { sealsQuery } from '../../api/ledger.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { instanceCommand } from '../../components/instance-command.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { addDays, formatDay } from '../../format/day.ts';
import { decimalsOf } from '../../format/money.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Count } from '../../ui/count.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Money } from '../../ui/money.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

/** The weeks whose receipts are replaced by their totals in every proof. */
export function Seals(): ReactNode {
  const seals = useInfiniteQuery(sealsQuery);
  const rows = seals.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      <p className="mb-4 max-w-prose text-control text-text-2">
        Totals of a sealed week stand for its receipts in every proof, so the receipts may be dropped. A digest is of
        those totals: note it elsewhere to notice a change.
      </p>
      <Table
        label="Seals"
        columns={columnsOf(rows ?? [])}
        rows={rows}
        rowKey={({ name }) => name}
        expectedRows={3}
        error={problemFrom(seals.error)}
        onRetry={() => void seals.refetch()}
        empty={
          <EmptyState
            cause="No receipts are sealed."
            detail="Seal those that are older than five weeks with the command below, to be able to drop them."
          />
        }
      />
      <LoadMore list={seals} />
      <div className="mt-4">
        <CommandLine command={rows?.length === 0 ? instanceCommand.seal() : instanceCommand.seals()} />
      </div>
    </>
  );
}

function weekOf({ from, to }: SealJson): string {
  const now = new Date();
  return `${formatDay(from.slice(0, 10), now)} to ${formatDay(addDays(to.slice(0, 10), -1), now)}`;
}

function columnsOf(seals: readonly SealJson[]): readonly Column<SealJson>[] {
  const decimals = decimalsOf(seals.map(({ charges_nano_usd: charges }) => charges));
  return [
    { id: 'week', header: 'Receipts of', cell: weekOf, grow: true },
    { id: 'receipts', header: 'Receipts', align: 'end', cell: ({ receipts }) => <Count count={receipts} /> },
    {
      id: 'charges',
      header: 'Charged',
      align: 'end',
      cell: ({ charges_nano_usd: charges }) => <Money amount={charges} decimals={decimals} />,
    },
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
