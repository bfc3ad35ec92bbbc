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

/** Fewer bars than this are few anyway. */
const MANY_BARS = 7;

/** The one of many bars in which there is anything; null if it is in more, in none, or there are few bars. */
export function loneBar(bars: readonly Bar[], series: readonly Series[]): Bar | null {
  if (bars.length < MANY_BARS) return null;
  const [one, other] = bars.filter((bar) => segmentsOf(bar, series).length > 0);
  return other === undefined ? (one ?? null) : null;
}

/** A bar's label in a sentence: "on 14 Nov", "at 13:00 on 14 Nov". */
export function whenOf(label: string): string {
  const [day = '', time] = label.split(', ', 2);
  return time === undefined ? `on ${day}` : `at ${time} on ${day}`;
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

const TIMES_OF_DAY = [1, 2, 3, 4, 6, 8, 12, 24] as const;

/**
 * What is written below each bar, so that none overlap; undefined below the others. Of days it is every so many, counted from
 * the last. Of hours ("3 Nov, 14:00") it is those that divide a day evenly: a midnight is named by its day, others by their time.
 */
export function axisLabels(
  bars: readonly Pick<Bar, 'label'>[],
  width: number,
  labelWidth: number,
): readonly (string | undefined)[] {
  const least = Math.max(1, Math.ceil((bars.length * labelWidth) / Math.max(1, width)));
  const hours = bars.map(({ label }) => /^(.+), (\d\d):00$/.exec(label));
  if (!hours.every((hour) => hour !== null)) {
    return bars.map(({ label }, index) => ((bars.length - 1 - index) % least === 0 ? label : undefined));
  }
  const step = TIMES_OF_DAY.find((count) => count >= least) ?? Math.ceil(least / 24) * 24;
  const midnights = hours.flatMap(([, , time], index) => (time === '00' ? [index] : []));
  const first = midnights[0] ?? -Number(hours[0]?.[2] ?? 0);
  const shown = hours.map(([, day, time], index) => {
    if ((index - first) % step !== 0) return undefined;
    return time === '00' ? day : `${time}:00`;
  });
  if (midnights.length > 0) return shown;
  // Some bar says which day it is.
  const named = shown.findIndex((label) => label !== undefined);
  return shown.map((label, index) => (index === Math.max(0, named) ? bars[index]?.label : label));
}
