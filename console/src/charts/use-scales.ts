import { useMemo } from 'react';
import type { Amount } from '../format/money.ts';
import type { Series } from './series.ts';
import { type Bar, totalOf } from './stack.ts';

/** Where a chart draws, in pixels. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Scales {
  /** The left edge of a bar, its width, and its middle. */
  readonly left: (bar: string) => number;
  readonly barWidth: number;
  /** The width of a bar and the space around it. */
  readonly step: number;
  readonly center: (bar: string) => number;
  /** The height of a value on the screen. */
  readonly y: (value: number) => number;
  readonly ticks: readonly number[];
}

/** What a chart draws, and where. */
export interface Drawing {
  readonly bars: readonly Bar[];
  readonly series: readonly Series[];
  readonly colors: ReadonlyMap<string, string>;
  readonly scales: Scales;
  readonly plot: Plot;
}

const TICKS = 4;
const BAR_WIDTH_MAX = 48;
/** The space between two bars, and outside the first and the last, as parts of a step. */
const PADDING_INNER = 0.25;
const PADDING_OUTER = 0.15;

const FACTORS = [
  [10, Math.sqrt(50)],
  [5, Math.sqrt(10)],
  [2, Math.sqrt(2)],
] as const;

/** A whole number that is 1, 2 or 5 times a power of ten, and divides the range into about as many parts as there are ticks. */
function tickStep(range: number): number {
  const step = range / TICKS;
  const power = 10 ** Math.floor(Math.log10(step));
  const ratio = step / power;
  // The nearest factor by proportion: the bounds between two are the roots of their products.
  const [factor] = FACTORS.find(([, least]) => ratio >= least) ?? [1];
  return Math.max(1, factor * power);
}

/** The end of an axis from zero that is a multiple of its ticks' distance, and this distance. */
function axisFor(largest: number): { readonly end: number; readonly step: number } {
  let end = largest;
  let step = 0;
  for (let next = tickStep(end); next !== step; next = tickStep(end)) {
    step = next;
    end = Math.ceil(end / step) * step;
  }
  return { end, step };
}

/** A band for each bar, and a linear axis from zero to a round number above the largest. */
export function scalesOf(
  bars: readonly Bar[],
  series: readonly Series[],
  previous: readonly (Amount | null)[] | undefined,
  plot: Plot,
): Scales {
  const totals = bars.map((bar) => Number(totalOf(bar, series) ?? 0n));
  const before = (previous ?? []).map((value) => Number(value ?? 0));
  const largest = Math.max(0, ...totals, ...before);
  const axis = axisFor(Math.max(1, largest));
  const width = Math.max(0, plot.right - plot.left);
  const bands = bars.length - PADDING_INNER;
  const step = width / Math.max(1, bands + PADDING_OUTER * 2);
  const band = step * (1 - PADDING_INNER);
  const first = plot.left + (width - step * bands) / 2;
  const barWidth = Math.min(BAR_WIDTH_MAX, band);
  const places = new Map(bars.map(({ id }, index) => [id, first + step * index]));
  const center = (bar: string): number => (places.get(bar) ?? plot.left) + band / 2;
  return {
    left: (bar) => center(bar) - barWidth / 2,
    barWidth,
    step,
    center,
    y: (value) => plot.bottom + (value / axis.end) * (plot.top - plot.bottom),
    // Without any value the axis has no unit: only its zero is named.
    ticks: Array.from({ length: largest === 0 ? 1 : axis.end / axis.step + 1 }, (_, index) => index * axis.step),
  };
}

export function useScales(
  bars: readonly Bar[],
  series: readonly Series[],
  previous: readonly (Amount | null)[] | undefined,
  { left, right, top, bottom }: Plot,
): Scales {
  return useMemo(
    () => scalesOf(bars, series, previous, { left, right, top, bottom }),
    [bars, series, previous, left, right, top, bottom],
  );
}
