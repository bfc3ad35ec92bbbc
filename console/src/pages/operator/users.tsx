import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ListedUserJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { usersQuery } from '../../api/users.ts';
import { ListTable } from '../../components/list-table.tsx';
import { UserDisable, UserErase, UserSignOut } from '../../forms/user-actions.tsx';
import { paths } from '../../paths.ts';
import { actionsColumn, statusColumn, timeColumn } from '../../ui/columns.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import type { Column } from '../../ui/table-types.ts';
import { TextLink } from '../../ui/text-link.tsx';
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
      <SearchInput className="mb-4 w-64 max-sm:w-full" label="Search users" value={search} onChange={onSearch} />
      <ListTable
        list={users}
        label="Users"
        columns={COLUMNS}
        expectedRows={3}
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
  statusColumn(({ disabled_at: disabledAt, erased_at: erasedAt, is_operator: isOperator }) => {
    if (erasedAt !== null) return ['off', 'erased'];
    return disabledAt === null ? ['open', isOperator ? 'operator' : 'member'] : ['closed', 'disabled'];
  }),
  { id: 'workspaces', header: 'Workspaces', from: 'lg', cell: (user) => <Memberships user={user} /> },
  timeColumn('seen', 'Last seen', ({ last_seen_at: at }) => at, { from: 'md', none: 'signed out' }),
  actionsColumn(
    (user) =>
      user.erased_at === null && (
        <span className="inline-flex gap-1">
          <UserSignOut user={user} />
          <UserDisable user={user} />
          <UserErase user={user} />
        </span>
      ),
  ),
];

function Memberships({ user: { workspaces } }: { readonly user: ListedUserJson }): ReactNode {
  if (workspaces.length === 0) return <span className="text-text-3">none</span>;
  const more = workspaces.length - WORKSPACES_SHOWN;
  return (
    <span className="inline-block max-w-72 py-1.5 wrap-anywhere whitespace-normal">
      {workspaces.slice(0, WORKSPACES_SHOWN).map(({ id, name, role }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <TextLink href={paths.operatorWorkspace(id)}>{name}</TextLink> <span className="text-text-3">{role}</span>
        </span>
      ))}
      {more > 0 && <span className="text-text-3"> and {more} more</span>}
    </span>
  );
}
