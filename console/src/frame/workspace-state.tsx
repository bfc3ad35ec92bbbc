import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { workspaceQuery } from '../api/workspaces.ts';
import { paths } from '../paths.ts';
import { Banner } from '../ui/banner.tsx';
import { buttonClass } from '../ui/button.tsx';

/** Says on every page why the workspace's keys are refused, if they are. */
export function WorkspaceState({ workspace }: { readonly workspace: string }): ReactNode {
  const { data, error } = useQuery(workspaceQuery(workspace));
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Banner
        tone="warn"
        action={
          <a href={paths.workspaces()} className={buttonClass()}>
            Go to your workspaces
          </a>
        }
      >
        <b className="font-medium">This workspace was closed</b>, or you are not a member of it. If it was closed, its
        keys are refused, and what was paid and not spent was refunded.
      </Banner>
    );
  }
  if (data === undefined || data.state === 'active') return null;
  if (data.state === 'suspended') {
    return (
      <Banner tone="danger">
        <b className="font-medium">This workspace is suspended</b>: {data.suspension_reason}. Requests with its keys are
        refused until the operator of this instance resumes it. You can still read everything, and your credit stays.
      </Banner>
    );
  }
  return (
    <Banner tone="warn">
      <b className="font-medium">This workspace is closed for good.</b> Its keys are refused. Once its last requests are
      charged, what is left of its credit is taken out and its pages go.
    </Banner>
  );
}
