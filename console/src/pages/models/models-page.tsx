import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ModelJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import type { TokenClass } from '../../../../src/domain/usage.ts';
import { MODEL_CAPABILITIES, MODEL_KINDS, MODEL_SORTS } from '../../api/choices.ts';
import { modelsQuery } from '../../api/models.ts';
import { QueryTable } from '../../components/list-table.tsx';
import { Page } from '../../components/page.tsx';
import { capitalized } from '../../format/capitalized.ts';
import { paths } from '../../paths.ts';
import { Chip } from '../../ui/chip.tsx';
import { countColumn, moneyColumn, timeColumn } from '../../ui/columns.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelects } from '../../ui/filter-select.tsx';
import { Initials } from '../../ui/initials.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Tag } from '../../ui/tag.tsx';
import { capabilitiesOf, CAPABILITY_WORDS, listedModels, type ModelSearch } from './model-list.ts';
import { adjustmentWords, rateOf, tierWords } from './price-words.ts';

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

const optionsOf = <Value extends string>(values: readonly Value[], wordsOf: (value: Value) => string) =>
  values.map((value) => ({ value, label: capitalized(wordsOf(value)) }));

const FILTERS = [
  {
    name: 'kind',
    label: 'Kind',
    all: 'All kinds',
    className: 'w-32 max-sm:flex-1',
    options: optionsOf(MODEL_KINDS, (kind) => kind),
  },
  {
    name: 'capability',
    label: 'Capability',
    all: 'Any capability',
    className: 'w-44 max-sm:flex-1',
    options: optionsOf(MODEL_CAPABILITIES, (capability) => CAPABILITY_WORDS[capability]),
  },
] as const;

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
      <FilterSelects search={search} onChange={onChange} filters={FILTERS} />
      <Chip
        pressed={search.former === 'true'}
        onPress={() => onChange({ former: search.former === 'true' ? undefined : 'true' })}
      >
        No longer on sale
      </Chip>
    </FilterBar>
  );
}

/** The columns of a list of these models; what none of them has gets none. */
function modelColumns(models: readonly ModelJson[], isFormer: boolean): readonly Column<ModelJson>[] {
  const priceOf = (header: string, name: TokenClass, more: Pick<Column<ModelJson>, 'sort' | 'from'>) =>
    moneyColumn<ModelJson>(name, header, ({ price }) => rateOf(price.tiers[0], name), { rows: models, ...more });
  const columns: readonly (Column<ModelJson> | null)[] = [
    { id: 'id', header: 'Model', sort: 'id', grow: true, cell: ({ id }) => <ModelName id={id} /> },
    isFormer ? timeColumn('retired', 'Off sale since', ({ retired_at: at }) => at, { none: 'has no route' }) : null,
    { id: 'kind', header: 'Kind', cell: ({ kind }) => kind, from: 'md' },
    models.some((model) => capabilitiesOf(model).length > 0)
      ? { id: 'capabilities', header: 'Capabilities', cell: (model) => <Capabilities model={model} />, from: 'xl' }
      : null,
    countColumn('context', 'Context', ({ context_window: tokens }) => tokens, { sort: 'context', from: 'xl' }),
    countColumn('max-output', 'Max output', ({ max_output: tokens }) => tokens || null, { from: 'xl' }),
    models.some((model) => particularsOf(model).length > 0)
      ? { id: 'particulars', header: 'Your price', cell: (model) => <Tags words={particularsOf(model)} />, from: 'md' }
      : null,
    priceOf('Input', 'input', { sort: 'input' }),
    priceOf('Cached', 'cached_input', { from: 'md' }),
    priceOf('Output', 'output', { sort: 'output' }),
  ];
  return columns.filter((column) => column !== null);
}

/** The id behind the initials of its vendor, as far as the id names one. */
function ModelName({ id }: Pick<ModelJson, 'id'>): ReactNode {
  return (
    <>
      <Initials of={id.split('/')[0] ?? id} />
      <span className="font-mono">{id}</span>
    </>
  );
}

function Capabilities({ model }: { readonly model: ModelJson }): ReactNode {
  return <Tags words={capabilitiesOf(model).map((capability) => CAPABILITY_WORDS[capability])} />;
}

/** What the rates of the list alone don't say. */
function particularsOf({ price }: ModelJson): readonly string[] {
  const [, longer] = price.tiers;
  const adjustment = adjustmentWords(price);
  const tier = longer === undefined ? null : tierWords(longer);
  const fees = price.fees.length === 0 ? null : 'with fees';
  return [adjustment, tier === null ? null : `other ${tier}`, fees].filter((words) => words !== null);
}

function Tags({ words }: { readonly words: readonly string[] }): ReactNode {
  if (words.length === 0) return null;
  return (
    <span className="inline-flex flex-wrap gap-1">
      {words.map((each) => (
        <Tag key={each}>{each}</Tag>
      ))}
    </span>
  );
}
