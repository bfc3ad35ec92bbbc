import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { medianOf } from '../../../../src/domain/duration-classes.ts';
import { daysQuery, lastDayQuery, lastMonthQuery } from '../../api/home.ts';
import { overviewQuery } from '../../api/overview.ts';
import { burnQuery } from '../../api/workspaces.ts';
import { formatRunway, runwayDays } from '../../components/runway.ts';
import { formatCount, formatShare } from '../../format/count.ts';
import { formatMonth } from '../../format/day.ts';
import { formatDuration } from '../../format/duration.ts';
import { paths } from '../../paths.ts';
import { Money } from '../../ui/money.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { spentInMonth } from './home-days.ts';

/** The four numbers that are looked at first. */
export function HeroNumbers({ workspace }: { readonly workspace: WorkspaceJson }): ReactNode {
  return (
    <dl className="mt-8 grid grid-cols-4 gap-x-8 gap-y-6 first:mt-0 max-lg:grid-cols-2 max-sm:gap-x-4 max-sm:gap-y-4">
      <Balance workspace={workspace} />
      <SpentThisMonth workspace={workspace.id} />
      <Requests workspace={workspace.id} />
      <FirstToken workspace={workspace.id} />
    </dl>
  );
}

interface HeroProps {
  readonly term: string;
  /** Undefined while it is loading. */
  readonly value: ReactNode;
  readonly detail: ReactNode;
}

/** One number, and what stands with it. */
export function Hero({ term, value, detail }: HeroProps): ReactNode {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <dt className="text-control text-text-2">{term}</dt>
      <dd className="tabular text-title font-semibold wrap-anywhere">{value ?? <Skeleton className="h-7! w-28" />}</dd>
      <dd className="min-h-5 text-meta text-text-2">{detail}</dd>
    </div>
  );
}

function Balance({ workspace }: { readonly workspace: WorkspaceJson }): ReactNode {
  const burn = useQuery(burnQuery(workspace.id)).data;
  const balance = BigInt(workspace.balance_nano_usd);
  const days = burn === undefined ? null : runwayDays(balance, burn);
  const detail =
    balance <= 0n
      ? 'Requests are refused'
      : days === null
        ? 'Nothing was spent in seven days'
        : `Lasts ${formatRunway(days)} at this week's pace`;
  return <Hero term="Balance" value={<Money amount={balance} />} detail={burn === undefined ? null : detail} />;
}

/** What this month was charged, and the last one by this time. */
export function SpentThisMonth({ workspace }: { readonly workspace: string }): ReactNode {
  const days = useQuery(daysQuery(workspace)).data;
  const before = useQuery(lastMonthQuery(workspace)).data;
  return (
    <Hero
      term="Spent this month"
      value={days && <Money amount={spentInMonth(days)} />}
      detail={
        before && (
          <>
            <Money amount={before.total.net_charge_nano_usd} /> at this time of {formatMonth(before.from.slice(0, 10))}
          </>
        )
      }
    />
  );
}

/** How many requests there were, and how many of them were refused. */
export function Requests({ workspace }: { readonly workspace: string }): ReactNode {
  const served = useQuery(lastDayQuery(workspace)).data?.total.requests;
  const counted = useQuery(overviewQuery(workspace)).data?.refused;
  const refused = counted === undefined ? undefined : counted.recorded + counted.unrecorded;
  const isKnown = served !== undefined && refused !== undefined;
  return (
    <Hero
      term="Requests in 24 hours"
      value={isKnown ? formatCount(served + refused) : undefined}
      detail={
        isKnown &&
        (refused === 0 ? (
          'None was refused'
        ) : (
          <TextLink href={paths.refusedRequests(workspace)}>{formatShare(refused, served + refused)} refused</TextLink>
        ))
      }
    />
  );
}

function FirstToken({ workspace }: { readonly workspace: string }): ReactNode {
  const usage = useQuery(lastDayQuery(workspace)).data;
  const median = medianOf(usage?.total.latency?.first_event ?? []);
  const words = median === null ? 'Not known' : `${median.isAtLeast ? 'Over' : 'About'} ${formatDuration(median.ms)}`;
  const detail = median === null ? 'Nothing was streamed in 24 hours' : 'Median of 24 hours';
  return <Hero term="Time to first token" value={usage && words} detail={usage && detail} />;
}
