import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { requestPlaceQuery } from '../../api/requests.ts';
import { LeadTo } from '../../components/lead-to.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { paths } from '../../paths.ts';
import { Banner } from '../../ui/banner.tsx';

/** Leads to a request in its workspace, whichever that is. */
export function FoundRequest({ request }: { readonly request: string }): ReactNode {
  const { data, error, refetch } = useQuery(requestPlaceQuery(request));
  if (data !== undefined) return <LeadTo href={paths.request(data.workspace_id, request)} />;
  if (!(error instanceof ApiError && error.status === 404)) {
    return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Banner tone="warn">
      {`No workspace has a request ${request}. A served request is found by its id whatever its age, a refused one as long as it is kept.`}
    </Banner>
  );
}
