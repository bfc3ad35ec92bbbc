import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { memberQuery } from '../../api/members.ts';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { useMe } from '../../session/access.ts';
import { limitNow } from '../../components/raised-limit.tsx';
import { Money } from '../../ui/money.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { NARROW, useMedia } from '../../ui/use-media.ts';
import { AttentionList } from './attention-list.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Hero, Requests, SpentThisMonth } from './hero-numbers.tsx';
import { LatestRequests, Spending } from './overview.tsx';
import { useLatest } from './use-latest.ts';

/** What changes without an event is read again this often. */
const AGAIN_MS = 60_000;

/** The home page of those who see what is their own in a workspace. */
export function OwnHome({ id }: { readonly id: string }): ReactNode {
  const { latest, request, isNew } = useLatest(id);
  const { error } = latest;
  const attention = <AttentionList id={id} workspace={null} />;
  const isNarrow = useMedia(NARROW);
  return (
    <Page
      title="Home"
      answers={isNew === true ? 'The way to a first answer.' : 'What you have spent, and what is left.'}
    >
      <ProblemPanel error={error} onRetry={() => void latest.refetch()} />
      {isNew === null && error === null && <Skeleton className="w-80" />}
      {isNew === true && (
        <div className="mb-8 border-b border-line pb-8">
          <FirstSteps id={id} credit={null} request={request} />
        </div>
      )}
      {isNew !== null && (
        <div>
          {isNarrow && attention}
          <dl className="mt-8 grid grid-cols-3 gap-x-8 gap-y-6 first:mt-0 max-lg:grid-cols-2 max-sm:gap-x-4 max-sm:gap-y-4">
            <LeftOfLimit workspace={id} />
            <SpentThisMonth workspace={id} />
            <Requests workspace={id} />
          </dl>
          {!isNarrow && attention}
          <Spending workspace={id} />
          {request !== null && <LatestRequests workspace={id} receipts={latest.data?.data ?? []} />}
        </div>
      )}
    </Page>
  );
}

/** What the user may still spend this month, over all their keys. */
function LeftOfLimit({ workspace }: { readonly workspace: string }): ReactNode {
  const { data: member } = useQuery({
    ...memberQuery(workspace, useMe().user.id),
    refetchInterval: AGAIN_MS,
  });
  if (member === undefined) return <Hero term="Left this month" value={undefined} detail={null} />;
  const { monthly_limit_nano_usd: limit, standing } = member;
  if (limit === null || standing === null) {
    return <Hero term="Left this month" value="No limit" detail="Your keys have their own limits, if any" />;
  }
  return (
    <Hero
      term="Left this month"
      value={<Money amount={standing.left_nano_usd ?? '0'} />}
      detail={
        <>
          of <Money amount={limitNow(limit, member)} /> over all your keys; resets <Timestamp at={standing.resets_at} />
        </>
      }
    />
  );
}
