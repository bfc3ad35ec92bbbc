import type { ReactNode } from 'react';
import type { LedgerReportJson } from '../../../../src/admin/ledger-contract.ts';
import type { Proof } from '../../api/ledger.ts';
import { formatNumberOf } from '../../format/count.ts';
import { paths } from '../../paths.ts';
import { Banner } from '../../ui/banner.tsx';
import { Count } from '../../ui/count.tsx';
import { type Definition, DefinitionList } from '../../ui/definition-list.tsx';
import { Duration } from '../../ui/duration.tsx';
import { Money } from '../../ui/money.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

type Difference = LedgerReportJson['differences'][number];

/** What a proof has found: its verdict, the totals, and each difference. */
export function ProofResult({ proof }: { readonly proof: Proof }): ReactNode {
  const { report } = proof;
  return (
    <div className="flex flex-col gap-6">
      <p className="text-section font-semibold">
        {report.ok ? (
          <StatusWord status="open">The ledger is proven</StatusWord>
        ) : (
          <StatusWord status="closed">{formatNumberOf(report.difference_count, 'difference')}</StatusWord>
        )}
      </p>
      {!report.ok && <Differences report={report} />}
      <DefinitionList items={factsOf(proof)} />
    </div>
  );
}

const COLUMNS: readonly Column<Difference>[] = [
  { id: 'check', header: 'What differs', cell: ({ check }) => check, grow: true },
  { id: 'subject', header: 'Of', cell: ({ subject_id: id }) => <code className="font-mono text-meta">{id}</code> },
  { id: 'expected', header: 'Expected', align: 'end', cell: ({ expected }) => <Count count={expected} /> },
  { id: 'actual', header: 'Found', align: 'end', cell: ({ actual }) => <Count count={actual} /> },
];

function Differences({ report: { differences, difference_count: count } }: { readonly report: LedgerReportJson }) {
  return (
    <div>
      <Banner tone="danger">
        What is stored contradicts itself. Keep a backup before you change anything, and compare the rows below with the
        receipts and postings of their workspaces. Amounts are in nano-USD.
      </Banner>
      <Table
        label="Differences"
        columns={COLUMNS}
        rows={differences}
        rowKey={({ check, subject_id: id }) => `${check} ${id}`}
        href={({ workspace_id: workspace }) => (workspace === null ? undefined : paths.credit(workspace))}
        empty={null}
      />
      {differences.length < count && (
        <p className="mt-2 text-meta text-text-3">{`The first ${differences.length} of ${count}.`}</p>
      )}
    </div>
  );
}

function factsOf({ report, startedAt, durationMs }: Proof): readonly Definition[] {
  return [
    { term: 'Made', value: <Timestamp at={startedAt} /> },
    { term: 'Took', value: <Duration ms={durationMs} /> },
    { term: 'Workspaces', value: <Count count={report.workspaces} /> },
    { term: 'Receipts', value: <Count count={report.receipts} /> },
    { term: 'Postings', value: <Count count={report.postings} /> },
    { term: 'Purses', value: <Count count={report.purses} /> },
    { term: 'Credit posted', value: <Money amount={report.credit_nano_usd} /> },
    { term: 'Charged', value: <Money amount={report.charges_nano_usd} /> },
    { term: 'Left', value: <Money amount={report.balance_nano_usd} /> },
    { term: 'Owed', value: <Money amount={report.owed_nano_usd} /> },
    { term: 'Written off', value: <Money amount={report.write_offs_nano_usd} /> },
  ];
}
