import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { workspaceQuery } from '../api/workspaces.ts';
import { Banner } from '../ui/banner.tsx';

/** Says on every page why the workspace's keys are refused, if they are. */
export function WorkspaceState({ workspace }: { readonly workspace: string }): ReactNode {
  const { data } = useQuery(workspaceQuery(workspace));
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
      <b className="font-medium">This workspace is closed for good.</b>{' '}
      {data.state === 'closing'
        ? 'Its keys are refused. What is left of its credit is taken out once its last requests are charged.'
        : 'Its keys are refused, and what was left of its credit was taken out. You can still read its history.'}
    </Banner>
  );
}
