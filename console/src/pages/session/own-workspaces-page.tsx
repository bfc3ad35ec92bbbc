import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { OWN_WORKSPACE_COLUMNS } from '../../components/own-workspace-columns.tsx';
import { Page } from '../../components/page.tsx';
import { WorkspaceCreate } from '../../forms/workspace-create.tsx';
import { paths } from '../../paths.ts';
import { useMe } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';

/** The workspaces of the user, who may be a member of none. */
export function OwnWorkspacesPage(): ReactNode {
  const { workspaces } = useMe();
  const router = useRouter();
  return (
    <Page title="Workspaces" answers={workspaces.length === 0 ? undefined : 'Those that you are a member of.'}>
      <Table
        label="Your workspaces"
        columns={OWN_WORKSPACE_COLUMNS}
        rows={workspaces}
        rowKey={({ id }) => id}
        href={({ id }) => paths.home(id)}
        onNavigate={(href) => void router.navigate({ href })}
        moveByKeys
        empty={<NoWorkspace />}
      />
    </Page>
  );
}

function NoWorkspace(): ReactNode {
  const { user } = useMe();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <>
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
    </>
  );
}
