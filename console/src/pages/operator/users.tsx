import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ListedUserJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { usersQuery } from '../../api/users.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { UserDisable } from '../../forms/user-disable.tsx';
import { UserSignOut } from '../../forms/user-sign-out.tsx';
import { paths } from '../../paths.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { useSettled } from '../../ui/use-settled.ts';

interface UsersProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

/** The people with accounts, over all workspaces. */
export function Users({ search, onSearch }: UsersProps): ReactNode {
  const users = useInfiniteQuery(usersQuery(useSettled(search)));
  return (
    <>
      <div className="mb-4 max-w-80">
        <SearchInput label="Search users" value={search} onChange={onSearch} />
      </div>
      <Table
        label="Users"
        columns={COLUMNS}
        rows={users.data?.pages.flatMap(({ data }) => data)}
        rowKey={({ id }) => id}
        loading={users.isPlaceholderData}
        expectedRows={3}
        error={problemFrom(users.error)}
        onRetry={() => void users.refetch()}
        empty={
          search === '' ? (
            <EmptyState
              cause="Nobody has an account yet."
              detail="The set-up link, which each start prints, makes the first."
            />
          ) : (
            <EmptyState cause={`No user has "${search}" in the address or the name.`} />
          )
        }
      />
      <LoadMore list={users} />
    </>
  );
}

const WORKSPACES_SHOWN = 3;

const COLUMNS: readonly Column<ListedUserJson>[] = [
  {
    id: 'user',
    header: 'User',
    grow: true,
    cell: ({ email, name }) => (
      <span title={name}>
        {email} <span className="text-text-3">{name}</span>
      </span>
    ),
  },
  { id: 'state', header: 'Status', cell: (user) => <UserState user={user} /> },
  { id: 'workspaces', header: 'Workspaces', from: 'lg', cell: (user) => <Memberships user={user} /> },
  {
    id: 'seen',
    header: 'Last seen',
    from: 'md',
    cell: ({ last_seen_at: at }) => <Timestamp at={at} none="signed out" />,
  },
  {
    id: 'actions',
    header: 'Actions',
    hideHeader: true,
    align: 'end',
    cell: (user) => (
      <span className="inline-flex gap-1">
        <UserSignOut user={user} />
        <UserDisable user={user} />
      </span>
    ),
  },
];

function UserState({ user: { disabled_at: disabledAt, is_operator: isOperator } }: { readonly user: ListedUserJson }) {
  if (disabledAt !== null) return <StatusWord status="closed">disabled</StatusWord>;
  return <StatusWord status="open">{isOperator ? 'operator' : 'member'}</StatusWord>;
}

function Memberships({ user: { workspaces } }: { readonly user: ListedUserJson }): ReactNode {
  if (workspaces.length === 0) return <span className="text-text-3">none</span>;
  const more = workspaces.length - WORKSPACES_SHOWN;
  return (
    <span className="inline-block max-w-72 py-1.5 wrap-anywhere whitespace-normal">
      {workspaces.slice(0, WORKSPACES_SHOWN).map(({ id, name, role }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={paths.operatorWorkspace(id)} className="underline underline-offset-2">
            {name}
          </a>{' '}
          <span className="text-text-3">{role}</span>
        </span>
      ))}
      {more > 0 && <span className="text-text-3"> and {more} more</span>}
    </span>
  );
}
