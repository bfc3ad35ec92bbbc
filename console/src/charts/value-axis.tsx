import type { ReactNode } from 'react';
import type { Plot, Scales } from './use-scales.ts';

interface ValueAxisProps {
  readonly scales: Scales;
  readonly plot: Plot;
  readonly format: (ticks: readonly bigint[]) => readonly string[];
}

/** Hairlines at round values, named at the left. The baseline is zero. */
export function ValueAxis({ scales, plot, format }: ValueAxisProps): ReactNode {
  const names = format(scales.ticks.map(BigInt));
  return (
    <g aria-hidden="true">
      {scales.ticks.map((tick, index) => {
        const y = Math.round(scales.y(tick)) + 0.5;
        return (
          <g key={tick}>
            <line x1={plot.left} x2={plot.right} y1={y} y2={y} stroke={tick === 0 ? 'var(--edge)' : 'var(--line)'} />
            <text x={plot.left - 8} y={y} dy="0.35em" textAnchor="end" fill="var(--text-3)" className="tabular">
              {names[index]}
            </text>
          </g>
        );
      })}
    </g>
  );
}
