import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { CreatedInvitationJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { membersQuery } from '../../api/members.ts';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { asRole } from '../../components/role-words.ts';
import { InvitationCreate } from '../../forms/invitation-create.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { showToast } from '../../ui/announcements.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { InvitationList } from './invitation-list.tsx';
import { MEMBER_COLUMNS } from './member-columns.tsx';
import { MemberSheet } from './member-sheet.tsx';

const route = getRouteApi('/in/workspaces/$workspace/members');

const TABS = [
  { id: 'members', label: 'Members' },
  { id: 'invitations', label: 'Invitations' },
] as const;

export function MembersPage(): ReactNode {
  const { workspace } = route.useParams();
  const { tab = 'members', member, invite } = route.useSearch();
  const navigate = route.useNavigate();
  const [sent, setSent] = useState<CreatedInvitationJson | null>(null);
  const setInviting = (isInviting: boolean) =>
    void navigate({
      search: (former) => ({ ...former, invite: isInviting ? 'true' : undefined }),
      replace: !isInviting,
    });
  const closeMember = () => void navigate({ search: (former) => ({ ...former, member: undefined }), replace: true });
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
      Invite member
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
      {member !== undefined && <MemberSheet workspace={workspace} user={member} onClose={closeMember} />}
      {invite === 'true' && unavailable === null && (
        <InvitationCreate
          workspace={workspace}
          onClose={() => setInviting(false)}
          onCreated={(invitation) => void showSent(invitation)}
        />
      )}
      {sent?.link && (
        <SecretDialog
          title={`Invitation of ${sent.email}`}
          description={
            <>
              Pass this link on. By it, {sent.email} joins as {asRole(sent.role)}, once. It expires{' '}
              <Timestamp at={sent.expires_at} /> and is not shown again.
            </>
          }
          what="invitation link"
          secret={sent.link}
          onSaved={() => setSent(null)}
        />
      )}
    </Page>
  );
}

function MemberList({ workspace, selected }: { readonly workspace: string; readonly selected?: string | undefined }) {
  const navigate = route.useNavigate();
  const members = useInfiniteQuery(membersQuery(workspace));
  return (
    <>
      <Table
        label="Members"
        columns={MEMBER_COLUMNS}
        rows={members.data?.pages.flatMap(({ data }) => data)}
        rowKey={({ id }) => id}
        href={({ id }) => paths.members(workspace, { member: id })}
        onNavigate={(href) => void navigate({ href })}
        selectedKey={selected}
        moveByKeys
        error={problemFrom(members.error)}
        onRetry={() => void members.refetch()}
        empty={<EmptyState cause="This workspace has no member." detail="The operator runs it. Invite its owner." />}
      />
      <LoadMore list={members} />
    </>
  );
}
