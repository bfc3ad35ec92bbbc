import type { Amount } from '../format/money.ts';
import type { Series } from './series.ts';

/** One bar: what its series add up to, or nothing known, which is a gap. */
export interface Bar {
  readonly id: string;
  /** Below the axis: "14 Nov". */
  readonly label: string;
  /** Whole numbers by the series' id; an absent one is zero. Null: not known. */
  readonly values: Readonly<Record<string, Amount>> | null;
  /** It still grows, as today does. */
  readonly unfinished?: boolean | undefined;
}

export interface Segment {
  readonly series: string;
  readonly value: bigint;
  /** From where to where it reaches, in the unit of the values. */
  readonly from: number;
  readonly to: number;
}

export function valueOf(bar: Bar, series: string): bigint {
  return BigInt(bar.values?.[series] ?? 0n);
}

export function totalOf(bar: Bar, series: readonly Series[]): bigint | null {
  if (bar.values === null) return null;
  return series.reduce((sum, { id }) => sum + valueOf(bar, id), 0n);
}

/** The segments of a bar from the baseline upwards. A float is a place on the screen here, never an amount. */
export function segmentsOf(bar: Bar, series: readonly Series[]): readonly Segment[] {
  let sum = 0n;
  return series.flatMap(({ id }) => {
    const value = valueOf(bar, id);
    if (value <= 0n) return [];
    const from = Number(sum);
    sum += value;
    return [{ series: id, value, from, to: Number(sum) }];
  });
}

/** Moves places that are sorted and too close apart, at least `gap` each, and keeps them between 0 and `end` if it can. */
export function spread(places: readonly number[], gap: number, end: number): readonly number[] {
  const moved: number[] = [];
  for (const place of places) moved.push(Math.max(place, (moved.at(-1) ?? -Infinity) + gap));
  for (let index = moved.length - 1; index >= 0; index -= 1) {
    const below = moved[index + 1];
    moved[index] = Math.min(moved[index] ?? 0, below === undefined ? end : below - gap);
  }
  return moved;
}

/**
 * What is written below each bar: the labels of every so many, counted from the last, so that none overlap; undefined below the
 * others. A day that the next one has as well ("3 Nov, 14:00") is left out.
 */
export function axisLabels(
  bars: readonly Pick<Bar, 'label'>[],
  width: number,
  labelWidth: number,
): readonly (string | undefined)[] {
  const step = Math.max(1, Math.ceil((bars.length * labelWidth) / Math.max(1, width)));
  return bars.map(({ label }, index) => {
    if ((bars.length - 1 - index) % step !== 0) return undefined;
    const [day = '', time] = label.split(', ', 2);
    return time !== undefined && bars[index + step]?.label.startsWith(`${day}, `) === true ? time : label;
  });
}
