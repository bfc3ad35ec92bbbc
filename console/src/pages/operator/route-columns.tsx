import type { ReactNode } from 'react';
import type { ProviderRouteJson } from '../../../../src/admin/provider-contract.ts';
import { formatCount } from '../../format/count.ts';
import { Count } from '../../ui/count.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { CAUSE_WORDS, ROUTE_WORDS } from './provider-words.ts';

/** The columns of a provider's routes. */
export function routeColumns(onRestEnd: () => void): readonly Column<ProviderRouteJson>[] {
  return [
    { id: 'model', header: 'Model', cell: ({ model }) => model, grow: true },
    {
      id: 'upstream',
      header: 'Model there',
      from: 'lg',
      cell: ({ upstream_model: upstream }) => (
        <code className="block max-w-56 truncate font-mono text-meta text-text-2">{upstream}</code>
      ),
    },
    { id: 'state', header: 'State', cell: (route) => <RouteState route={route} /> },
    { id: 'why', header: 'Why', cell: (route) => <Why route={route} onRestEnd={onRestEnd} /> },
    { id: 'answered', header: 'Answered', align: 'end', cell: ({ answered }) => <Count count={answered} /> },
    {
      id: 'failed',
      header: 'Failed',
      align: 'end',
      cell: ({ failed }) => <Count count={failed} />,
    },
  ];
}

function RouteState({
  route: { state, processes, on_sale: isOnSale },
}: {
  readonly route: ProviderRouteJson;
}): ReactNode {
  const { status, word } = ROUTE_WORDS[state];
  const all = Object.values(processes).reduce((sum, count) => sum + count, 0);
  const where = processes[state] === all ? '' : ` in ${formatCount(processes[state])} of ${formatCount(all)} processes`;
  return <StatusWord status={status}>{`${word}${where}${isOnSale ? '' : ', not on sale'}`}</StatusWord>;
}

function Why({
  route: { state, rest },
  onRestEnd,
}: {
  readonly route: ProviderRouteJson;
  readonly onRestEnd: () => void;
}): ReactNode {
  if (rest !== null) {
    return (
      <span className="inline-block py-1.5 whitespace-normal">
        {`${CAUSE_WORDS[rest.cause]} (${rest.status ?? rest.fault}). Tried again in `}
        <Countdown key={rest.until} until={rest.until} onEnd={onRestEnd} />
      </span>
    );
  }
  if (state === 'probing') return 'Its rest is over, and it has not answered yet';
  if (state === 'failing') return 'No attempt was answered';
  return null;
}
