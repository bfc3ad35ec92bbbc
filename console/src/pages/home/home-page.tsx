import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { workspaceQuery } from '../../api/workspaces.ts';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { seesOwnAlone, useMe } from '../../session/access.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Overview } from './overview.tsx';
import { useLatest } from './use-latest.ts';

const route = getRouteApi('/in/workspaces/$workspace');

const OwnHome = lazy(async () => ({ default: (await import('./own-home.tsx')).OwnHome }));

export function HomePage(): ReactNode {
  const { workspace: id } = route.useParams();
  if (seesOwnAlone(useMe(), id)) {
    return (
      <Suspense>
        <OwnHome key={id} id={id} />
      </Suspense>
    );
  }
  return <Home key={id} id={id} />;
}

function Home({ id }: { readonly id: string }): ReactNode {
  const workspace = useQuery(workspaceQuery(id));
  const { latest, request, isNew } = useLatest(id);
  const error = workspace.error ?? latest.error;
  const retry = (): void => void Promise.all([workspace.refetch(), latest.refetch()]);
  return (
    <Page title="Home" answers={isNew === true ? 'The way to a first answer.' : 'An overview, and what needs you.'}>
      <ProblemPanel error={error} onRetry={retry} />
      {isNew === null || workspace.data === undefined ? (
        error === null && <Skeleton className="w-80" />
      ) : (
        <>
          {isNew && <FirstSteps id={id} credit={workspace.data.credit_nano_usd} request={request} />}
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
