import { type ReactNode, useState } from 'react';
import type { ListedUserJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { changeUser, eraseUser, reloadUsers, signUserOut } from '../api/users.ts';
import { formatNumberOf } from '../format/count.ts';
import { useMe } from '../session/access.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { ConfirmAction } from './confirm-action.tsx';
import { commandWords } from '../components/command-words.ts';
import { USER_COMMANDS } from '../../../src/control/operations/people-commands.ts';

interface UserActionProps {
  readonly user: ListedUserJson;
}

/** Blocks or allows sign-ins of a user. */
export function UserDisable({ user: { id, email, disabled_at: disabledAt } }: UserActionProps): ReactNode {
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
      command={commandWords(USER_COMMANDS, disables ? 'user disable' : 'user enable', { user: email })}
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

/** Ends all sessions of a user. */
export function UserSignOut({ user: { id, email, sessions } }: UserActionProps): ReactNode {
  const isOwn = useMe().user.id === id;
  const whyNot = sessions === 0 ? 'They are signed in nowhere.' : null;
  return (
    <ConfirmAction
      kind="quiet"
      aria-label={`Sign out ${email}`}
      unavailable={isOwn ? 'Sign yourself out in your account.' : whyNot}
      title={`Sign out ${email}?`}
      action="Sign out"
      command={commandWords(USER_COMMANDS, 'user sign-out', { user: email })}
      send={() => signUserOut(id)}
      done={({ ended }) => `${formatNumberOf(ended, 'session')} of ${email} ended.`}
      reload={reloadUsers}
    >
      {`${formatNumberOf(sessions, 'session')} of theirs ${sessions === 1 ? 'ends' : 'end'} now. They can sign in again.`}
    </ConfirmAction>
  );
}

/** Erases a person by their typed address. */
export function UserErase({ user: { id, email, workspaces } }: UserActionProps): ReactNode {
  const isOwn = useMe().user.id === id;
  const [leavesOwnerless, setLeavesOwnerless] = useState(false);
  const owned = workspaces.filter(({ role }) => role === 'owner');
  return (
    <ConfirmAction
      kind="quiet"
      label="Erase"
      aria-label={`Erase ${email}`}
      unavailable={isOwn ? 'You cannot erase yourself. Another operator can do this.' : null}
      title={`Erase ${email}?`}
      action="Erase person"
      typedName={email}
      command={commandWords(USER_COMMANDS, 'user erase', {
        user: email,
        ...(leavesOwnerless && { leave_without_owner: true }),
      })}
      send={() => eraseUser(id, leavesOwnerless)}
      done={({ audit_events: events }) => `The person is erased, from ${formatNumberOf(events, 'audit event')} too.`}
      reload={reloadUsers}
    >
      <ul className="flex list-disc flex-col gap-1 pl-4">
        <li>
          Gone for good: their name, address, password, second factors, sessions, access tokens and memberships, and
          their address in audit events, postings and alerts.
        </li>
        <li>Kept: the keys that they made go on working. Requests and postings stay, without a name.</li>
      </ul>
      {owned.length > 0 && (
        <Checkbox
          label="Workspaces may be left without an owner"
          help={`They own ${owned.map(({ name }) => name).join(', ')}. Unless you allow it, the erasure is refused if nobody else does.`}
          checked={leavesOwnerless}
          onChange={setLeavesOwnerless}
        />
      )}
    </ConfirmAction>
  );
}
