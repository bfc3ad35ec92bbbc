import { type ReactNode, useId, useMemo, useState } from 'react';
import type { Amount } from '../format/money.ts';
import { BarColumns } from './bar-columns.tsx';
import { BarReadOut, readBar } from './bar-read-out.tsx';
import { BarSlider } from './bar-slider.tsx';
import { tableOfBars } from './bar-table.ts';
import { ChartFrame } from './chart-frame.tsx';
import { DirectLabels, labelsWidth } from './direct-labels.tsx';
import { PreviousLine } from './previous-line.tsx';
import { colorsOf, type Series } from './series.ts';
import { type Bar, loneBar, whenOf } from './stack.ts';
import { useScales } from './use-scales.ts';
import { useWidth } from './use-width.ts';
import { ValueAxis } from './value-axis.tsx';

interface StackedBarsProps {
  readonly label: string;
  readonly lead?: ReactNode;
  /** From the oldest on. */
  readonly bars: readonly Bar[];
  /** From the baseline upwards, the largest first; `OTHER` last. */
  readonly series: readonly Series[];
  /** Totals of the bars one period before, by position; null is a gap. */
  readonly previous?: readonly (Amount | null)[] | undefined;
  readonly format: (value: bigint) => string;
  /** Shorter, for the values at the axis. */
  readonly formatAxis: (ticks: readonly bigint[]) => readonly string[];
  /** What the bars are: "Day (UTC)". The first header of the table. */
  readonly barHeader: string;
  readonly height?: number | undefined;
  readonly showLabel?: boolean | undefined;
  /** A click on a bar, or Enter, leads to what it is made of; the words say so: "Enter shows its requests". */
  readonly opens?: { readonly words: string; readonly onOpen: (bar: string) => void } | undefined;
}

const HEIGHT = 240;
/** Of a chart with one bar, beside which there is nothing to compare. */
const LONE_HEIGHT = 120;
const AXIS_WIDTH = 56;
const AXIS_HEIGHT = 24;
const TOP = 8;
/** Room for the half of the last bar's name that may reach beyond it. */
const EDGE = 12;
/** Below this width, names go under the chart. */
const DIRECT_LABELS_FROM = 640;

/** Bars of stacked series over time, with the previous period as a thin line. */
export function StackedBars(props: StackedBarsProps): ReactNode {
  const { bars, series, previous, format, formatAxis, barHeader, opens } = props;
  const [element, width] = useWidth();
  const lone = useMemo(() => (previous === undefined ? loneBar(bars, series) : null), [bars, series, previous]);
  const height = lone === null ? (props.height ?? HEIGHT) : LONE_HEIGHT;
  const id = useId();
  const [current, setCurrent] = useState<number | null>(null);
  const colors = useMemo(() => colorsOf(series), [series]);
  // The chart's own label names a series that is alone.
  const hasNames = series.length > 1;
  const isWide = hasNames && width >= DIRECT_LABELS_FROM;
  const plot = {
    left: AXIS_WIDTH,
    right: width - (isWide ? labelsWidth(width) : EDGE),
    top: TOP,
    bottom: height - AXIS_HEIGHT,
  };
  const scales = useScales(bars, series, previous, plot);
  const drawing = { bars, series, colors, scales, plot };
  const bar = current === null ? undefined : bars[current];
  const twin = tableOfBars(barHeader, bars, series, format, previous);
  return (
    <ChartFrame label={props.label} lead={props.lead} twin={twin} showLabel={props.showLabel}>
      {lone !== null && <p className="mb-1 text-meta text-text-2">All of it is {whenOf(lone.label)}.</p>}
      <div
        ref={element}
        className="relative min-w-0 rounded-control outline-offset-2 has-focus-visible:outline-2 has-focus-visible:outline-focus"
        onPointerLeave={() => setCurrent(null)}
      >
        <BarSlider
          label={`${props.label}. Arrow keys move between bars, T shows a table.${opens === undefined ? '' : ` ${opens.words}.`}`}
          words={bar && readBar(bar, series, format, previous?.[current ?? 0])}
          count={bars.length}
          current={current}
          onMove={setCurrent}
          onBlur={() => setCurrent(null)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && bar !== undefined) opens?.onOpen(bar.id);
          }}
        />
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true" className="block overflow-visible text-meta">
            <defs>
              <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect width="2" height="5" fill="var(--bg)" />
              </pattern>
            </defs>
            <ValueAxis scales={scales} plot={plot} format={formatAxis} />
            <BarColumns
              {...drawing}
              hatch={`url(#${id})`}
              current={current}
              onPoint={setCurrent}
              onOpen={opens?.onOpen}
            />
            {previous !== undefined && <PreviousLine bars={bars} previous={previous} scales={scales} />}
            {isWide && <DirectLabels {...drawing} width={labelsWidth(width)} />}
          </svg>
        )}
        {bar !== undefined && (
          <BarReadOut
            bar={bar}
            series={series}
            colors={colors}
            format={format}
            previous={previous?.[current ?? 0]}
            left={scales.center(bar.id)}
            width={width}
          />
        )}
      </div>
      {hasNames && !isWide && (
        <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-meta text-text-2">
          {series.map(({ id: key, label }) => (
            <li key={key} className="flex max-w-full min-w-0 items-center gap-1.5">
              <svg viewBox="0 0 8 8" className="size-2 shrink-0" aria-hidden="true">
                <rect width="8" height="8" fill={colors.get(key)} />
              </svg>
              <span className="truncate">{label}</span>
            </li>
          ))}
        </ul>
      )}
    </ChartFrame>
  );
}
