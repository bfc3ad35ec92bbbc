import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MODEL_SORTS, modelsQuery } from '../../api/models.ts';
import { Page } from '../../components/page.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { paths } from '../../paths.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { modelColumns } from './model-columns.tsx';
import { ModelFilters } from './model-filters.tsx';
import { listedModels, type ModelSearch } from './model-list.ts';

const route = getRouteApi('/in/workspaces/$workspace/models/');

const NO_FILTERS: ModelSearch = { search: undefined, kind: undefined, capability: undefined, former: undefined };

export function ModelsPage(): ReactNode {
  const { workspace } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // What is read here is what is paid, so it is read again.
  const { data, error, refetch } = useQuery({ ...modelsQuery(workspace), staleTime: 0 });
  const { sort = 'id', direction = 'asc' } = search;
  const rows = data && listedModels(data.data, search);
  const isFiltered = Object.keys(NO_FILTERS).some((name) => search[name as keyof ModelSearch] !== undefined);
  const change = (given: Partial<ModelSearch>) =>
    void navigate({ search: (former) => ({ ...former, ...given }), replace: 'search' in given });
  return (
    <Page title="Models" answers="What you can call, and what a million tokens cost you in USD.">
      <ModelFilters search={search} onChange={change} onClear={isFiltered ? () => change(NO_FILTERS) : null} />
      <Table
        label={search.former === 'true' ? 'Models that are no longer on sale' : 'Models'}
        columns={modelColumns(rows ?? [], search.former === 'true')}
        rows={rows}
        rowKey={({ id }) => id}
        href={({ id }) => paths.model(workspace, id)}
        onNavigate={(href) => void navigate({ href })}
        moveByKeys
        sort={{ by: sort, descending: direction === 'desc' }}
        onSort={({ by, descending }) =>
          change({ sort: MODEL_SORTS.find((each) => each === by), direction: descending ? 'desc' : 'asc' })
        }
        error={problemFrom(error)}
        onRetry={() => void refetch()}
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
