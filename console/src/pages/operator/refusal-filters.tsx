import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { REFUSAL_STATUSES } from '../../api/choices.ts';
import { refusalCountsQuery } from '../../api/requests.ts';
import { formatCount } from '../../format/count.ts';
import type { SearchTexts } from '../../paths.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelects } from '../../ui/filter-select.tsx';
import type { Option } from '../../ui/select.tsx';

/** The search parameters of the page; `since` and `until` are what is chosen in the histogram, `request` is an id to lead to. */
export interface RefusalsSearch extends SearchTexts<'workspace' | 'code' | 'model' | 'since' | 'until' | 'request'> {
  readonly status?: (typeof REFUSAL_STATUSES)[number] | undefined;
}

export const NO_REFUSAL_FILTER = {
  workspace: undefined,
  code: undefined,
  model: undefined,
  status: undefined,
  since: undefined,
  until: undefined,
} as const satisfies RefusalsSearch;

const STATUS_WORDS: Readonly<Record<(typeof REFUSAL_STATUSES)[number], string>> = {
  '4xx': '4xx: by the caller',
  '402': '402: for lack of money',
  '429': '429: above a rate limit',
  '5xx': '5xx: by this instance',
};

const STATUSES = REFUSAL_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value] }));

interface InstanceRefusalFiltersProps {
  readonly search: RefusalsSearch;
  readonly onChange: (changes: RefusalsSearch) => void;
}

/** Workspaces and models are those that have refusals, the ones with the most first. */
export function InstanceRefusalFilters({ search, onChange }: InstanceRefusalFiltersProps): ReactNode {
  const { data } = useQuery({ ...refusalCountsQuery({}), staleTime: 60_000 });
  const isFiltered = Object.keys(NO_REFUSAL_FILTER).some((name) => search[name as keyof RefusalsSearch] !== undefined);
  const counted = (value: string, name: string, requests: number): Option => ({
    value,
    label: `${name} (${formatCount(requests)})`,
  });
  const workspaces = withChosen(
    (data?.workspaces ?? []).map(({ id, name, requests }) => counted(id, name, requests)),
    search.workspace,
  );
  const models = withChosen(
    (data?.models ?? []).map(({ model: id, requests }) => counted(id, id, requests)),
    search.model,
  );
  return (
    <FilterBar label="Filter refusals" onClear={isFiltered ? () => onChange(NO_REFUSAL_FILTER) : null}>
      <FilterSelects
        search={search}
        onChange={onChange}
        filters={[
          { name: 'workspace', label: 'Workspace', all: 'All workspaces', className: 'max-w-56', options: workspaces },
          { name: 'model', label: 'Model', all: 'All models', className: 'max-w-56', options: models },
          { name: 'status', label: 'Status', all: 'All statuses', options: STATUSES },
        ]}
      />
    </FilterBar>
  );
}

/** What is chosen stays among the choices, also if nothing of it was refused. */
function withChosen(options: readonly Option[], chosen: string | undefined): readonly Option[] {
  if (chosen === undefined || options.some(({ value }) => value === chosen)) return options;
  return [{ value: chosen, label: chosen }, ...options];
}
