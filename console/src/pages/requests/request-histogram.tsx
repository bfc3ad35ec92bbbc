import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { UsageJson } from '../../../../src/control/admin/usage/usage-contract.ts';
import { usageQuery } from '../../api/usage.ts';
import { Histogram } from '../../charts/histogram.tsx';
import { OUTCOME_SERIES } from '../../components/outcome-word.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { type TimeSlot, timeSlots } from '../../components/time-slots.ts';
import { formatCount } from '../../format/count.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useHour } from '../../ui/use-hour.ts';
import { chosenSlots, slotEnd, type TimeWindow } from './request-search.ts';
import type { useRequestSearch } from './use-request-search.ts';

interface RequestHistogramProps {
  readonly place: ReturnType<typeof useRequestSearch>;
  readonly time: TimeWindow;
}

/** How many requests each hour or day had, by outcome. A part of it that is chosen is what the list shows. */
export function RequestHistogram({ place, time }: RequestHistogramProps): ReactNode {
  const { workspace, search, change } = place;
  const { outcome, model, key, project, dialect, min_charge: charge } = search;
  const { data, error, refetch } = useQuery(
    usageQuery(workspace, {
      outcome,
      model,
      key,
      project,
      dialect,
      group_by: 'outcome',
      bucket: time.bucket,
      from: new Date(time.fromMs).toISOString(),
      to: new Date(time.toMs).toISOString(),
    }),
  );
  const nowMs = useHour();
  const slots = useMemo(() => timeSlots(time, nowMs), [time, nowMs]);
  const bars = useMemo(() => barsOf(data?.usage, slots), [data, slots]);
  if (data === undefined && error !== null) return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  // Without bars nothing is to be read or chosen; the list says why it is empty.
  if (data !== undefined && bars.every(({ values }) => Object.keys(values).length === 0)) return null;
  const unit = time.bucket === 'hour' ? 'hour' : 'day';
  return (
    <div className="mb-4 min-h-[7.75rem]">
      {data === undefined ? (
        <Skeleton className="mt-2 w-64" />
      ) : (
        <Histogram
          label={`Requests by ${unit}${charge === undefined ? '' : ', of any cost'}`}
          barHeader={`${unit === 'hour' ? 'Hour' : 'Day'} (UTC)`}
          bars={bars}
          series={OUTCOME_SERIES}
          format={formatCount}
          selected={chosenSlots(search, slots, time)}
          onSelect={(range) =>
            change(
              range === null
                ? { since: undefined, until: undefined }
                : { since: range.from, until: slotEnd(range.to, time) },
            )
          }
        />
      )}
    </div>
  );
}

function barsOf(usage: UsageJson | undefined, slots: readonly TimeSlot[]) {
  const counts = new Map<string, Record<string, bigint>>();
  for (const { group, points } of usage?.groups ?? []) {
    for (const { starts_at: at, sums } of points) {
      const id = new Date(at).toISOString();
      counts.set(id, { ...counts.get(id), [group]: BigInt(sums.requests) });
    }
  }
  return slots.map((slot) => ({ ...slot, values: counts.get(slot.id) ?? {} }));
}
