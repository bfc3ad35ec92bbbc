import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { KEY_STATES, type KeySort } from '../../../../src/domain/key-lists.ts';
import { type KeySearch, keysQuery, leavesKeysOut, listingOf } from '../../api/keys.ts';
import { projectChoicesQuery } from '../../api/projects.ts';
import { keyColumns } from '../../components/key-columns.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { Page } from '../../components/page.tsx';
import { capitalized } from '../../format/capitalized.ts';
import { KeyCreate } from '../../forms/key-forms.tsx';
import { paths } from '../../paths.ts';
import { useMe, useUnavailable } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelects } from '../../ui/filter-select.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import type { Sort } from '../../ui/table-types.ts';
import { useSettled } from '../../ui/use-settled.ts';

const route = getRouteApi('/in/workspaces/$workspace/keys');

export function KeysPage(): ReactNode {
  const { workspace } = route.useParams();
  const { create, project, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const hidden = useUnavailable(workspace, 'keys:read', 'see keys');
  const keys = useKeys(workspace, hidden === null);
  const isEmpty = keys.data?.pages[0]?.data.length === 0 && !leavesKeysOut({ ...search, project });
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
      <ListTable
        list={keys}
        label="Keys"
        columns={keyColumns({ withProject: project === null })}
        href={({ id }) => paths.key(workspace, id)}
        moveByKeys
        sort={{ by: sort, descending }}
        onSort={order}
        expectedRows={15}
        empty={<NoKeys search={search} action={action} />}
      />
    </>
  );
}

function NoKeys({ search, action }: { readonly search: KeySearch; readonly action: ReactNode }): ReactNode {
  const { search: text } = search;
  if (text !== undefined) {
    return <EmptyState cause={`No key here has "${text}" in its name, id or owner, or as its last four characters.`} />;
  }
  if (leavesKeysOut(search)) return <EmptyState cause="No key matches these filters." />;
  return (
    <EmptyState
      cause="There is no key yet."
      detail="Programs call models with a key. It belongs to a project, and may have a limit of its own."
      action={action}
    />
  );
}

const ORDERS = [
  { value: 'created desc', label: 'Newest first' },
  { value: 'created asc', label: 'Oldest first' },
  { value: 'name asc', label: 'Name, A to Z' },
  { value: 'name desc', label: 'Name, Z to A' },
  { value: 'spend desc', label: 'Most spent first' },
  { value: 'spend asc', label: 'Least spent first' },
  { value: 'last_use desc', label: 'Last used first' },
  { value: 'last_use asc', label: 'Longest unused first' },
  { value: 'expiry asc', label: 'Expires first' },
  { value: 'expiry desc', label: 'Expires last' },
] as const satisfies readonly { readonly value: `${KeySort} ${'asc' | 'desc'}`; readonly label: string }[];

type Order = (typeof ORDERS)[number]['value'];

const STATES = KEY_STATES.map((value) => ({ value, label: capitalized(value) }));

interface KeyFiltersProps {
  readonly workspace: string;
  readonly search: KeySearch;
  readonly onChange: (change: Partial<KeySearch>) => void;
}

/** What narrows and orders the list of keys. */
function KeyFilters({ workspace, search, onChange }: KeyFiltersProps): ReactNode {
  const { id: me } = useMe().user;
  const { search: text = '', sort = 'created', direction = 'desc' } = search;
  const { data: projects = [] } = useQuery(projectChoicesQuery(workspace, search.project ?? null));
  const isMine = search.owner === 'me' || search.owner === me;
  return (
    <FilterBar
      label="Filter keys"
      onClear={
        leavesKeysOut(search)
          ? () => onChange({ project: undefined, state: undefined, search: undefined, owner: undefined })
          : null
      }
    >
      <SearchInput
        label="Name, id, last four or owner"
        value={text}
        onChange={(typed) => onChange({ search: typed === '' ? undefined : typed })}
      />
      <FilterSelects
        search={search}
        onChange={onChange}
        filters={[
          {
            name: 'project',
            label: 'Project',
            all: 'All projects',
            className: 'w-44 max-sm:flex-1',
            options: projects.map(({ id, name }) => ({ value: id, label: name })),
          },
          { name: 'state', label: 'Status', all: 'All states', className: 'w-32 max-sm:flex-1', options: STATES },
        ]}
      />
      <Select<Order>
        aria-label="Order"
        className="w-44 max-sm:w-full"
        value={`${sort} ${direction}`}
        onChange={(order) => {
          const [by, way] = order.split(' ') as [KeySort, 'asc' | 'desc'];
          onChange({ sort: by, direction: way });
        }}
        options={ORDERS}
      />
      <Chip pressed={isMine} onPress={() => onChange({ owner: isMine ? undefined : 'me' })}>
        Mine
      </Chip>
    </FilterBar>
  );
}
