import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { ApiError } from '../api/api-error.ts';
import { workspaceQuery } from '../api/workspaces.ts';
import { seesOwnAlone, useMe } from '../session/access.ts';

const WorkspaceBanner = lazy(async () => ({
  default: (await import('./restricted-workspace.tsx')).WorkspaceBanner,
}));

/** Says on every page why the workspace's keys are refused, if they are. */
export function WorkspaceState({ workspace }: { readonly workspace: string }): ReactNode {
  const me = useMe();
  const isOwnAlone = seesOwnAlone(me, workspace);
  const { data, error } = useQuery({ ...workspaceQuery(workspace), enabled: !isOwnAlone });
  const shown = isOwnAlone ? me.workspaces.find(({ id }) => id === workspace) : data;
  const state = error instanceof ApiError && error.status === 404 ? 'gone' : shown?.state;
  const movedTo = data?.moved_to ?? null;
  if (state === undefined || (state === 'active' && movedTo === null)) return null;
  return (
    <Suspense>
      <WorkspaceBanner state={state} workspace={data} />
    </Suspense>
  );
}
