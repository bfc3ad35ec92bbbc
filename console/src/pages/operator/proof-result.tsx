import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { LedgerReportJson } from '../../../../src/control/admin/ledger/ledger-contract.ts';
import type { ProofJson } from '../../../../src/control/admin/ledger/ledger-record-contract.ts';
import { reportQuery } from '../../api/ledger.ts';
import { formatNumberOf } from '../../format/count.ts';
import { paths } from '../../paths.ts';
import { Banner } from '../../ui/banner.tsx';
import { Count } from '../../ui/count.tsx';
import { type Definition, DefinitionList } from '../../ui/definition-list.tsx';
import { Duration } from '../../ui/duration.tsx';
import { Money } from '../../ui/money.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Table } from '../../ui/table.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

type Difference = LedgerReportJson['differences'][number];

/** What the last proof has found: its verdict, each difference, and the totals if it was made from here. */
export function ProofResult({ proof }: { readonly proof: ProofJson }): ReactNode {
  const { data: made = null } = useQuery(reportQuery);
  const count = proof.difference_count;
  return (
    <div className="flex flex-col gap-6">
      <p className="text-section font-semibold">
        {count === 0 ? (
          <StatusWord status="open">The ledger is proven</StatusWord>
        ) : (
          <StatusWord status="closed">{formatNumberOf(count, 'difference')}</StatusWord>
        )}
      </p>
      {count > 0 && <Differences proof={proof} />}
      <div className="grid gap-x-12 gap-y-2 lg:grid-cols-2">
        <DefinitionList items={factsOf(proof)} />
        {made?.proof === proof.id && <DefinitionList items={totalsOf(made.report)} />}
      </div>
    </div>
  );
}

const COLUMNS: readonly Column<Difference>[] = [
  { id: 'check', header: 'What differs', cell: ({ check }) => check, grow: true },
  { id: 'subject', header: 'Of', cell: ({ subject_id: id }) => <code className="font-mono text-meta">{id}</code> },
  { id: 'expected', header: 'Expected', align: 'end', cell: ({ expected }) => <Count count={expected} /> },
  { id: 'actual', header: 'Found', align: 'end', cell: ({ actual }) => <Count count={actual} /> },
];

function Differences({ proof: { differences, difference_count: count } }: { readonly proof: ProofJson }): ReactNode {
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

function factsOf({ nightly: isNightly, started_at: from, finished_at: to }: ProofJson): readonly Definition[] {
  return [
    { term: 'Made', value: <Timestamp at={from} /> },
    { term: 'Took', value: <Duration ms={Date.parse(to) - Date.parse(from)} /> },
    { term: 'By', value: isNightly ? 'the night’s schedule' : 'request' },
    {
      term: 'Compared',
      value: (
        <>
          every posting, receipt, purse, lease, seal, count of usage and audit event with the others (
          <TextLink href={`${paths.manual()}/money#the-proof`}>what a proof compares</TextLink>)
        </>
      ),
    },
  ];
}

function totalsOf(report: LedgerReportJson): readonly Definition[] {
  return [
    { term: 'Workspaces', value: <Count count={report.workspaces} /> },
    { term: 'Receipts', value: <Count count={report.receipts} /> },
    { term: 'Postings', value: <Count count={report.postings} /> },
    { term: 'Purses', value: <Count count={report.purses} /> },
    { term: 'Changes', value: <Count count={report.audit_events} /> },
    { term: 'Credit posted', value: <Money exact amount={report.credit_nano_usd} /> },
    { term: 'Charged', value: <Money exact amount={report.charges_nano_usd} /> },
    { term: 'Left', value: <Money exact amount={report.balance_nano_usd} /> },
    { term: 'Owed', value: <Money exact amount={report.owed_nano_usd} /> },
    { term: 'Written off', value: <Money exact amount={report.write_offs_nano_usd} /> },
  ];
}
