import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { REFUSAL_STATUSES } from '../../api/choices.ts';
import { refusalCountsQuery } from '../../api/requests.ts';
import { formatCount } from '../../format/count.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import type { Option } from '../../ui/select.tsx';

/** The search parameters of the page. */
export interface RefusalsSearch {
  readonly workspace?: string | undefined;
  readonly code?: string | undefined;
  readonly model?: string | undefined;
  readonly status?: (typeof REFUSAL_STATUSES)[number] | undefined;
  /** What is chosen in the histogram. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
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

interface InstanceRefusalFiltersProps {
  readonly search: RefusalsSearch;
  readonly onChange: (changes: RefusalsSearch) => void;
}

/** Workspaces and models are those that have refusals, the ones with the most first. */
export function InstanceRefusalFilters({ search, onChange }: InstanceRefusalFiltersProps): ReactNode {
  const { data } = useQuery({ ...refusalCountsQuery({}), staleTime: 60_000 });
  const { workspace, model, status } = search;
  const isFiltered = Object.keys(NO_REFUSAL_FILTER).some((name) => search[name as keyof RefusalsSearch] !== undefined);
  const counted = (value: string, name: string, requests: number): Option => ({
    value,
    label: `${name} (${formatCount(requests)})`,
  });
  const workspaces = (data?.workspaces ?? []).map(({ id, name, requests }) => counted(id, name, requests));
  const models = (data?.models ?? []).map(({ model: id, requests }) => counted(id, id, requests));
  return (
    <FilterBar label="Filter refusals" onClear={isFiltered ? () => onChange(NO_REFUSAL_FILTER) : null}>
      <FilterSelect
        label="Workspace"
        all="All workspaces"
        className="max-w-56"
        value={workspace}
        onChange={(value) => onChange({ workspace: value })}
        options={withChosen(workspaces, workspace)}
      />
      <FilterSelect
        label="Model"
        all="All models"
        className="max-w-56"
        value={model}
        onChange={(value) => onChange({ model: value })}
        options={withChosen(models, model)}
      />
      <FilterSelect
        label="Status"
        all="All statuses"
        value={status}
        onChange={(value) => onChange({ status: value })}
        options={REFUSAL_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value] }))}
      />
    </FilterBar>
  );
}

/** What is chosen stays among the choices, also if nothing of it was refused. */
function withChosen(options: readonly Option[], chosen: string | undefined): readonly Option[] {
  if (chosen === undefined || options.some(({ value }) => value === chosen)) return options;
  return [{ value: chosen, label: chosen }, ...options];
}
