import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { burnQuery, workspaceQuery } from '../api/workspaces.ts';
import { formatRunway, runwayDays } from '../components/runway.ts';
import { paths } from '../paths.ts';
import { Money } from '../ui/money.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const LOW_DAYS = 7;
const LAST_DAYS = 1;

/** The balance and how long it lasts; leads to where credit is added. */
export function Balance({ workspace }: { readonly workspace: string }): ReactNode {
  const { data } = useQuery(workspaceQuery(workspace));
  const burn = useQuery(burnQuery(workspace)).data;
  if (data === undefined) return <Skeleton className="w-24" />;
  const balance = BigInt(data.balance_nano_usd);
  const days = burn === undefined ? null : runwayDays(balance, burn);
  const isLast = balance <= 0n || (days !== null && days < LAST_DAYS);
  const isLow = days !== null && days < LOW_DAYS;
  const color = isLast ? 'text-danger-text' : isLow ? 'text-warn-text' : 'text-text';
  const words = balance <= 0n ? 'no credit left' : days === null ? null : formatRunway(days);
  return (
    <a
      href={paths.credit(workspace)}
      className={`tabular flex h-8 target min-w-0 items-center gap-1.5 rounded-control px-2 text-control whitespace-nowrap no-underline hover:bg-sunken ${color}`}
    >
      <span className="sr-only">Balance</span>
      <Money amount={balance} className="shrink-0 font-medium" />
      {words !== null && (
        <span
          className={`min-w-0 truncate ${isLow || isLast ? '' : 'text-text-3'}`}
          title="At what the last seven days cost"
        >
          <span aria-hidden="true">· </span>
          {words}
        </span>
      )}
    </a>
  );
}
