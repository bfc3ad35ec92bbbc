import { dayOf, formatDay, MS_PER_DAY } from '../format/day.ts';

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

const MS_OF = { hour: 3_600_000, day: MS_PER_DAY } as const;

export const bucketMs = (bucket: 'hour' | 'day'): number => MS_OF[bucket];

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
