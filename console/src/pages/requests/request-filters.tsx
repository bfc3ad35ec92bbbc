import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { UsageQueryInput } from '../../../../src/admin/usage-contract.ts';
import { DIALECTS, type Dialect, OUTCOMES, type Outcome } from '../../../../src/domain/receipt.ts';
import { usageQuery } from '../../api/usage.ts';
import { addDays, dayOf, startOf } from '../../format/day.ts';
import { readMoney } from '../../format/money-entry.ts';
import { DateInput } from '../../ui/date-input.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { MoneyInput } from '../../ui/money-input.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import { RANGES, type RangeName, type RequestSearch, type TimeWindow } from './request-search.ts';
import { REFUSAL_WORDS } from './refusal-words.ts';
import type { useRequestSearch } from './use-request-search.ts';

type Place = ReturnType<typeof useRequestSearch>;

interface RequestFiltersProps {
  readonly place: Place;
  readonly time: TimeWindow;
}

const RANGE_WORDS: Readonly<Record<RangeName, string>> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
};
const DIALECT_WORDS: Readonly<Record<Dialect, string>> = {
  chat_completions: 'Chat completions',
  embeddings: 'Embeddings',
  messages: 'Messages',
  responses: 'Responses',
};
const REASONS: readonly Option[] = Object.entries(REFUSAL_WORDS).map(([value, { short }]) => ({ value, label: short }));
const NAMED_MAX = 200;
const NO_FILTER = {
  outcome: undefined,
  model: undefined,
  key: undefined,
  project: undefined,
  dialect: undefined,
  min_charge: undefined,
  code: undefined,
  since: undefined,
  until: undefined,
} as const satisfies RequestSearch;

const all = (label: string): Option => ({ value: '', label });

/** What served requests are chosen by. */
export function ServedFilters({ place, time }: RequestFiltersProps): ReactNode {
  const { search, change } = place;
  return (
    <FilterBar label="Filter requests" onClear={clearing(place)}>
      <TimeFilter place={place} time={time} />
      <Select
        aria-label="Outcome"
        value={search.outcome ?? ''}
        onChange={(value) => change({ outcome: value === '' ? undefined : (value as Outcome) })}
        options={[all('All outcomes'), ...OUTCOMES.map((value) => ({ value, label: value }))]}
      />
      <NameFilters place={place} time={time} />
      <Select
        aria-label="API"
        value={search.dialect ?? ''}
        onChange={(value) => change({ dialect: value === '' ? undefined : (value as Dialect) })}
        options={[all('All APIs'), ...DIALECTS.map((value) => ({ value, label: DIALECT_WORDS[value] }))]}
      />
      <ChargeFilter key={search.min_charge ?? ''} place={place} />
    </FilterBar>
  );
}

/** What refused requests are chosen by. They are kept for a day, so there is no time to choose. */
export function RefusedFilters({ place, time }: RequestFiltersProps): ReactNode {
  const { search, change } = place;
  return (
    <FilterBar label="Filter refused requests" onClear={clearing(place)}>
      <Select
        aria-label="Reason"
        value={search.code ?? ''}
        onChange={(value) => change({ code: value === '' ? undefined : value })}
        options={[all('All reasons'), ...REASONS]}
      />
      <NameFilters place={place} time={time} />
    </FilterBar>
  );
}

function clearing({ search, change }: Place): (() => void) | null {
  const isFiltered = Object.keys(NO_FILTER).some((name) => search[name as keyof typeof NO_FILTER] !== undefined);
  return isFiltered ? () => change(NO_FILTER) : null;
}

function TimeFilter({ place: { change }, time }: RequestFiltersProps): ReactNode {
  const first = dayOf(new Date(time.fromMs));
  const last = dayOf(new Date(time.toMs - 1));
  const setDays = (from: string, until: string): void => {
    if (from === '' || until === '') return;
    const [start, end] = from <= until ? [from, until] : [until, from];
    change({
      range: undefined,
      since: undefined,
      until: undefined,
      from: startOf(start).toISOString(),
      to: startOf(addDays(end, 1)).toISOString(),
    });
  };
  return (
    <>
      <Select
        aria-label="Time"
        value={time.range ?? 'days'}
        onChange={(value) =>
          value === 'days'
            ? setDays(first, last)
            : change({ range: value, from: undefined, to: undefined, since: undefined, until: undefined })
        }
        options={[
          ...RANGES.map((value) => ({ value, label: RANGE_WORDS[value] })),
          { value: 'days' as const, label: 'From day to day' },
        ]}
      />
      {time.range === null && (
        <span className="flex flex-wrap items-center gap-2 text-control text-text-2">
          <DateInput aria-label="First day (UTC)" value={first} onChange={(day) => setDays(day, last)} />
          to
          <DateInput aria-label="Last day (UTC)" value={last} onChange={(day) => setDays(first, day)} />
        </span>
      )}
    </>
  );
}

/** Model, key and project: those that were used in this time, the most expensive first. */
function NameFilters({ place, time }: RequestFiltersProps): ReactNode {
  const { search, change } = place;
  const models = useNames(place, time, 'model');
  const keys = useNames(place, time, 'key');
  const projects = useNames(place, time, 'project');
  return (
    <>
      <Select
        aria-label="Model"
        className="max-w-40"
        value={search.model ?? ''}
        onChange={(value) => change({ model: value === '' ? undefined : value })}
        options={[all('All models'), ...withChosen(models, search.model)]}
      />
      <Select
        aria-label="Key"
        className="max-w-40"
        value={search.key ?? ''}
        onChange={(value) => change({ key: value === '' ? undefined : value })}
        options={[all('All keys'), ...withChosen(keys, search.key)]}
      />
      <Select
        aria-label="Project"
        className="max-w-40"
        value={search.project ?? ''}
        onChange={(value) => change({ project: value === '' ? undefined : value })}
        options={[all('All projects'), ...withChosen(projects, search.project)]}
      />
    </>
  );
}

function useNames(
  { workspace }: Place,
  { fromMs, toMs, isOpen }: TimeWindow,
  group: NonNullable<UsageQueryInput['group_by']>,
): readonly Option[] {
  const query = {
    group_by: group,
    limit: NAMED_MAX,
    from: new Date(fromMs).toISOString(),
    ...(isOpen ? {} : { to: new Date(toMs).toISOString() }),
  };
  const { data } = useQuery({ ...usageQuery(workspace, query), staleTime: 300_000 });
  return (data?.usage.groups ?? []).map(({ group: value, name }) => ({ value, label: name ?? value }));
}

/** What is chosen stays among the choices, also if it was not used in this time. */
function withChosen(options: readonly Option[], chosen: string | undefined): readonly Option[] {
  if (chosen === undefined || options.some(({ value }) => value === chosen)) return options;
  return [{ value: chosen, label: chosen }, ...options];
}

/** Only what cost as much or more: it takes effect by Enter, or when the field is left. */
function ChargeFilter({ place: { search, change } }: Pick<RequestFiltersProps, 'place'>): ReactNode {
  const [typed, setTyped] = useState(search.min_charge ?? '');
  const apply = (text: string): void => {
    const entry = readMoney(text);
    const charge = text.trim() === '' ? undefined : entry.ok ? entry.usd : search.min_charge;
    if (charge !== search.min_charge) change({ min_charge: charge });
  };
  return (
    <MoneyInput
      aria-label="Cost above, in USD"
      className="w-36"
      placeholder="Cost above"
      mayBeEmpty
      value={typed}
      onChange={setTyped}
      onBlur={() => apply(typed)}
      onKeyDown={(event) => event.key === 'Enter' && apply(typed)}
    />
  );
}
