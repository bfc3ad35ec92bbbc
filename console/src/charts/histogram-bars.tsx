import type { ReactNode } from 'react';
import { axisLabels, segmentsOf } from './stack.ts';
import type { Range } from './use-range.ts';
import type { Drawing } from './use-scales.ts';

interface HistogramBarsProps extends Drawing {
  readonly cursor: number | null;
  /** Bars outside of it are pale. */
  readonly range: Range | null;
}

const LABEL_WIDTH = 56;

/** Low bars over a baseline. Their numbers are read out above and in the table. */
export function HistogramBars({ bars, series, colors, scales, plot, cursor, range }: HistogramBarsProps): ReactNode {
  const labels = axisLabels(bars, plot.right - plot.left, LABEL_WIDTH);
  const isIn = (index: number): boolean => range === null || (index >= range[0] && index <= range[1]);
  const hasRoom = (center: number): boolean =>
    center - LABEL_WIDTH / 2 >= plot.left && center + LABEL_WIDTH / 2 <= plot.right;
  const baseline = plot.bottom + 0.5;
  return (
    <>
      {bars.map((bar, index) => (
        <g key={bar.id}>
          {(index === cursor || (range !== null && isIn(index))) && (
            <rect
              x={scales.center(bar.id) - scales.step / 2}
              width={scales.step}
              height={plot.bottom}
              fill={index === cursor ? 'var(--line)' : 'var(--sunken)'}
            />
          )}
          {segmentsOf(bar, series).map(({ series: id, from, to }) => (
            <rect
              key={id}
              x={scales.left(bar.id)}
              y={scales.y(to)}
              width={scales.barWidth}
              height={Math.max(0.5, scales.y(from) - scales.y(to))}
              fill={colors.get(id)}
              opacity={isIn(index) ? 1 : 0.35}
            />
          ))}
          {labels[index] !== undefined && hasRoom(scales.center(bar.id)) && (
            <text x={scales.center(bar.id)} y={plot.bottom + 16} textAnchor="middle" fill="var(--text-3)">
              {labels[index]}
            </text>
          )}
        </g>
      ))}
      <line x1={plot.left} x2={plot.right} y1={baseline} y2={baseline} stroke="var(--edge)" />
    </>
  );
}
