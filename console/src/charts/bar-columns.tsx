import type { ReactNode } from 'react';
import { axisLabels, segmentsOf } from './stack.ts';
import type { Drawing } from './use-scales.ts';

interface BarColumnsProps extends Drawing {
  /** The fill that lies over what is unfinished. */
  readonly hatch: string;
  /** The bar that is read out. */
  readonly current: number | null;
  readonly onPoint: (index: number) => void;
  readonly onOpen?: ((bar: string) => void) | undefined;
}

const LABEL_WIDTH = 56;
const SEGMENT_GAP = 1;

/** Bars of stacked segments, with names below as many as have room. */
export function BarColumns(props: BarColumnsProps): ReactNode {
  const { bars, series, colors, scales, plot, hatch, current, onPoint, onOpen } = props;
  const labels = axisLabels(bars, plot.right - plot.left, LABEL_WIDTH);
  return bars.map((bar, index) => {
    const left = scales.left(bar.id);
    const segments = segmentsOf(bar, series);
    const top = scales.y(segments.at(-1)?.to ?? 0);
    return (
      <g
        key={bar.id}
        onPointerEnter={() => onPoint(index)}
        onClick={onOpen && (() => onOpen(bar.id))}
        className={onOpen && 'cursor-pointer'}
      >
        <rect
          x={scales.center(bar.id) - scales.step / 2}
          y={plot.top}
          width={scales.step}
          height={plot.bottom - plot.top}
          fill={index === current ? 'var(--sunken)' : 'transparent'}
        />
        {segments.map(({ series: id, from, to }, position) => (
          <rect
            key={id}
            x={left}
            y={scales.y(to)}
            width={scales.barWidth}
            height={Math.max(0.5, scales.y(from) - scales.y(to) - (position === 0 ? 0 : SEGMENT_GAP))}
            fill={colors.get(id)}
          />
        ))}
        {bar.unfinished && <rect x={left} y={top} width={scales.barWidth} height={plot.bottom - top} fill={hatch} />}
        <text x={scales.center(bar.id)} y={plot.bottom + 16} textAnchor="middle" fill="var(--text-3)">
          {labels[index]}
        </text>
      </g>
    );
  });
}
