import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { KeySort } from '../../../../src/domain/key-lists.ts';
import { keysQuery } from '../../api/keys.ts';
import { keyColumns } from '../../components/key-columns.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { KeyCreate } from '../../forms/key-create.tsx';
import { paths } from '../../paths.ts';
import { useMe, useUnavailable } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import type { Sort } from '../../ui/table-types.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { KeyFilters } from './key-filters.tsx';
import { isFiltered, type KeySearch, listingOf } from './key-search.ts';

const route = getRouteApi('/in/workspaces/$workspace/keys');

export function KeysPage(): ReactNode {
  const { workspace } = route.useParams();
  const { create, project, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const hidden = useUnavailable(workspace, 'keys:read', 'see keys');
  const keys = useKeys(workspace, hidden === null);
  const isEmpty = keys.data?.pages[0]?.data.length === 0 && !isFiltered({ ...search, project });
  const setCreating = (isCreating: boolean) =>
    void navigate({
      search: (former) => ({ ...former, create: isCreating ? 'true' : undefined }),
      replace: !isCreating,
    });
  const unavailable = useUnavailable(workspace, 'keys:write', 'create keys');
  const createButton = (
    <Button kind="primary" onClick={() => setCreating(true)} unavailable={unavailable}>
      Create key
    </Button>
  );
  return (
    <Page
      title="Keys"
      answers="Which programs may call models, and what each has spent."
      actions={isEmpty ? undefined : createButton}
    >
      {hidden === null ? <KeyList keys={keys} action={createButton} /> : <EmptyState cause={hidden} />}
      {create === 'true' && unavailable === null && (
        <KeyCreate workspace={workspace} project={project ?? null} onClose={() => setCreating(false)} />
      )}
    </Page>
  );
}

/** Names begin with A, keys that expire with the first; of spends and uses the greatest come first. */
const ASCENDING: ReadonlySet<string> = new Set(['name', 'expiry'] satisfies KeySort[]);

/** The keys that the address asks for. */
function useKeys(workspace: string, enabled: boolean) {
  const wanted = listingOf(route.useSearch(), useMe().user.id);
  return useInfiniteQuery({ ...keysQuery(workspace, { ...wanted, search: useSettled(wanted.search) }), enabled });
}

interface KeyListProps {
  readonly keys: ReturnType<typeof useKeys>;
  readonly action: ReactNode;
}

function KeyList({ keys, action }: KeyListProps): ReactNode {
  const { workspace } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { project, sort, descending } = listingOf(search, useMe().user.id);
  const rows = keys.data?.pages.flatMap(({ data }) => data);
  const change = (given: Partial<KeySearch>) =>
    void navigate({ search: (former) => ({ ...former, ...given }), replace: 'search' in given });
  const order = (chosen: Sort): void => {
    const { by } = chosen;
    const descends = by === sort ? chosen.descending : !ASCENDING.has(by);
    change({ sort: by as KeySort, direction: descends ? 'desc' : 'asc' });
  };
  return (
    <>
      <KeyFilters workspace={workspace} search={search} onChange={change} />
      <Table
        label="Keys"
        columns={keyColumns({ withProject: project === null })}
        rows={rows}
        rowKey={({ id }) => id}
        href={({ id }) => paths.key(workspace, id)}
        onNavigate={(href) => void navigate({ href })}
        moveByKeys
        sort={{ by: sort, descending }}
        onSort={order}
        loading={keys.isPlaceholderData}
        expectedRows={15}
        error={problemFrom(keys.error)}
        onRetry={() => void keys.refetch()}
        empty={<NoKeys search={search} action={action} />}
      />
      <LoadMore list={keys} />
    </>
  );
}

function NoKeys({ search, action }: { readonly search: KeySearch; readonly action: ReactNode }): ReactNode {
  const { search: text } = search;
  if (text !== undefined) {
    return <EmptyState cause={`No key here has "${text}" in its name, id or owner, or as its last four characters.`} />;
  }
  if (isFiltered(search)) return <EmptyState cause="No key matches these filters." />;
  return (
    <EmptyState
      cause="There is no key yet."
      detail="Programs call models with a key. It belongs to a project, and may have a limit of its own."
      action={action}
    />
  );
}
