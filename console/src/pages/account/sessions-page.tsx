import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SessionJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { sessionsQuery } from '../../api/sessions.ts';
import { AccountPage } from '../../components/account-page.tsx';
import { ListTable, rowsOf } from '../../components/list-table.tsx';
import { formatUserAgent } from '../../format/user-agent.ts';
import { SessionEnd, SessionsEndOthers } from '../../forms/session-end.tsx';
import { paths } from '../../paths.ts';
import { actionsColumn } from '../../ui/columns.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Tag } from '../../ui/tag.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

const COLUMNS: readonly Column<SessionJson>[] = [
  { id: 'browser', header: 'Browser', cell: (session) => <BrowserName session={session} />, grow: true },
  { id: 'address', header: 'Address', cell: ({ address }) => address ?? 'unknown' },
  { id: 'seen', header: 'Last seen', cell: ({ last_seen_at: at }) => <Timestamp at={at} /> },
  { id: 'began', header: 'Signed in', cell: ({ created_at: at }) => <Timestamp at={at} />, from: 'md' },
  { id: 'expires', header: 'Ends', cell: ({ expires_at: at }) => <Timestamp at={at} />, from: 'md' },
  actionsColumn((session) => (session.is_this ? null : <SessionEnd session={session} />)),
];

function BrowserName({ session }: { readonly session: SessionJson }): ReactNode {
  return (
    <span title={session.user_agent ?? undefined}>
      {formatUserAgent(session.user_agent)} {session.is_this && <Tag tone="accent">this session</Tag>}
    </span>
  );
}

export function SessionsPage(): ReactNode {
  const sessions = useInfiniteQuery(sessionsQuery);
  const rows = rowsOf(sessions);
  const isAlone = rows?.length === 1;
  return (
    <AccountPage
      title="Sessions"
      answers="Where you are signed in."
      current={paths.sessions()}
      actions={<SessionsEndOthers unavailable={isAlone ? 'You are signed in here alone.' : null} />}
    >
      <ListTable
        list={sessions}
        label="Your sessions"
        columns={COLUMNS}
        rows={rows}
        expectedRows={2}
        empty={<EmptyState cause="You have no session." />}
      />
    </AccountPage>
  );
}
