import type { ReactNode } from 'react';
import type { ProviderRouteJson } from '../../../../src/control/admin/providers/provider-contract.ts';
import { formatCount } from '../../format/count.ts';
import { countColumn } from '../../ui/columns.tsx';
import { Count } from '../../ui/count.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { CAUSE_WORDS, ROUTE_WORDS, UNANSWERED_WORDS } from './provider-words.ts';

/** The columns of a provider's routes. */
export function routeColumns(onRestEnd: () => void): readonly Column<ProviderRouteJson>[] {
  return [
    { id: 'model', header: 'Model', cell: ({ model }) => model, grow: true },
    {
      id: 'upstream',
      header: 'Available',
      from: 'xl',
      cell: ({ upstream_model: upstream }) => (
        <code className="block w-48 truncate font-mono text-meta text-text-2">{upstream}</code>
      ),
    },
    { id: 'state', header: 'Status', cell: (route) => <RouteState route={route} onRestEnd={onRestEnd} /> },
    { id: 'answered', header: 'Answered', align: 'end', cell: ({ answered }) => <Count count={answered} /> },
    countColumn('failed', 'Failed', ({ failed }) => failed),
  ];
}

interface RouteStateProps {
  readonly route: ProviderRouteJson;
  readonly onRestEnd: () => void;
}

/** The state, and below it why it is so. */
function RouteState({ route, onRestEnd }: RouteStateProps): ReactNode {
  const { state, processes, on_sale: isOnSale } = route;
  const { status, word } = ROUTE_WORDS[state];
  const all = Object.values(processes).reduce((sum, count) => sum + count, 0);
  const where = processes[state] === all ? '' : ` in ${formatCount(processes[state])} of ${formatCount(all)} processes`;
  return (
    <span className="flex w-72 flex-col py-1.5 whitespace-normal max-sm:w-auto max-sm:items-end">
      <StatusWord status={status}>{`${word}${where}${isOnSale ? '' : ', not on sale'}`}</StatusWord>
      <Why route={route} onRestEnd={onRestEnd} />
    </span>
  );
}

function Why({ route: { state, rest }, onRestEnd }: RouteStateProps): ReactNode {
  const because = rest === null ? (UNANSWERED_WORDS[state] ?? null) : CAUSE_WORDS[rest.cause];
  if (because === null) return null;
  return (
    <span className="text-meta text-text-2">
      {because}
      {rest !== null && (
        <>
          {` (${rest.status ?? rest.fault}). Tried again in `}
          <Countdown key={rest.until} until={rest.until} onEnd={onRestEnd} />
        </>
      )}
    </span>
  );
}
