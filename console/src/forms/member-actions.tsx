import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { MemberJson } from '../../../src/control/admin/identity/identity-contract.ts';
import type { Role } from '../../../src/domain/roles.ts';
import { isVersionConflict } from '../api/api-error.ts';
import {
  changeMember,
  createMemberResetLink,
  keysOfMemberQuery,
  memberQuery,
  membersQuery,
  removeMember,
} from '../api/members.ts';
import { CommandLine } from '../components/command-line.tsx';
import { asRole, LAST_OWNER } from '../components/role-words.ts';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { VersionConflict } from '../components/version-conflict.tsx';
import { paths } from '../paths.ts';
import { useMe, useUnavailable } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { ConfirmAction } from './confirm-action.tsx';
import { InlineForm } from './inline-form.tsx';
import { FormProblem } from './param-field.tsx';
import { RoleChoice } from './role-choice.tsx';
import { formatMoney } from '../format/money.ts';
import { MEMBER_SETTINGS } from '../../../src/control/resources/member-settings.ts';
import { SettingChange } from './setting-change.tsx';
import { commandWords } from '../components/command-words.ts';
import { MEMBER_COMMANDS } from '../../../src/control/operations/people-commands.ts';

interface MemberUpdateProps {
  readonly workspace: string;
  readonly member: MemberJson;
  readonly onChanged: () => void;
}

/** Gives a member another role. */
export function MemberUpdate({ workspace, member, onChanged }: MemberUpdateProps): ReactNode {
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
  const rebase = async (): Promise<void> => {
    setSeen(await queries.query({ ...memberQuery(workspace, member.id), staleTime: 0 }));
    reset();
  };
  return (
    <InlineForm
      className="flex flex-col items-start gap-4"
      error={error}
      onSubmit={() => isDirty && unavailable === null && mutate()}
    >
      <RoleChoice workspace={workspace} role={role} onChange={setRole} unavailable={unavailable} />
      {isVersionConflict(error) ? <VersionConflict thing="member" onLoad={rebase} /> : <FormProblem />}
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
          <CommandLine
            command={commandWords(MEMBER_COMMANDS, 'member role', { workspace, user: member.email, role })}
          />
        </div>
      )}
    </InlineForm>
  );
}

/** Changes what all keys of a member may spend in a month. `limit`: an amount that is proposed. */
export function MemberLimit({
  workspace,
  member,
  limit,
  onChanged,
}: MemberUpdateProps & { readonly limit: string | undefined }): ReactNode {
  const queries = useQueryClient();
  return (
    <SettingChange
      kind="member"
      action="Change limit"
      table={MEMBER_SETTINGS}
      property="monthlyLimit"
      thing={member}
      proposed={limit}
      unavailable={useLimitLock(workspace, member)}
      commandOf={(changes) =>
        commandWords(MEMBER_COMMANDS, 'member update', { workspace, user: member.email, ...changes })
      }
      save={(seen, changes) => changeMember(workspace, seen, changes)}
      load={() => queries.query({ ...memberQuery(workspace, member.id), staleTime: 0 })}
      done={({ name, monthly_limit_nano_usd: changed }) =>
        changed === null ? `${name} has no limit now.` : `${name} may spend ${formatMoney(changed)} a month now.`
      }
      onDone={onChanged}
      reload={['workspace', workspace, 'members']}
    />
  );
}

/** Why the member's limit stays as it is; null if the user can change it. */
export function useLimitLock(workspace: string, { role }: MemberJson): string | null {
  const members = useUnavailable(workspace, 'members:write', 'change limits of members');
  const owners = useUnavailable(workspace, 'owners:write', 'change the limit of an owner');
  return members ?? (role === 'owner' ? owners : null);
}

/** Why the member's role stays as it is. */
function useRoleLock(workspace: string, { role, is_last_owner: isLastOwner }: MemberJson): string | null {
  const members = useUnavailable(workspace, 'members:write', 'change roles');
  const owners = useUnavailable(workspace, 'owners:write', 'change the role of an owner');
  return members ?? (role === 'owner' ? owners : null) ?? (isLastOwner ? LAST_OWNER : null);
}

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
      command={commandWords(MEMBER_COMMANDS, 'member remove', { workspace, user: email })}
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
      <TextLink href={paths.keys(workspace, { owner: id })}>See their keys</TextLink> to revoke those that only they
      know.
    </>
  );
}

/** Makes a link by which a member sets a new password. */
export function MemberResetLink({
  workspace,
  member: { id, name, email },
}: Omit<MemberRemoveProps, 'onRemoved'>): ReactNode {
  const [link, setLink] = useState<string | null>(null);
  return (
    <>
      <ConfirmAction
        label="Reset password"
        unavailable={useUnavailable(workspace, 'owners:write', 'make links for a new password')}
        title={`Reset the password of ${name}?`}
        action="Make the link"
        danger={false}
        send={() => createMemberResetLink(workspace, id)}
        onDone={(made) => setLink(made.link)}
      >
        {`You get a link to pass on to ${email}. Their password stays as it is until the link is used; then all their sessions end.`}
      </ConfirmAction>
      {link !== null && (
        <SecretDialog
          title={`Link for ${name}`}
          description={`Anyone who opens it sets the password of ${email}. It works once, for two hours, and is not shown again.`}
          what="link for a new password"
          secret={link}
          onSaved={() => setLink(null)}
        />
      )}
    </>
  );
}
