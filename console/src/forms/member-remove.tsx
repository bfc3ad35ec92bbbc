import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { MemberJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { leaveWorkspace } from '../api/account.ts';
import { keysOfMemberQuery, memberQuery, membersQuery, removeMember } from '../api/members.ts';
import { CommandLine } from '../components/command-line.tsx';
import { memberCommand } from '../components/member-command.ts';
import { problemFrom } from '../components/problem-panel.tsx';
import { LAST_OWNER } from '../components/role-words.ts';
import { paths } from '../paths.ts';
import { useMe, useUnavailable } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface MemberRemoveProps {
  readonly workspace: string;
  readonly member: MemberJson;
  readonly onRemoved: () => void;
}

/** Removes a member, and says before what becomes of their keys. */
export function MemberRemove({ workspace, member, onRemoved }: MemberRemoveProps): ReactNode {
  const { id, name, email, role } = member;
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const members = useUnavailable(workspace, 'members:write', 'remove members');
  const owners = useUnavailable(workspace, 'owners:write', 'remove owners');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => removeMember(workspace, id),
    onSuccess: async () => {
      showToast(`${name} is no longer a member.`);
      onRemoved();
      // The sheet may still stand there, and must not read a member who is gone.
      await queries.invalidateQueries({ ...memberQuery(workspace, id), refetchType: 'none' });
      await queries.invalidateQueries({ ...membersQuery(workspace), exact: true });
    },
  });
  return (
    <>
      <Button
        onClick={() => setIsOpen(true)}
        unavailable={members ?? (role === 'owner' ? owners : null) ?? (member.is_last_owner ? LAST_OWNER : null)}
      >
        Remove member
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Remove ${name}?`}
        action="Remove member"
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="mb-2">
          {email} loses access to this workspace now, and their access tokens for it end. Their account stays.
        </p>
        <p className="mb-4">
          <KeysThatStay workspace={workspace} member={member} />
        </p>
        <CommandLine command={memberCommand.remove(workspace, email)} />
      </ConfirmDialog>
    </>
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
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const name = useMe().workspaces.find(({ id }) => id === workspace)?.name ?? 'this workspace';
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => leaveWorkspace(workspace),
    onSuccess: async () => {
      showToast(`You have left ${name}.`);
      await navigate({ href: paths.start() });
      queries.clear();
    },
  });
  return (
    <>
      <Button kind="danger" onClick={() => setIsOpen(true)} unavailable={member.is_last_owner ? LAST_OWNER : null}>
        Leave workspace
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Leave ${name}?`}
        action="Leave workspace"
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p>
          You lose access now, and your access tokens for it end. Keys that you have created keep working. Somebody has
          to invite you if you want to come back.
        </p>
      </ConfirmDialog>
    </>
  );
}
