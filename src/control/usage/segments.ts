import type { Grain } from './bucket-tables.ts';

// A stretch of time, cut into buckets of the longest kinds that fit: hours at its ends, days within, months within those.

/** From `fromMs`, included, to `toMs`, excluded; both at whole hours. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Segment extends Stretch {
  readonly grain: Grain;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const monthOf = (timeMs: number, months: number): number => {
  const time = new Date(timeMs);
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months);
};

/** The last start of a bucket at or before a time, and the first at or after it; all in UTC. */
const CUTS: Readonly<Record<Grain, (timeMs: number) => { readonly before: number; readonly after: number }>> = {
  hour: (timeMs) => cutEvery(HOUR_MS, timeMs),
  day: (timeMs) => cutEvery(DAY_MS, timeMs),
  month: (timeMs) => {
    const before = monthOf(timeMs, 0);
    return { before, after: before === timeMs ? before : monthOf(timeMs, 1) };
  },
};

function cutEvery(lengthMs: number, timeMs: number): { readonly before: number; readonly after: number } {
  return { before: Math.floor(timeMs / lengthMs) * lengthMs, after: Math.ceil(timeMs / lengthMs) * lengthMs };
}

/** The start of the bucket that a time is in. */
export function bucketStart(grain: Grain, timeMs: number): number {
  return CUTS[grain](timeMs).before;
}

/** The end of the bucket that a time is in. */
export function bucketEnd(grain: Grain, timeMs: number): number {
  return CUTS[grain](timeMs + 1).after;
}

/** The segments of a stretch, in no order, each of the longest of these grains that fits; hours are always among them. */
export function segmentsOf({ fromMs, toMs }: Stretch, grains: readonly Exclude<Grain, 'hour'>[]): readonly Segment[] {
  if (fromMs >= toMs) return [];
  const longest = grains.includes('month') ? 'month' : grains.includes('day') ? 'day' : 'hour';
  const rest = grains.filter((grain) => grain !== longest);
  const { after } = CUTS[longest](fromMs);
  const { before } = CUTS[longest](toMs);
  if (longest === 'hour') return [{ grain: 'hour', fromMs, toMs }];
  if (after >= before) return segmentsOf({ fromMs, toMs }, rest);
  return [
    { grain: longest, fromMs: after, toMs: before },
    ...segmentsOf({ fromMs, toMs: after }, rest),
    ...segmentsOf({ fromMs: before, toMs }, rest),
  ];
}
