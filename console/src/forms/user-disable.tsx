import type { ReactNode } from 'react';
import type { ListedUserJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { changeUser, reloadUsers } from '../api/users.ts';
import { instanceCommand } from '../components/instance-command.ts';
import { useMe } from '../session/access.ts';
import { ConfirmAction } from './confirm-action.tsx';

interface UserDisableProps {
  readonly user: ListedUserJson;
}

/** Lets nobody sign in as a user any more, or again. */
export function UserDisable({ user: { id, email, disabled_at: disabledAt } }: UserDisableProps): ReactNode {
  const isOwn = useMe().user.id === id;
  const disables = disabledAt === null;
  const verb = disables ? 'Disable' : 'Enable';
  return (
    <ConfirmAction
      kind="quiet"
      label={verb}
      aria-label={`${verb} ${email}`}
      unavailable={isOwn ? 'You would lock yourself out. Another operator can do this.' : null}
      title={`${verb} ${email}?`}
      action={`${verb} user`}
      danger={disables}
      command={instanceCommand.disableUser(email, disables)}
      send={() => changeUser(id, { disabled: disables })}
      done={(user) =>
        user.disabled_at === null ? `${email} may sign in again.` : `${email} is disabled and signed out.`
      }
      reload={reloadUsers}
    >
      {disables
        ? 'Their sessions end and nobody can sign in as them. Keys that they made keep working.'
        : 'They can sign in again, with the roles that they have.'}
    </ConfirmAction>
  );
}
