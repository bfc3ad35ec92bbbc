import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ProofJson, ProofsJson } from '../../../../src/control/admin/ledger/ledger-record-contract.ts';
import { proofsQuery } from '../../api/ledger.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { QueryTable } from '../../components/list-table.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { formatCount, formatNumberOf, formatShare } from '../../format/count.ts';
import { Button } from '../../ui/button.tsx';
import { statusColumn } from '../../ui/columns.tsx';
import { Duration } from '../../ui/duration.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { ProofResult } from './proof-result.tsx';
import { commandWords } from '../../components/command-words.ts';
import { LEDGER_COMMANDS } from '../../../../src/control/operations/ledger-commands.ts';

interface ProofsProps {
  /** Whether a proof was asked for here and is not finished. */
  readonly isAsked: boolean;
  readonly error: Error | null;
  readonly onVerify: () => void;
}

/** The proof that is being made, what the last one has found, and those before it. */
export function Proofs({ isAsked, error, onVerify }: ProofsProps): ReactNode {
  const proofs = useQuery(proofsQuery);
  const { data } = proofs;
  const [last] = data?.data ?? [];
  return (
    <>
      <div className="flex flex-col gap-6 pt-2">
        <ProblemPanel error={error} onRetry={onVerify} />
        {(isAsked || data?.running) && <Progress running={data?.running ?? null} />}
        {data === undefined && proofs.error === null && <Skeleton className="h-6 w-48" />}
        {last !== undefined && <ProofResult proof={last} />}
        {data?.data.length === 0 && !isAsked && data.running === null && (
          <EmptyState
            cause="No proof has been made yet."
            detail="The instance makes one each night after 03:00 UTC, and reports differences among its problems."
            action={<Button onClick={onVerify}>Make the first proof</Button>}
          />
        )}
        <CommandLine command={commandWords(LEDGER_COMMANDS, 'ledger verify')} />
      </div>
      <Section title="Earlier proofs" lead="One each night, and those that somebody asked for.">
        <QueryTable
          query={proofs}
          label="Proofs"
          columns={COLUMNS}
          rows={data?.data}
          expectedRows={3}
          empty={<p className="py-4 text-control text-text-2">There is none yet.</p>}
        />
        <CommandLine className="mt-4" command={commandWords(LEDGER_COMMANDS, 'ledger proofs')} />
      </Section>
    </>
  );
}

/** How far the proof has come, by receipts; the number of all is an estimate. */
function Progress({ running }: { readonly running: ProofsJson['running'] }): ReactNode {
  const { receipts = 0, receipts_expected: expected = 0 } = running ?? {};
  const share = formatShare(Math.min(receipts, expected), expected);
  const words =
    running === null
      ? 'It begins.'
      : `${formatCount(receipts)} of about ${formatNumberOf(expected, 'receipt')} added up.`;
  return (
    <output className="flex flex-col gap-2">
      <span className="text-control font-medium">The proof is being made. {words}</span>
      <progress
        aria-label="Progress of the proof"
        aria-valuetext={share}
        className="h-2 w-full max-w-prose appearance-none overflow-hidden rounded-mark bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
        max={Math.max(1, expected)}
        value={receipts}
      />
      <span className="text-meta text-text-3">Requests are served while it runs, and you can leave this page.</span>
    </output>
  );
}

const COLUMNS: readonly Column<ProofJson>[] = [
  { id: 'started', header: 'Made', cell: ({ started_at: at }) => <Timestamp at={at} />, grow: true },
  { id: 'by', header: 'By', cell: ({ nightly: isNightly }) => (isNightly ? 'the night’s schedule' : 'request') },
  {
    id: 'took',
    header: 'Took',
    align: 'end',
    from: 'md',
    cell: ({ started_at: from, finished_at: to }) => <Duration ms={Date.parse(to) - Date.parse(from)} />,
  },
  statusColumn(
    ({ difference_count: count }) =>
      count === 0 ? ['open', 'proven'] : ['closed', formatNumberOf(count, 'difference')],
    { header: 'Result' },
  ),
];
