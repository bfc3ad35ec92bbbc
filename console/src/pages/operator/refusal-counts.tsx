import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { RefusalCountsJson } from '../../../../src/control/admin/requests/refusal-contract.ts';
import { Histogram } from '../../charts/histogram.tsx';
import { colorsOf, OTHER, type Series } from '../../charts/series.ts';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { type TimeSlot, timeSlots } from '../../components/time-slots.ts';
import { formatCount } from '../../format/count.ts';
import { Chip } from '../../ui/chip.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { useHour } from '../../ui/use-hour.ts';
import { REFUSAL_WORDS } from '../requests/refusal-words.ts';
import { chosenSlots, slotEnd, type TimeWindow } from '../requests/request-search.ts';
import type { RefusalsSearch } from './refusal-filters.tsx';

interface RefusalCountsProps {
  readonly counts: UseQueryResult<RefusalCountsJson>;
  readonly search: RefusalsSearch;
  readonly time: TimeWindow;
  readonly onChange: (changes: RefusalsSearch) => void;
}

/** As many codes have a colour of their own. */
const SERIES_MAX = 7;

/** How many requests were refused each hour, by code. A press on a code, or a drag over hours, filters the list. */
export function RefusalCounts({ counts, search, time, onChange }: RefusalCountsProps): ReactNode {
  const { data, error, refetch } = counts;
  const codes = useMemo(() => codesOf(data), [data]);
  const series = useMemo(() => seriesOf(codes, search.code), [codes, search.code]);
  const nowMs = useHour();
  const slots = useMemo(() => timeSlots(time, nowMs), [time, nowMs]);
  const bars = useMemo(() => barsOf(data, series, slots), [data, series, slots]);
  if (data === undefined && error !== null) return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <div className="min-h-42" aria-busy="true">
        <Skeleton className="mt-2 w-64" />
      </div>
    );
  if (codes.length === 0) return null;
  const colors = colorsOf(seriesOf(codes, undefined));
  return (
    <div className="mb-4">
      <fieldset aria-label="Reasons" className="mb-3 flex flex-wrap gap-2">
        {codes.map(({ code, requests }) => (
          <Chip
            key={code}
            pressed={search.code === code}
            onPress={() => onChange({ code: search.code === code ? undefined : code })}
          >
            <span
              aria-hidden="true"
              className="size-2 shrink-0 rounded-[2px]"
              style={{ backgroundColor: colors.get(code) ?? 'var(--series-other)' }}
            />
            {REFUSAL_WORDS[code].short}
            <span className="tabular text-text-3">{formatCount(requests)}</span>
          </Chip>
        ))}
      </fieldset>
      <Histogram
        label="Refusals by hour"
        barHeader="Hour (UTC)"
        bars={bars}
        series={series}
        format={formatCount}
        selected={chosenSlots(search, slots, time)}
        onSelect={(range) =>
          onChange(
            range === null
              ? { since: undefined, until: undefined }
              : { since: range.from, until: slotEnd(range.to, time) },
          )
        }
      />
      {data.counted_from !== null && (
        <p className="text-meta text-text-3">
          Only the newest are counted, from <Timestamp at={data.counted_from} /> on.
        </p>
      )}
    </div>
  );
}

type Code = RefusalCountsJson['data'][number]['code'];

interface CountedCode {
  readonly code: Code;
  readonly requests: number;
}

/** The codes, the ones with the most first. */
function codesOf(counts: RefusalCountsJson | undefined): readonly CountedCode[] {
  const byCode = Map.groupBy(counts?.data ?? [], ({ code }) => code);
  return [...byCode]
    .map(([code, hours]) => ({ code, requests: hours.reduce((sum, { requests }) => sum + requests, 0) }))
    .toSorted((one, other) => other.requests - one.requests);
}

function seriesOf(codes: readonly CountedCode[], chosen: string | undefined): readonly Series[] {
  const shown = codes.slice(0, SERIES_MAX).map(({ code }) => ({ id: code, label: REFUSAL_WORDS[code].short }));
  const all = codes.length > SERIES_MAX ? [...shown, { id: OTHER, label: 'others' }] : shown;
  return chosen === undefined ? all : all.filter(({ id }) => id === chosen);
}

function barsOf(counts: RefusalCountsJson | undefined, series: readonly Series[], slots: readonly TimeSlot[]) {
  const known = new Set(series.map(({ id }) => id));
  const values = new Map<string, Record<string, bigint>>();
  for (const { hour, code, requests } of counts?.data ?? []) {
    const id = new Date(hour).toISOString();
    const of = known.has(code) ? code : OTHER;
    const former = values.get(id) ?? {};
    values.set(id, { ...former, [of]: (former[of] ?? 0n) + BigInt(requests) });
  }
  return slots.map((slot) => ({ ...slot, values: values.get(slot.id) ?? {} }));
}
