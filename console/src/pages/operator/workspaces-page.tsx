import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { WORKSPACE_STATES, type WorkspaceSort, type WorkspaceState, workspacesQuery } from '../../api/workspaces.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { WORKSPACE_STATE_WORDS } from '../../components/workspace-status.tsx';
import { WorkspaceCreate } from '../../forms/workspace-create.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import { Table } from '../../ui/table.tsx';
import type { Sort } from '../../ui/table-types.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { workspaceColumns } from './workspace-columns.tsx';

const route = getRouteApi('/in/operators/operator/workspaces');

export function WorkspacesPage(): ReactNode {
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const setCreating = (isCreating: boolean) =>
    void navigate({
      search: (former) => ({ ...former, create: isCreating ? 'true' : undefined }),
      replace: !isCreating,
    });
  const createButton = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Create workspace
    </Button>
  );
  return (
    <Page
      title="Workspaces"
      answers="Who uses this instance, and how much credit each has left."
      actions={createButton}
    >
      <WorkspaceList action={createButton} />
      {create === 'true' && <WorkspaceCreate onClose={() => setCreating(false)} />}
    </Page>
  );
}

const STATES = [
  { value: '', label: 'All but closed' },
  ...WORKSPACE_STATES.map((state) => ({ value: state, label: capitalised(WORKSPACE_STATE_WORDS[state]) })),
];

/** Of balances the greatest comes first; names begin with A, and times with the first. */
const descendsFirst = (sort: WorkspaceSort): boolean => sort === 'balance';

function WorkspaceList({ action }: { readonly action: ReactNode }): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { search: text = '', state = null, sort = 'created' } = search;
  const descending = search.direction === undefined ? descendsFirst(sort) : search.direction === 'desc';
  const workspaces = useInfiniteQuery(workspacesQuery({ search: useSettled(text), state, sort, descending }));
  const rows = workspaces.data?.pages.flatMap(({ data }) => data);
  const change = (given: Partial<typeof search>) =>
    void navigate({ search: (former) => ({ ...former, ...given }), replace: 'search' in given });
  const order = (chosen: Sort): void => {
    const by = chosen.by as WorkspaceSort;
    const descends = by === sort ? chosen.descending : descendsFirst(by);
    change({ sort: by, direction: descends ? 'desc' : 'asc' });
  };
  return (
    <>
      <FilterBar
        label="Filter workspaces"
        onClear={text !== '' || state !== null ? () => change({ search: undefined, state: undefined }) : null}
      >
        <SearchInput
          label="Search workspaces"
          value={text}
          onChange={(typed) => change({ search: typed === '' ? undefined : typed })}
        />
        <Select
          aria-label="State"
          className="w-40 max-sm:flex-1"
          value={state ?? ''}
          onChange={(chosen) =>
            change({ state: WORKSPACE_STATES.find((each): each is WorkspaceState => each === chosen) })
          }
          options={STATES}
        />
      </FilterBar>
      <Table
        label="Workspaces"
        columns={workspaceColumns(rows)}
        rows={rows}
        rowKey={({ id }) => id}
        href={({ id }) => paths.home(id)}
        onNavigate={(href) => void navigate({ href })}
        moveByKeys
        sort={{ by: sort, descending }}
        onSort={order}
        loading={workspaces.isPlaceholderData}
        expectedRows={15}
        error={problemFrom(workspaces.error)}
        onRetry={() => void workspaces.refetch()}
        empty={<NoWorkspaces search={text} isFiltered={state !== null} action={action} />}
      />
      <LoadMore list={workspaces} />
    </>
  );
}

function NoWorkspaces(props: {
  readonly search: string;
  readonly isFiltered: boolean;
  readonly action: ReactNode;
}): ReactNode {
  if (props.search !== '') return <EmptyState cause={`No workspace here has "${props.search}" in its name.`} />;
  if (props.isFiltered) return <EmptyState cause="No workspace is in this state." />;
  return (
    <EmptyState
      cause="There is no workspace yet."
      detail="A workspace has credit, members, projects and keys of its own."
      action={props.action}
    />
  );
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
