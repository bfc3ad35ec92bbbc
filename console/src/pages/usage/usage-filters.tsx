import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { usedNamesQuery } from '../../api/usage.ts';
import { workspaceQuery } from '../../api/workspaces.ts';
import { addDays, dayOf, formatMonth, startOf } from '../../format/day.ts';
import { Chip } from '../../ui/chip.tsx';
import { DateInput } from '../../ui/date-input.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { GROUPING_WORDS, MEASURE_WORDS } from './usage-groups.ts';
import {
  type AskedUsage,
  GROUPINGS,
  MEASURES,
  type Period,
  PERIODS,
  type UsageSearch,
  type UsageTime,
} from './usage-search.ts';

interface UsageFiltersProps {
  readonly workspace: string;
  readonly search: UsageSearch;
  readonly time: UsageTime;
  readonly asked: AskedUsage;
  readonly nowMs: number;
  /** The usage that was asked for is shown. */
  readonly shown: boolean;
  readonly onChange: (change: Partial<UsageSearch>) => void;
}

/** Which usage is shown, and how. */
export function UsageFilters(props: UsageFiltersProps): ReactNode {
  const { search, onChange, time } = props;
  const { measure = 'charge', by = 'model', compare, project, key, model } = search;
  const isFiltered = project !== undefined || key !== undefined || model !== undefined;
  return (
    <FilterBar
      label="Choose usage"
      onClear={isFiltered ? () => onChange({ project: undefined, key: undefined, model: undefined }) : null}
    >
      <TimeFilter {...props} />
      <NameFilter {...props} of="project" />
      <NameFilter {...props} of="key" />
      <NameFilter {...props} of="model" />
      <Select
        aria-label="Measure"
        value={measure}
        onChange={(value) => onChange({ measure: value === 'charge' ? undefined : value })}
        options={MEASURES.map((value) => ({ value, label: MEASURE_WORDS[value].label }))}
      />
      <Select
        aria-label="Group by"
        value={by}
        onChange={(value) => onChange({ by: value === 'model' ? undefined : value })}
        options={GROUPINGS.map((value) => ({
          value,
          label: `By ${GROUPING_WORDS[value].replace(/^[B-Z](?=[a-z])/, (first) => first.toLowerCase())}`,
        }))}
      />
      {time.mayBeHours && time.chosen !== '24h' && (
        <Select
          aria-label="Bars"
          value={time.bucket}
          onChange={(bucket) => onChange({ bucket })}
          options={[
            { value: 'day', label: 'Days' },
            { value: 'hour', label: 'Hours' },
          ]}
        />
      )}
      <Chip
        pressed={compare !== undefined}
        onPress={() => onChange({ compare: compare === undefined ? 'true' : undefined })}
      >
        Compare with the time before
      </Chip>
    </FilterBar>
  );
}

const PERIOD_WORDS: Readonly<Record<Period, string>> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
};
const MONTHS_MAX = 36;

/** Months from the present one back to that in which the workspace was made. */
function monthsSince(first: string, present: string): readonly string[] {
  const months = [present];
  while (months.length < MONTHS_MAX && (months.at(-1) ?? '') > first) {
    months.push(addDays(`${months.at(-1) ?? present}-01`, -1).slice(0, 7));
  }
  return months;
}

function TimeFilter({ workspace, search, time, nowMs, onChange }: UsageFiltersProps): ReactNode {
  const { data } = useQuery(workspaceQuery(workspace));
  const today = dayOf(new Date(nowMs));
  const first = dayOf(new Date(time.fromMs));
  const last = dayOf(new Date(time.toMs - 1));
  const months = monthsSince((search.month ?? data?.created_at ?? today).slice(0, 7), today.slice(0, 7));
  const change = (given: Pick<UsageSearch, 'period' | 'month' | 'from' | 'to'>): void =>
    onChange({ period: undefined, month: undefined, from: undefined, to: undefined, bucket: undefined, ...given });
  const setDays = (from: string, until: string): void => {
    if (from === '' || until === '') return;
    const [start, end] = from <= until ? [from, until] : [until, from];
    change({ from: startOf(start).toISOString(), to: startOf(addDays(end, 1)).toISOString() });
  };
  return (
    <>
      <Select
        aria-label="Time"
        value={time.chosen === 'month' ? (search.month ?? '') : time.chosen}
        onChange={(value) => {
          const period = PERIODS.find((each) => each === value);
          if (value === 'days') setDays(first, last);
          else if (period === undefined) change({ month: value });
          else change({ period: period === '30d' ? undefined : period });
        }}
        options={[
          ...PERIODS.map((value) => ({ value, label: PERIOD_WORDS[value] })),
          { value: 'days', label: 'From day to day' },
          ...months.map((value) => ({ value, label: formatMonth(value), group: 'Month' })),
        ]}
      />
      {time.chosen === 'days' && (
        <span className="flex flex-wrap items-center gap-2 text-control text-text-2">
          <DateInput aria-label="First day (UTC)" value={first} max={today} onChange={(day) => setDays(day, last)} />
          to
          <DateInput aria-label="Last day (UTC)" value={last} max={today} onChange={(day) => setDays(first, day)} />
        </span>
      )}
    </>
  );
}

/** For so long, what is chosen next comes first. */
const REST_MS = 1_000;
const ALL = { project: 'All projects', key: 'All keys', model: 'All models' } as const;

interface NameFilterProps extends UsageFiltersProps {
  readonly of: keyof typeof ALL;
}

/**
 * Of one project, key or model: those that were used in this time, the most expensive first. They are read when somebody is
 * about to choose, or once the page has rested, because they would delay what it shows.
 */
function NameFilter({ workspace, search, asked: { from, to }, shown, of, onChange }: NameFilterProps): ReactNode {
  const time = `${from} ${to ?? ''}`;
  const [chosenIn, setChosenIn] = useState<string | null>(null);
  const isResting = useSettled(shown ? time : null, REST_MS) === time;
  const { data = [] } = useQuery({
    ...usedNamesQuery(workspace, of, to === undefined ? { from } : { from, to }),
    enabled: isResting || chosenIn === time,
  });
  const prepare = (): void => setChosenIn(time);
  const chosen = search[of];
  const named = data.map(({ group, name }): Option => ({ value: group, label: name ?? group }));
  const isNamed = chosen === undefined || named.some(({ value }) => value === chosen);
  return (
    <Select
      aria-label={GROUPING_WORDS[of]}
      className="max-w-44"
      value={chosen ?? ''}
      onFocus={prepare}
      onPointerEnter={prepare}
      onChange={(value) => onChange({ [of]: value === '' ? undefined : value })}
      options={[{ value: '', label: ALL[of] }, ...(isNamed ? [] : [{ value: chosen, label: chosen }]), ...named]}
    />
  );
}
