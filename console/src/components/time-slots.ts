import type { Period } from '../api/usage.ts';
import { addDays, addMonths, dayOf, formatDay, monthOf, MS_PER_DAY, startOf, type UtcDay } from '../format/day.ts';

/** The stretch of time of a bar, before anything is counted. */
export interface TimeSlot {
  /** When it begins. */
  readonly id: string;
  readonly label: string;
  /** It is not over. */
  readonly unfinished: boolean;
}

/** A stretch of time of UTC that begins and ends with whole buckets. */
export interface BucketedTime {
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucket: 'hour' | 'day';
}

const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;

const MS_OF = { hour: 3_600_000, day: MS_PER_DAY } as const;

export const bucketMs = (bucket: 'hour' | 'day'): number => MS_OF[bucket];

/** The whole days of UTC that a period is, from the first moment on; of one that ends now, the present day is the last. */
export function daysOfPeriod(
  period: Exclude<Period, '24h'>,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const today = dayOf(new Date(nowMs));
  const month = monthOf(new Date(nowMs));
  const between = (from: UtcDay, to: UtcDay) => ({ fromMs: startOf(from).getTime(), toMs: startOf(to).getTime() });
  const tomorrow = addDays(today, 1);
  if (period === 'today') return between(today, tomorrow);
  if (period === 'yesterday') return between(addDays(today, -1), today);
  if (period === 'former-month') return between(`${addMonths(month, -1)}-01`, `${month}-01`);
  return between(addDays(tomorrow, -DAYS[period]), tomorrow);
}

/** A bar for each hour or day. */
export function timeSlots({ fromMs, toMs, bucket }: BucketedTime, nowMs: number): readonly TimeSlot[] {
  const step = bucketMs(bucket);
  return Array.from({ length: Math.round((toMs - fromMs) / step) }, (_, index) => {
    const start = new Date(fromMs + index * step);
    const day = formatDay(dayOf(start));
    return {
      id: start.toISOString(),
      label: bucket === 'day' ? day : `${day}, ${start.toISOString().slice(11, 16)}`,
      unfinished: start.getTime() <= nowMs && nowMs < start.getTime() + step,
    };
  });
}

/** The moment that a text names; null if it names none. */
export function momentOf(text: string | undefined): number | null {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
