import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { capitalized } from '../../format/capitalized.ts';
import { MODEL_CAPABILITIES, MODEL_KINDS, MODEL_SORTS } from '../../api/choices.ts';
import { modelsQuery } from '../../api/models.ts';
import { QueryTable } from '../../components/list-table.tsx';
import { Page } from '../../components/page.tsx';
import { paths } from '../../paths.ts';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { modelColumns } from './model-columns.tsx';
import { CAPABILITY_WORDS, listedModels, type ModelSearch } from './model-list.ts';

const route = getRouteApi('/in/workspaces/$workspace/models/');

const NO_FILTERS: ModelSearch = { search: undefined, kind: undefined, capability: undefined, former: undefined };

export function ModelsPage(): ReactNode {
  const { workspace } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // What is read here is what is paid, so it is read again.
  const query = useQuery({ ...modelsQuery(workspace), staleTime: 0 });
  const { sort = 'id', direction = 'asc' } = search;
  const rows = query.data && listedModels(query.data.data, search);
  const isFiltered = Object.keys(NO_FILTERS).some((name) => search[name as keyof ModelSearch] !== undefined);
  const change = (given: Partial<ModelSearch>) =>
    void navigate({ search: (former) => ({ ...former, ...given }), replace: 'search' in given });
  return (
    <Page title="Models" answers="What you can call, and what a million tokens cost you in USD.">
      <ModelFilters search={search} onChange={change} onClear={isFiltered ? () => change(NO_FILTERS) : null} />
      <QueryTable
        query={query}
        label={search.former === 'true' ? 'Models that are no longer on sale' : 'Models'}
        columns={modelColumns(rows ?? [], search.former === 'true')}
        rows={rows}
        href={({ id }) => paths.model(workspace, id)}
        moveByKeys
        sort={{ by: sort, descending: direction === 'desc' }}
        onSort={({ by, descending }) =>
          change({ sort: MODEL_SORTS.find((each) => each === by), direction: descending ? 'desc' : 'asc' })
        }
        empty={<NoModels search={search} isFiltered={isFiltered} />}
      />
    </Page>
  );
}

function NoModels({ search, isFiltered }: { readonly search: ModelSearch; readonly isFiltered: boolean }): ReactNode {
  if (search.search !== undefined) {
    return <EmptyState cause={`No model here has "${search.search}" in its id.`} />;
  }
  if (isFiltered) return <EmptyState cause="No model matches these filters." />;
  return <EmptyState cause="No model is on sale." detail="The operator of this instance puts models on sale." />;
}

const KINDS = MODEL_KINDS.map((value) => ({ value, label: capitalized(value) }));
const CAPABILITIES = MODEL_CAPABILITIES.map((value) => ({ value, label: capitalized(CAPABILITY_WORDS[value]) }));

interface ModelFiltersProps {
  readonly search: ModelSearch;
  readonly onChange: (change: Partial<ModelSearch>) => void;
  readonly onClear: (() => void) | null;
}

/** What narrows the list of models. */
function ModelFilters({ search, onChange, onClear }: ModelFiltersProps): ReactNode {
  return (
    <FilterBar label="Filter models" onClear={onClear}>
      <SearchInput
        label="Search models"
        value={search.search ?? ''}
        onChange={(typed) => onChange({ search: typed === '' ? undefined : typed })}
      />
      <FilterSelect
        label="Kind"
        all="All kinds"
        className="w-32 max-sm:flex-1"
        value={search.kind}
        onChange={(kind) => onChange({ kind })}
        options={KINDS}
      />
      <FilterSelect
        label="Capability"
        all="Any capability"
        className="w-44 max-sm:flex-1"
        value={search.capability}
        onChange={(capability) => onChange({ capability })}
        options={CAPABILITIES}
      />
      <Chip
        pressed={search.former === 'true'}
        onPress={() => onChange({ former: search.former === 'true' ? undefined : 'true' })}
      >
        No longer on sale
      </Chip>
    </FilterBar>
  );
}
