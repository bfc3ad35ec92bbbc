import { type ReactNode, useMemo } from 'react';
import { announce } from '../ui/announcements.ts';
import { readBar } from './bar-read-out.tsx';
import { BarSlider } from './bar-slider.tsx';
import { tableOfBars } from './bar-table.ts';
import { ChartFrame } from './chart-frame.tsx';
import { HistogramBars } from './histogram-bars.tsx';
import { colorsOf, type Series } from './series.ts';
import type { Bar } from './stack.ts';
import { type Range, useRange } from './use-range.ts';
import { useScales } from './use-scales.ts';
import { useWidth } from './use-width.ts';

/** The first and the last bar of a range, by id. */
export interface BarRange {
  readonly from: string;
  readonly to: string;
}

interface HistogramProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly series: readonly Series[];
  readonly format: (value: bigint) => string;
  /** What the bars are: "Hour (UTC)". */
  readonly barHeader: string;
  readonly selected: BarRange | null;
  /** Called when a drag ends, or Enter is pressed; with null when the range is taken back. */
  readonly onSelect: (range: BarRange | null) => void;
  readonly height?: number | undefined;
}

const AXIS_HEIGHT = 20;
const KEYS = 'Arrow keys move, with Shift they choose a range, Enter filters by it, Escape takes it back.';

/** Counts by time that filter what stands below: by dragging over bars, or by keys. */
export function Histogram(props: HistogramProps): ReactNode {
  const { label, bars, series, format, selected, onSelect, height = 88 } = props;
  const [element, width] = useWidth();
  const colors = useMemo(() => colorsOf(series), [series]);
  const plot = { left: 0, right: width, top: 4, bottom: height - AXIS_HEIGHT };
  const scales = useScales(bars, series, undefined, plot);
  const choose = ([from, to]: Range): void => {
    const [first, last] = [bars[from], bars[to]];
    if (first === undefined || last === undefined) return;
    onSelect({ from: first.id, to: last.id });
    announce(`Filtered from ${first.label} to ${last.label}`);
  };
  const clear = (): void => {
    if (selected === null) return;
    onSelect(null);
    announce('All times are shown');
  };
  const choice = useRange(bars.length, choose, clear);
  const positionOf = (id: string): number => bars.findIndex((bar) => bar.id === id);
  const chosen: Range | null = selected && [positionOf(selected.from), positionOf(selected.to)];
  const bar = choice.cursor === null ? undefined : bars[choice.cursor];
  const words = bar && readBar(bar, series, format, null);
  return (
    <ChartFrame label={label} lead={words} twin={tableOfBars(props.barHeader, bars, series, format)}>
      <div ref={element} className="relative has-focus-visible:outline-2 has-focus-visible:outline-focus">
        <BarSlider
          label={`${label}. ${KEYS}`}
          words={words}
          count={bars.length}
          current={choice.cursor}
          onMove={choice.moveTo}
          onKeyDown={choice.onKeyDown}
          onBlur={choice.onBlur}
        />
        <div {...choice.pointer} aria-hidden="true" className="cursor-crosshair touch-pan-y select-none">
          <svg width={width} height={height} className="block text-meta">
            <HistogramBars
              bars={bars}
              series={series}
              colors={colors}
              scales={scales}
              plot={plot}
              cursor={choice.cursor}
              range={choice.range ?? chosen}
            />
          </svg>
        </div>
      </div>
    </ChartFrame>
  );
}
