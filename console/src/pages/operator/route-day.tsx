import type { ReactNode } from 'react';
import type { ProviderRouteJson, RouteDayJson } from '../../../../src/control/admin/providers/provider-contract.ts';
import { formatCount, formatNumberOf } from '../../format/count.ts';
import { formatDuration } from '../../format/duration.ts';
import { paths } from '../../paths.ts';
import { countColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/table-types.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

/** What the kinds of faults mean; others are shown as they are. */
const FAULT_WORDS: Readonly<Record<string, string>> = {
  unreachable: 'unreachable',
  timeout: 'too slow',
  broken: 'connection broke',
  malformed: 'not understood',
  rejected_credentials: 'key refused',
  overloaded: 'overloaded',
  failed: 'server error',
  not_conforming: 'not by the schema',
  interrupted: 'stream broke off',
};

const wordOf = (kind: string): string => FAULT_WORDS[kind] ?? kind;

/** The attempts of the last 24 hours, in the columns of a table of routes. */
export const DAY_COLUMNS: readonly Column<ProviderRouteJson>[] = [
  countColumn('attempts', 'Attempts', ({ day }) => day.attempts),
  { id: 'failed', header: 'Failed', align: 'end', cell: ({ day }) => <Failed day={day} /> },
  times('first', 'First event', ({ first_event_ms: first }) => first),
  times('whole', 'Whole answer', ({ whole_ms: whole }) => whole),
  { id: 'last', header: 'Last answer', from: 'lg', cell: ({ day }) => <Last day={day} /> },
];

function times(
  id: string,
  header: string,
  of: (day: RouteDayJson) => RouteDayJson['whole_ms'],
): Column<ProviderRouteJson> {
  return { id, header, align: 'end', from: 'xl', cell: ({ day }) => <Times times={of(day)} /> };
}

function Times({ times: of }: { readonly times: RouteDayJson['whole_ms'] }): ReactNode {
  if (of === null) return <span className="text-text-3">none</span>;
  return (
    <TwoLines
      first={formatDuration(of.p50)}
      second={<span title="99 of 100 took no longer">{`p99 ${formatDuration(of.p99)}`}</span>}
    />
  );
}

/** The number and the share; below it the kinds. */
function Failed({ day: { attempts, failed, faults } }: { readonly day: RouteDayJson }): ReactNode {
  const share = failed === 0 ? '' : ` (${shareOf(failed, attempts)})`;
  const kinds = faults.map(({ kind, attempts: count }) => (
    <span key={kind} className="block">{`${formatCount(count)} ${wordOf(kind)}`}</span>
  ));
  return <TwoLines first={`${formatCount(failed)}${share}`} second={kinds} />;
}

function shareOf(failed: number, attempts: number): string {
  const percent = (failed / attempts) * 100;
  return percent < 0.1 ? 'under 0.1%' : `${percent.toFixed(percent < 10 ? 1 : 0)}%`;
}

/** When it answered last; below it when and how it failed last, and by which request. */
function Last({ day: { last_answer_at: answeredAt, last_fault: fault } }: { readonly day: RouteDayJson }): ReactNode {
  return (
    <TwoLines
      first={<Timestamp at={answeredAt} none="none" />}
      second={
        fault !== null && (
          <>
            <span className="block">
              <TextLink href={paths.operatorRequest(fault.request_id)}>
                {`${wordOf(fault.kind)}${fault.status === null ? '' : ` (${fault.status})`}`}
              </TextLink>
            </span>
            <Timestamp at={fault.at} />
          </>
        )
      }
    />
  );
}

function TwoLines({ first, second }: { readonly first: ReactNode; readonly second: ReactNode }): ReactNode {
  return (
    <span className="inline-flex flex-col py-1.5">
      <span>{first}</span>
      <span className="text-meta whitespace-nowrap text-text-2">{second}</span>
    </span>
  );
}

/** The sum over a provider's routes in a sentence; null: none was tried. */
export function daySentence({ attempts, failed }: RouteDayJson): string | null {
  if (attempts === 0) return null;
  return `${formatNumberOf(attempts, 'attempt')} in 24 hours, ${failed === 0 ? 'none' : formatCount(failed)} failed`;
}
