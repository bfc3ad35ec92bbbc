import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { MemberJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { memberQuery } from '../../api/members.ts';
import { limitNow, RaiseButton, RaisedLimit } from '../../components/raised-limit.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MemberLimit, MemberRemove, MemberResetLink, MemberUpdate, useLimitLock } from '../../forms/member-actions.tsx';
import { MemberRaise } from '../../forms/raise-sheet.tsx';
import { WorkspaceLeave } from '../../forms/workspace-leave.tsx';
import { paths } from '../../paths.ts';
import { useMe, useUnavailable } from '../../session/access.ts';
import { buttonClass } from '../../ui/button.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Section } from '../../ui/section.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { TwoStep } from './two-step.tsx';

interface MemberSheetProps {
  readonly workspace: string;
  readonly user: string;
  /** A limit that is proposed. */
  readonly limit?: string | undefined;
  /** Whether the form is shown that raises the limit for a time. */
  readonly isRaising: boolean;
  readonly onRaise: (isRaising: boolean) => void;
  readonly onClose: () => void;
}

/** One member: what they are, and what can be done about it. */
export function MemberSheet({ workspace, user, onClose, ...props }: MemberSheetProps): ReactNode {
  const query = useQuery(memberQuery(workspace, user));
  if (query.data !== undefined)
    return <LoadedSheet workspace={workspace} member={query.data} onClose={onClose} {...props} />;
  return (
    <Sheet open title="Member" onClose={onClose}>
      <Loaded query={query} room="w-60" />
    </Sheet>
  );
}

function LoadedSheet({
  workspace,
  member,
  limit,
  isRaising,
  onRaise,
  onClose,
}: Omit<MemberSheetProps, 'user'> & { readonly member: MemberJson }): ReactNode {
  const me = useMe();
  const isOwn = me.user.id === member.id;
  const own = me.workspaces.find(({ id }) => id === workspace);
  const locked = useLimitLock(workspace, member);
  const hidesAudit = useUnavailable(workspace, 'audit:read', 'see changes') !== null;
  if (isRaising && locked === null && member.monthly_limit_nano_usd !== null)
    return <MemberRaise workspace={workspace} member={member} limit={limit} onClose={() => onRaise(false)} />;
  return (
    <Sheet open title={isOwn ? `${member.name} (you)` : member.name} description={member.email} onClose={onClose}>
      <DefinitionList
        items={[
          { term: 'Last seen', value: <Timestamp at={member.last_seen_at} /> },
          { term: 'Two-step sign-in', value: <TwoStep member={member} /> },
          { term: 'Member since', value: <Timestamp at={member.created_at} /> },
          member.disabled_at !== null && { term: 'Account disabled', value: <Timestamp at={member.disabled_at} /> },
        ]}
      />
      <div className="mt-6">
        <MemberUpdate key={member.version} workspace={workspace} member={member} onChanged={onClose} />
      </div>
      <div className="mt-8">
        <Section
          title="Spending"
          actions={
            member.monthly_limit_nano_usd !== null && <RaiseButton unavailable={locked} onRaise={() => onRaise(true)} />
          }
        >
          {member.standing !== null && <Spent member={member} standing={member.standing} />}
          <MemberLimit key={member.version} workspace={workspace} member={member} limit={limit} onChanged={onClose} />
        </Section>
      </div>
      <div className="mt-8">
        <Section title="Access">
          <div className="flex flex-wrap gap-2">
            {!hidesAudit && (
              <a href={paths.audit(workspace, { user: member.id })} className={buttonClass()}>
                What they changed
              </a>
            )}
            {isOwn ? (
              <>
                <a href={paths.security()} className={buttonClass()}>
                  Password and two-step sign-in
                </a>
                {own !== undefined && <WorkspaceLeave workspace={own} isLastOwner={member.is_last_owner} />}
              </>
            ) : (
              <>
                <MemberResetLink workspace={workspace} member={member} />
                <MemberRemove workspace={workspace} member={member} onRemoved={onClose} />
              </>
            )}
          </div>
        </Section>
      </div>
    </Sheet>
  );
}

function Spent({
  member,
  standing: { used_nano_usd: used, held_nano_usd: held, leased_nano_usd: leased, resets_at: resets },
}: {
  readonly member: MemberJson;
  readonly standing: NonNullable<MemberJson['standing']>;
}): ReactNode {
  const { name, monthly_limit_nano_usd: limit } = member;
  return (
    <div className="mb-4">
      <Meter label={`Limit of ${name}`} spent={used} held={held} leased={leased} limit={limitNow(limit, member)} />
      <p className="mt-1 text-meta text-text-3">
        Resets <Timestamp at={resets} />. <RaisedLimit ordinary={limit} raise={member} />
      </p>
    </div>
  );
}
