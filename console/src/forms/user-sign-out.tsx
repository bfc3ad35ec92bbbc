import type { ReactNode } from 'react';
import type { ListedUserJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { reloadUsers, signUserOut } from '../api/users.ts';
import { instanceCommand } from '../components/instance-command.ts';
import { formatNumberOf } from '../format/count.ts';
import { useMe } from '../session/access.ts';
import { ConfirmAction } from './confirm-action.tsx';

/** Ends all sessions of a user. */
export function UserSignOut({ user: { id, email, sessions } }: { readonly user: ListedUserJson }): ReactNode {
  const isOwn = useMe().user.id === id;
  const whyNot = sessions === 0 ? 'They are signed in nowhere.' : null;
  return (
    <ConfirmAction
      kind="quiet"
      aria-label={`Sign out ${email}`}
      unavailable={isOwn ? 'Sign yourself out in your account.' : whyNot}
      title={`Sign out ${email}?`}
      action="Sign out"
      command={instanceCommand.signOut(email)}
      send={() => signUserOut(id)}
      done={({ ended }) => `${formatNumberOf(ended, 'session')} of ${email} ended.`}
      reload={reloadUsers}
    >
      {`${formatNumberOf(sessions, 'session')} of theirs ${sessions === 1 ? 'ends' : 'end'} now. They can sign in again.`}
    </ConfirmAction>
  );
}
