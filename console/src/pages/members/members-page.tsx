import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { CreatedInvitationJson, MemberJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { membersQuery } from '../../api/members.ts';
import { InvitationLink } from '../../components/invitation-link.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { limitNow } from '../../components/raised-limit.tsx';
import { Page } from '../../components/page.tsx';
import { ColleaguesInvite } from '../../forms/colleagues-invite.tsx';
import { paths } from '../../paths.ts';
import { useMe, useUnavailable } from '../../session/access.ts';
import { showToast } from '../../ui/announcements.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Meter } from '../../ui/meter.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { InvitationList } from './invitation-list.tsx';
import { MemberSheet } from './member-sheet.tsx';
import { TwoStep } from './two-step.tsx';

const route = getRouteApi('/in/workspaces/$workspace/members');

const TABS = [
  { id: 'members', label: 'Members' },
  { id: 'invitations', label: 'Invitations' },
] as const;

export function MembersPage(): ReactNode {
  const { workspace } = route.useParams();
  const { tab = 'members', member, raise, limit, invite } = route.useSearch();
  const navigate = route.useNavigate();
  const [sent, setSent] = useState<CreatedInvitationJson | null>(null);
  const setInviting = (isInviting: boolean) =>
    void navigate({
      search: (former) => ({ ...former, invite: isInviting ? 'true' : undefined }),
      replace: !isInviting,
    });
  const closeMember = () =>
    void navigate({
      search: (former) => ({ ...former, member: undefined, raise: undefined, limit: undefined }),
      replace: true,
    });
  const showSent = async (invitation: CreatedInvitationJson): Promise<void> => {
    await navigate({ search: { tab: 'invitations' }, replace: true });
    if (invitation.link === null) {
      showToast(
        invitation.mailed
          ? `The invitation is on its way to ${invitation.email}.`
          : `${invitation.email} is invited already. Resend the invitation for a new link.`,
      );
    } else setSent(invitation);
  };
  const unavailable = useUnavailable(workspace, 'members:write', 'invite members');
  const inviteButton = (
    <Button kind="primary" onClick={() => setInviting(true)} unavailable={unavailable}>
      Invite members
    </Button>
  );
  return (
    <Page title="Members" answers="Who may do what in this workspace." actions={inviteButton}>
      <Tabs
        label="People"
        tabs={TABS}
        selected={tab}
        onSelect={(chosen) => void navigate({ search: { tab: chosen === 'members' ? undefined : chosen } })}
      >
        {tab === 'members' ? (
          <MemberList workspace={workspace} selected={member} />
        ) : (
          <InvitationList workspace={workspace} onSent={(invitation) => void showSent(invitation)} />
        )}
      </Tabs>
      {member !== undefined && (
        <MemberSheet
          workspace={workspace}
          user={member}
          limit={limit}
          isRaising={raise === 'true'}
          onRaise={(isRaising) =>
            void navigate({
              search: (former) => ({ ...former, raise: isRaising ? 'true' : undefined, limit: undefined }),
            })
          }
          onClose={closeMember}
        />
      )}
      {invite === 'true' && unavailable === null && (
        <ColleaguesInvite
          workspace={workspace}
          onClose={() => setInviting(false)}
          onInvited={() => void navigate({ search: { tab: 'invitations' }, replace: true })}
        />
      )}
      {sent?.link && (
        <InvitationLink
          email={sent.email}
          role={sent.role}
          link={sent.link}
          expiresAt={sent.expires_at}
          onSaved={() => setSent(null)}
        />
      )}
    </Page>
  );
}

function MemberList({ workspace, selected }: { readonly workspace: string; readonly selected?: string | undefined }) {
  const members = useInfiniteQuery(membersQuery(workspace));
  return (
    <ListTable
      list={members}
      label="Members"
      columns={MEMBER_COLUMNS}
      href={({ id }) => paths.members(workspace, { member: id })}
      selectedKey={selected}
      moveByKeys
      empty={<EmptyState cause="This workspace has no member." detail="The operator runs it. Invite its owner." />}
    />
  );
}

const MEMBER_COLUMNS: readonly Column<MemberJson>[] = [
  { id: 'name', header: 'Name', cell: (member) => <Name member={member} />, grow: true },
  {
    id: 'email',
    header: 'Email address',
    cell: ({ email }) => <span title={email}>{email}</span>,
    from: 'md',
    grow: true,
  },
  { id: 'role', header: 'Role', cell: ({ role }) => role },
  { id: 'spent', header: 'Limit this month', cell: (member) => <Limit member={member} />, from: 'md' },
  { id: 'seen', header: 'Last seen', cell: (member) => <LastSeen member={member} /> },
  { id: 'two-step', header: 'Two-step sign-in', cell: (member) => <TwoStep member={member} />, from: 'md' },
];

function Name({ member: { id, name } }: { readonly member: MemberJson }): ReactNode {
  const isOwn = useMe().user.id === id;
  return isOwn ? (
    <>
      {name} <Tag>you</Tag>
    </>
  ) : (
    name
  );
}

function Limit({ member }: { readonly member: MemberJson }) {
  const { name, standing, monthly_limit_nano_usd: limit } = member;
  if (limit === null) return <span className="text-text-3">no limit</span>;
  if (standing === null) return null;
  const { used_nano_usd: used, held_nano_usd: held } = standing;
  return <Meter compact label={`Limit of ${name}`} spent={used} held={held} limit={limitNow(limit, member)} />;
}

function LastSeen({ member }: { readonly member: MemberJson }): ReactNode {
  if (member.disabled_at !== null) return <StatusWord status="closed">account disabled</StatusWord>;
  return <Timestamp at={member.last_seen_at} />;
}
