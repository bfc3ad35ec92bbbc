import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import type { MarginPeriod } from '../../api/choices.ts';
import { periodBounds, workspaceMarginsQuery } from '../../api/margins.ts';
import { WORKSPACE_STATES, type WorkspaceSort, workspacesQuery } from '../../api/workspaces.ts';
import { ListTable, rowsOf } from '../../components/list-table.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { WORKSPACE_STATE_WORDS, WorkspaceStatus } from '../../components/workspace-status.tsx';
import { WorkspaceCreate } from '../../forms/workspace-create.tsx';
import { capitalized } from '../../format/capitalized.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { moneyColumn, timeColumn } from '../../ui/columns.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import type { Column, Sort } from '../../ui/table-types.ts';
import { useHour } from '../../ui/use-hour.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { DEFAULT_PERIOD, marginColumns, type MarginSums, PeriodSelect } from './margin.tsx';

const route = getRouteApi('/in/operators/operator/workspaces');

export function WorkspacesPage(): ReactNode {
  const { create, search = '', state } = route.useSearch();
  const navigate = route.useNavigate();
  const workspaces = useWorkspaces();
  const isEmpty = workspaces.data?.pages[0]?.data.length === 0 && search === '' && state === undefined;
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
      answers="Who uses this instance, how much credit each has left, and what each brings."
      actions={isEmpty ? undefined : createButton}
    >
      <WorkspaceList workspaces={workspaces} action={createButton} />
      {create === 'true' && <WorkspaceCreate onClose={() => setCreating(false)} />}
    </Page>
  );
}

const STATES = WORKSPACE_STATES.map((value) => ({ value, label: capitalized(WORKSPACE_STATE_WORDS[value]) }));

/** Of balances the greatest comes first; names begin with A, and times with the first. */
const descendsFirst = (sort: WorkspaceSort): boolean => sort === 'balance';

/** The order that the address asks for. */
function useOrder(): { readonly sort: WorkspaceSort; readonly descending: boolean } {
  const { sort = 'created', direction } = route.useSearch();
  return { sort, descending: direction === undefined ? descendsFirst(sort) : direction === 'desc' };
}

/** The workspaces that the address asks for. */
function useWorkspaces() {
  const { search = '', state = null } = route.useSearch();
  return useInfiniteQuery(workspacesQuery({ search: useSettled(search), state, ...useOrder() }));
}

interface WorkspaceListProps {
  readonly workspaces: ReturnType<typeof useWorkspaces>;
  readonly action: ReactNode;
}

function WorkspaceList({ workspaces, action }: WorkspaceListProps): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { search: text = '', state = null, period = DEFAULT_PERIOD } = search;
  const { sort, descending } = useOrder();
  const margins = useMargins(workspaces.data?.pages.map(({ data }) => data.map(({ id }) => id)) ?? [], period);
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
        <FilterSelect
          label="Status"
          all="All but closed"
          className="w-40 max-sm:flex-1"
          value={search.state}
          onChange={(chosen) => change({ state: chosen })}
          options={STATES}
        />
        <PeriodSelect period={period} onChange={(chosen) => change({ period: chosen })} />
      </FilterBar>
      <div className="not-empty:mb-4">
        <ProblemPanel error={margins.error} onRetry={margins.retry} />
      </div>
      <ListTable
        list={workspaces}
        label="Workspaces"
        columns={workspaceColumns(rowsOf(workspaces) ?? [], margins.of)}
        href={({ id }) => paths.operatorWorkspace(id, { period: search.period })}
        moveByKeys
        sort={{ by: sort, descending }}
        onSort={order}
        expectedRows={15}
        empty={<NoWorkspaces search={text} isFiltered={state !== null} action={action} />}
      />
    </>
  );
}

const NOTHING_USED: MarginSums = {
  requests: 0,
  costed_requests: 0,
  net_charge_nano_usd: '0',
  cost_nano_usd: '0',
  margin_nano_usd: '0',
};

/** The margins of the pages that are loaded, each asked for by itself. */
function useMargins(pages: readonly (readonly string[])[], period: MarginPeriod) {
  const bounds = periodBounds(period, useHour());
  const answers = useQueries({ queries: pages.map((ids) => workspaceMarginsQuery(ids, bounds)) });
  const known = new Map<string, MarginSums | null>();
  for (const [page, { data, error }] of answers.entries()) {
    const sums = new Map(data?.groups.map(({ group, total }) => [group, total]));
    const others = error === null ? NOTHING_USED : null;
    if (data !== undefined || error !== null) {
      for (const id of pages[page] ?? []) known.set(id, sums.get(id) ?? others);
    }
  }
  return {
    of: (workspace: string) => known.get(workspace),
    error: answers.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const { refetch } of answers) void refetch();
    },
  };
}

function NoWorkspaces(props: {
  readonly search: string;
  readonly isFiltered: boolean;
  readonly action: ReactNode;
}): ReactNode {
  if (props.search !== '') return <EmptyState cause={`No workspace here has "${props.search}" in its name.`} />;
  if (props.isFiltered) return <EmptyState cause="No workspace has this status." />;
  return (
    <EmptyState
      cause="There is no workspace yet."
      detail="A workspace has credit, members, projects and keys of its own."
      action={props.action}
    />
  );
}

/** The sums of workspaces by their ids; undefined while they load, null if they could not be read. */
type WorkspaceMargins = (workspace: string) => MarginSums | null | undefined;

/** The columns of lists of workspaces; the points of amounts stand below each other. */
function workspaceColumns(
  workspaces: readonly WorkspaceJson[],
  margins: WorkspaceMargins,
): readonly Column<WorkspaceJson>[] {
  return [
    { id: 'name', header: 'Name', sort: 'name', cell: ({ name }) => name, grow: true },
    {
      id: 'state',
      header: 'Status',
      cell: ({ state, moved_to: movedTo }) => <WorkspaceStatus state={state} movedTo={movedTo} />,
    },
    moneyColumn('balance', 'Balance', ({ balance_nano_usd: balance }) => balance, {
      rows: workspaces,
      sort: 'balance',
    }),
    moneyColumn('held', 'Held', ({ held_nano_usd: held }) => held, { rows: workspaces, from: 'xl' }),
    moneyColumn('owed', 'Owed', ({ owed_nano_usd: owed }) => owed, { rows: workspaces, from: 'xl' }),
    // The cost is what revenue and margin differ by, where there is no room for all three.
    ...marginColumns(workspaces, ({ id }) => margins(id)).map((column): Column<WorkspaceJson> =>
      column.id === 'cost' ? { ...column, from: 'xl' } : column,
    ),
    timeColumn('created', 'Created', ({ created_at: at }) => at, { sort: 'created', from: 'xl', daysAlone: true }),
  ];
}
