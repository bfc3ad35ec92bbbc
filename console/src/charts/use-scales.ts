import { scaleBand, scaleLinear } from 'd3-scale';
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

/** A band for each bar, and a linear axis from zero to a round number above the largest. */
export function scalesOf(
  bars: readonly Bar[],
  series: readonly Series[],
  previous: readonly (Amount | null)[] | undefined,
  plot: Plot,
): Scales {
  const totals = bars.map((bar) => Number(totalOf(bar, series) ?? 0n));
  const before = (previous ?? []).map((value) => Number(value ?? 0));
  const largest = Math.max(1, ...totals, ...before);
  const y = scaleLinear([0, largest], [plot.bottom, plot.top]).nice(TICKS);
  const x = scaleBand(
    bars.map(({ id }) => id),
    [plot.left, Math.max(plot.left, plot.right)],
  )
    .paddingInner(0.25)
    .paddingOuter(0.15);
  const barWidth = Math.min(BAR_WIDTH_MAX, x.bandwidth());
  const center = (bar: string): number => (x(bar) ?? plot.left) + x.bandwidth() / 2;
  const ticks = y.ticks(TICKS).filter((tick) => Number.isInteger(tick));
  return { left: (bar) => center(bar) - barWidth / 2, barWidth, step: x.step(), center, y, ticks };
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
