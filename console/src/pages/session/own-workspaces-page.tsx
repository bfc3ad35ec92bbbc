import { type ReactNode, useState } from 'react';
import { Page } from '../../components/page.tsx';
import { WorkspaceCreate } from '../../forms/workspace-create.tsx';
import { useMe } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** For those who are no member of any workspace. */
export function NoWorkspacePage(): ReactNode {
  const { user } = useMe();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Page title="Workspaces">
      <EmptyState
        cause="You are not a member of any workspace."
        detail={`Ask an owner of one to invite ${user.email}.`}
        action={
          <Button
            kind="primary"
            onClick={() => setIsCreating(true)}
            unavailable={user.is_operator ? null : 'Only operators of this instance can create workspaces.'}
          >
            Create workspace
          </Button>
        }
      />
      {isCreating && <WorkspaceCreate onClose={() => setIsCreating(false)} />}
    </Page>
  );
}
