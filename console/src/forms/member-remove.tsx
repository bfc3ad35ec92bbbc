import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { MemberJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { leaveWorkspace } from '../api/account.ts';
import { keysOfMemberQuery, memberQuery, membersQuery, removeMember } from '../api/members.ts';
import { memberCommand } from '../components/member-command.ts';
import { LAST_OWNER } from '../components/role-words.ts';
import { paths } from '../paths.ts';
import { useMe, useUnavailable } from '../session/access.ts';
import { ConfirmAction } from './confirm-action.tsx';

interface MemberRemoveProps {
  readonly workspace: string;
  readonly member: MemberJson;
  readonly onRemoved: () => void;
}

/** Removes a member, and says before what becomes of their keys. */
export function MemberRemove({ workspace, member, onRemoved }: MemberRemoveProps): ReactNode {
  const { id, name, email, role } = member;
  const members = useUnavailable(workspace, 'members:write', 'remove members');
  const owners = useUnavailable(workspace, 'owners:write', 'remove owners');
  return (
    <ConfirmAction
      action="Remove member"
      unavailable={members ?? (role === 'owner' ? owners : null) ?? (member.is_last_owner ? LAST_OWNER : null)}
      title={`Remove ${name}?`}
      command={memberCommand.remove(workspace, email)}
      send={() => removeMember(workspace, id)}
      done={() => `${name} is no longer a member.`}
      onDone={onRemoved}
      reload={async (queries) => {
        // The sheet may still be open, and must not read a member who is gone.
        await queries.invalidateQueries({ ...memberQuery(workspace, id), refetchType: 'none' });
        await queries.invalidateQueries({ ...membersQuery(workspace), exact: true });
      }}
    >
      <p>{email} loses access to this workspace now, and their access tokens for it end. Their account stays.</p>
      <p>
        <KeysThatStay workspace={workspace} member={member} />
      </p>
    </ConfirmAction>
  );
}

/** Keys belong to projects, so those that a member has created outlive the membership. */
function KeysThatStay({ workspace, member: { id } }: Omit<MemberRemoveProps, 'onRemoved'>): ReactNode {
  const { data: keys } = useQuery(keysOfMemberQuery(workspace, id));
  const count = keys?.data.length ?? null;
  if (count === 0) return 'They have created no key that still works.';
  const many = keys?.next_cursor === null ? count : `More than ${count}`;
  return (
    <>
      {count === null
        ? 'Keys that they have created'
        : `${many} ${count === 1 ? 'key' : 'keys'} that they have created`}{' '}
      {count === 1 ? 'keeps' : 'keep'} working, because keys belong to projects.{' '}
      <a href={paths.keys(workspace, { owner: id })} className="underline underline-offset-2">
        See their keys
      </a>{' '}
      to revoke those that only they know.
    </>
  );
}

/** Takes the signed-in user out of a workspace. */
export function WorkspaceLeave({ workspace, member }: Omit<MemberRemoveProps, 'onRemoved'>): ReactNode {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const name = useMe().workspaces.find(({ id }) => id === workspace)?.name ?? 'this workspace';
  return (
    <ConfirmAction
      kind="danger"
      action="Leave workspace"
      unavailable={member.is_last_owner ? LAST_OWNER : null}
      title={`Leave ${name}?`}
      send={() => leaveWorkspace(workspace)}
      done={() => `You have left ${name}.`}
      onDone={async () => {
        await navigate({ href: paths.start() });
        queries.clear();
      }}
    >
      You lose access now, and your access tokens for it end. Keys that you have created keep working. Somebody has to
      invite you if you want to come back.
    </ConfirmAction>
  );
}
