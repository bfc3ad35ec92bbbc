import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { KEY_STATES, type KeySort, type KeyState } from '../../../../src/domain/key-lists.ts';
import { projectChoicesQuery } from '../../api/projects.ts';
import { useMe } from '../../session/access.ts';
import { Chip } from '../../ui/chip.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import type { KeySearch } from './key-search.ts';

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

const STATES = [
  { value: '', label: 'All states' },
  ...KEY_STATES.map((state) => ({ value: state, label: state.charAt(0).toUpperCase() + state.slice(1) })),
];

interface KeyFiltersProps {
  readonly workspace: string;
  readonly search: KeySearch;
  readonly onChange: (change: Partial<KeySearch>) => void;
}

/** What narrows and orders the list of keys. */
export function KeyFilters({ workspace, search, onChange }: KeyFiltersProps): ReactNode {
  const { id: me } = useMe().user;
  const { project = '', state = '', search: text = '', sort = 'created', direction = 'desc' } = search;
  const { data: projects = [] } = useQuery(projectChoicesQuery(workspace, search.project ?? null));
  const isMine = search.owner === 'me' || search.owner === me;
  const isFiltered = project !== '' || state !== '' || text !== '' || search.owner !== undefined;
  return (
    <FilterBar
      label="Filter keys"
      onClear={
        isFiltered
          ? () => onChange({ project: undefined, state: undefined, search: undefined, owner: undefined })
          : null
      }
    >
      <SearchInput
        label="Name, id, last four or owner"
        value={text}
        onChange={(typed) => onChange({ search: typed === '' ? undefined : typed })}
      />
      <Select
        aria-label="Project"
        className="w-44 max-sm:flex-1"
        value={project}
        onChange={(id) => onChange({ project: id === '' ? undefined : id })}
        options={[
          { value: '', label: 'All projects' },
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Select
        aria-label="Status"
        className="w-32 max-sm:flex-1"
        value={state}
        onChange={(chosen) => onChange({ state: KEY_STATES.find((each): each is KeyState => each === chosen) })}
        options={STATES}
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
