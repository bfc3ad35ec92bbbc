import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type {
  CreatedInvitationJson,
  InvitationJson,
} from '../../../../src/control/admin/identity/identity-contract.ts';
import { invitationsQuery } from '../../api/members.ts';
import { ListTable } from '../../components/list-table.tsx';
import { InvitationResend, InvitationRevoke } from '../../forms/invitation-actions.tsx';
import { actionsColumn } from '../../ui/columns.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

interface InvitationListProps {
  readonly workspace: string;
  readonly onSent: (sent: CreatedInvitationJson) => void;
}

/** The open invitations, expired ones included. */
export function InvitationList({ workspace, onSent }: InvitationListProps): ReactNode {
  const invitations = useInfiniteQuery(invitationsQuery(workspace));
  return (
    <ListTable
      list={invitations}
      label="Invitations"
      columns={columnsFor(workspace, onSent)}
      expectedRows={3}
      empty={
        <EmptyState cause="No invitation is open." detail="An invitation stays here until it is accepted or revoked." />
      }
    />
  );
}

function columnsFor(workspace: string, onSent: InvitationListProps['onSent']): readonly Column<InvitationJson>[] {
  return [
    { id: 'email', header: 'Email address', cell: ({ email }) => email, grow: true },
    { id: 'role', header: 'Role', cell: ({ role }) => role },
    { id: 'state', header: 'Status', cell: (invitation) => <State invitation={invitation} /> },
    { id: 'expires', header: 'Expires', cell: ({ expires_at: at }) => <Timestamp at={at} /> },
    { id: 'by', header: 'Invited by', cell: ({ invited_by: by }) => by ?? 'operator', from: 'lg' },
    actionsColumn((invitation) => (
      <span className="inline-flex">
        <InvitationResend workspace={workspace} invitation={invitation} onSent={onSent} />
        <InvitationRevoke workspace={workspace} invitation={invitation} />
      </span>
    )),
  ];
}

function State({ invitation }: { readonly invitation: InvitationJson }): ReactNode {
  const [nowMs] = useState(() => Date.now());
  if (Date.parse(invitation.expires_at) <= nowMs) return <StatusWord status="off">expired</StatusWord>;
  return <StatusWord status="waiting">{invitation.mailed ? 'mailed' : 'link given'}</StatusWord>;
}
