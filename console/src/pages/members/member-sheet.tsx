import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { MemberJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { memberQuery } from '../../api/members.ts';
import { Loaded } from '../../components/loaded.tsx';
import {
  MemberLimit,
  MemberRemove,
  MemberResetLink,
  MemberUpdate,
  WorkspaceLeave,
} from '../../forms/member-actions.tsx';
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
  readonly onClose: () => void;
}

/** One member: what they are, and what can be done about it. */
export function MemberSheet({ workspace, user, limit, onClose }: MemberSheetProps): ReactNode {
  const query = useQuery(memberQuery(workspace, user));
  if (query.data !== undefined)
    return <LoadedSheet workspace={workspace} member={query.data} limit={limit} onClose={onClose} />;
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
  onClose,
}: Omit<MemberSheetProps, 'user'> & { readonly member: MemberJson }): ReactNode {
  const isOwn = useMe().user.id === member.id;
  const hidesAudit = useUnavailable(workspace, 'audit:read', 'see changes') !== null;
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
        <Section title="Spending">
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
                <WorkspaceLeave workspace={workspace} member={member} />
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
  member: { name, monthly_limit_nano_usd: limit },
  standing: { used_nano_usd: used, held_nano_usd: held, leased_nano_usd: leased, resets_at: resets },
}: {
  readonly member: MemberJson;
  readonly standing: NonNullable<MemberJson['standing']>;
}): ReactNode {
  return (
    <div className="mb-4">
      <Meter label={`Limit of ${name}`} spent={used} held={held} leased={leased} limit={limit} />
      <p className="mt-1 text-meta text-text-3">
        Resets <Timestamp at={resets} />
      </p>
    </div>
  );
}
