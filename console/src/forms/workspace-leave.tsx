import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { MeJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { leaveWorkspace, meQuery } from '../api/account.ts';
import { LAST_OWNER } from '../components/role-words.ts';
import { paths } from '../paths.ts';
import { useMe } from '../session/access.ts';
import { workspaceToOpen } from '../session/last-workspace.ts';
import { ConfirmAction } from './confirm-action.tsx';

interface WorkspaceLeaveProps {
  readonly workspace: Pick<MeJson['workspaces'][number], 'id' | 'name' | 'moved_to'>;
  /** Whether it is known that nobody else owns the workspace. */
  readonly isLastOwner?: boolean;
  /** In a row of a list: small, and with the name of the workspace for those who do not see the row. */
  readonly isInRow?: boolean;
}

/** Takes the signed-in user out of a workspace. */
export function WorkspaceLeave({ workspace, isLastOwner = false, isInRow = false }: WorkspaceLeaveProps): ReactNode {
  const { id, name, moved_to: movedTo } = workspace;
  const me = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <ConfirmAction
      action="Leave workspace"
      {...(isInRow ? { kind: 'quiet', label: 'Leave', 'aria-label': `Leave ${name}` } : { kind: 'danger' })}
      unavailable={movedTo === null ? (isLastOwner ? LAST_OWNER : null) : `Leave it in cell ${movedTo}.`}
      title={`Leave ${name}?`}
      send={() => leaveWorkspace(id)}
      done={() => `You have left ${name}.`}
      onDone={async () => {
        // From here on the frame reads nothing of the workspace: its stream of events would be refused.
        const left = { ...me, workspaces: me.workspaces.filter((own) => own.id !== id) };
        queries.setQueryData(meQuery.queryKey, left);
        const next = workspaceToOpen(left);
        await navigate({ href: next === null ? paths.workspaces() : paths.home(next) });
        queries.removeQueries({ queryKey: ['workspace', id] });
      }}
    >
      You lose access now. Your access tokens for this workspace, your key in the playground, and the links and
      invitations that you have made here end. Keys that you have created keep working, and so does your monthly limit
      over them, if you have one. To come back, you need an invitation.
    </ConfirmAction>
  );
}
