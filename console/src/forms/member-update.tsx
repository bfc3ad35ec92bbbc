import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, type ReactNode, useId, useState } from 'react';
import type { MemberJson } from '../../../src/control/admin/identity/identity-contract.ts';
import type { Role } from '../../../src/domain/roles.ts';
import { isVersionConflict } from '../api/api-error.ts';
import { changeMember, memberQuery } from '../api/members.ts';
import { CommandLine } from '../components/command-line.tsx';
import { memberCommand } from '../components/member-command.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { asRole, LAST_OWNER } from '../components/role-words.ts';
import { VersionConflict } from '../components/version-conflict.tsx';
import { useMe, useUnavailable } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { RoleChoice } from './role-choice.tsx';

interface MemberUpdateProps {
  readonly workspace: string;
  readonly member: MemberJson;
  readonly onChanged: () => void;
}

/** Gives a member another role. */
export function MemberUpdate({ workspace, member, onChanged }: MemberUpdateProps): ReactNode {
  const form = useId();
  const queries = useQueryClient();
  const [seen, setSeen] = useState(member);
  const [role, setRole] = useState<Role>(member.role);
  const unavailable = useRoleLock(workspace, seen);
  const isOwn = useMe().user.id === member.id;
  const isDirty = role !== seen.role;
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => changeMember(workspace, seen, { role }),
    onSuccess: async ({ name, role: given }) => {
      showToast(isOwn ? `You are ${asRole(given)} now.` : `${name} is ${asRole(given)} now.`);
      onChanged();
      if (isOwn) await queries.invalidateQueries({ queryKey: ['me'] });
      await queries.invalidateQueries({ queryKey: ['workspace', workspace, 'members'] });
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isDirty && unavailable === null) mutate();
  };
  const rebase = async (): Promise<void> => {
    setSeen(await queries.query({ ...memberQuery(workspace, member.id), staleTime: 0 }));
    reset();
  };
  return (
    <form id={form} className="flex flex-col items-start gap-4" onSubmit={submit}>
      <RoleChoice workspace={workspace} role={role} onChange={setRole} unavailable={unavailable} />
      {isVersionConflict(error) ? <VersionConflict thing="member" onLoad={rebase} /> : <ProblemPanel error={error} />}
      <Button
        kind="primary"
        type="submit"
        busy={isPending}
        unavailable={unavailable ?? (isDirty ? null : 'Choose another role first.')}
      >
        Change role
      </Button>
      {isDirty && (
        <div className="w-full">
          <CommandLine command={memberCommand.role(workspace, member.email, role)} />
        </div>
      )}
    </form>
  );
}

/** Why the member's role stays as it is. */
function useRoleLock(workspace: string, { role, is_last_owner: isLastOwner }: MemberJson): string | null {
  const members = useUnavailable(workspace, 'members:write', 'change roles');
  const owners = useUnavailable(workspace, 'owners:write', 'change the role of an owner');
  return members ?? (role === 'owner' ? owners : null) ?? (isLastOwner ? LAST_OWNER : null);
}
