import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { lastRequestQuery, latestReceiptsQuery } from '../../api/home.ts';
import { workspaceQuery } from '../../api/workspaces.ts';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Overview } from './overview.tsx';

const route = getRouteApi('/in/workspaces/$workspace');
/** The interval of polling for the first request, in case a proxy holds back live updates. */
const LOOK_EVERY_MS = 5_000;

export function HomePage(): ReactNode {
  const { workspace: id } = route.useParams();
  return <Home key={id} id={id} />;
}

function Home({ id }: { readonly id: string }): ReactNode {
  const workspace = useQuery(workspaceQuery(id));
  const latest = useQuery({
    ...latestReceiptsQuery(id),
    refetchInterval: ({ state }) => (state.data?.data.length === 0 ? LOOK_EVERY_MS : false),
  });
  const pushed = useQuery(lastRequestQuery(id)).data;
  const request = latest.data?.data[0] ?? pushed ?? null;
  const isNew = useIsNew(latest.data?.data.length);
  const error = workspace.error ?? latest.error;
  const retry = (): void => void Promise.all([workspace.refetch(), latest.refetch()]);
  return (
    <Page title="Home" answers={isNew === true ? 'The way to a first answer.' : 'An overview, and what needs you.'}>
      <ProblemPanel error={error} onRetry={retry} />
      {isNew === null || workspace.data === undefined ? (
        error === null && <Skeleton className="w-80" />
      ) : (
        <>
          {isNew && <FirstSteps workspace={workspace.data} request={request} />}
          {request !== null && (
            <div className={isNew ? 'mt-8 border-t border-line pt-6' : ''}>
              <Overview workspace={workspace.data} receipts={latest.data?.data ?? []} />
            </div>
          )}
        </>
      )}
    </Page>
  );
}

/** Whether there was no request when the page was opened: its first steps stay then, ticked. Null: not known yet. */
function useIsNew(count: number | undefined): boolean | null {
  const [isNew, setIsNew] = useState<boolean | null>(null);
  if (isNew === null && count !== undefined) setIsNew(count === 0);
  return isNew;
}
