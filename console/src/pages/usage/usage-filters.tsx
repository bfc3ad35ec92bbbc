import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PERIODS } from '../../api/usage.ts';
import { workspaceQuery } from '../../api/workspaces.ts';
import { NameFilter } from '../../components/name-filter.tsx';
import { DayRangeInput, daysOf, TIME_OPTIONS } from '../../components/time-choice.tsx';
import { addDays, dayOf, formatMonth } from '../../format/day.ts';
import { seesOwnAlone, useMe } from '../../session/access.ts';
import { Chip } from '../../ui/chip.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Select } from '../../ui/select.tsx';
import { GROUPING_WORDS, inSentence, MEASURE_WORDS } from './usage-groups.ts';
import {
  type AskedUsage,
  groupingsIn,
  MEASURES,
  secondGroupings,
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
  const { workspace, search, asked, shown, onChange, time } = props;
  const { measure = 'charge', compare, project, key, model } = search;
  const { group_by: by, and_by: second } = asked;
  const isFiltered = project !== undefined || key !== undefined || model !== undefined;
  return (
    <FilterBar
      label="Choose usage"
      onClear={isFiltered ? () => onChange({ project: undefined, key: undefined, model: undefined }) : null}
    >
      <TimeFilter {...props} />
      {(['project', 'key', 'model'] as const).map((of) => (
        <NameFilter
          key={of}
          workspace={workspace}
          of={of}
          time={asked}
          shown={shown}
          chosen={search[of]}
          onChange={(chosen) => onChange({ [of]: chosen })}
        />
      ))}
      <Select
        aria-label="Measure"
        value={measure}
        onChange={(value) => onChange({ measure: value === 'charge' ? undefined : value })}
        options={MEASURES.map((value) => ({ value, label: MEASURE_WORDS[value].label }))}
      />
      <Select
        aria-label="Group by"
        value={by}
        onChange={(value) => onChange({ by: value === 'model' ? undefined : value, and: undefined })}
        options={groupingsIn(time).map((value) => ({ value, label: `By ${inSentence(GROUPING_WORDS[value])}` }))}
      />
      {secondGroupings(by).length > 0 && (
        <Select
          aria-label="And by"
          value={second ?? ''}
          onChange={(value) => onChange({ and: value === '' ? undefined : value })}
          options={[
            { value: '' as const, label: 'and by …' },
            ...secondGroupings(by).map((value) => ({ value, label: `and ${inSentence(GROUPING_WORDS[value])}` })),
          ]}
        />
      )}
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
        Compare with the previous period
      </Chip>
    </FilterBar>
  );
}

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
  const isOwnAlone = seesOwnAlone(useMe(), workspace);
  const { data } = useQuery({ ...workspaceQuery(workspace), enabled: !isOwnAlone });
  const today = dayOf(new Date(nowMs));
  const months = monthsSince((search.month ?? data?.created_at ?? today).slice(0, 7), today.slice(0, 7));
  const change = (given: Pick<UsageSearch, 'period' | 'month' | 'from' | 'to'>): void =>
    onChange({ period: undefined, month: undefined, from: undefined, to: undefined, bucket: undefined, ...given });
  return (
    <>
      <Select
        aria-label="Time"
        value={time.chosen === 'month' ? (search.month ?? '') : time.chosen}
        onChange={(value) => {
          const period = PERIODS.find((each) => each === value);
          if (value === 'days') change(daysOf(time));
          else if (period === undefined) change({ month: value });
          else change({ period: period === '30d' ? undefined : period });
        }}
        options={[...TIME_OPTIONS, ...months.map((value) => ({ value, label: formatMonth(value), group: 'Month' }))]}
      />
      {time.chosen === 'days' && <DayRangeInput shown={time} max={today} onChange={change} />}
    </>
  );
}
