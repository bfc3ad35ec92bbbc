import { line } from 'd3-shape';
import type { ReactNode } from 'react';
import type { Amount } from '../format/money.ts';
import type { Bar } from './stack.ts';
import type { Scales } from './use-scales.ts';

interface PreviousLineProps {
  readonly bars: readonly Bar[];
  readonly previous: readonly (Amount | null)[];
  readonly scales: Scales;
}

/** The totals of the period before, from point to point. A gap is a gap. */
export function PreviousLine({ bars, previous, scales }: PreviousLineProps): ReactNode {
  const points = bars.map(({ id }, index) => ({ x: scales.center(id), value: previous[index] ?? null }));
  const path = line<(typeof points)[number]>()
    .defined(({ value }) => value !== null)
    .x(({ x }) => x)
    .y(({ value }) => scales.y(Number(value)));
  return (
    <g aria-hidden="true" className="pointer-events-none">
      <path d={path(points) ?? ''} fill="none" stroke="var(--bg)" strokeWidth={3} />
      <path d={path(points) ?? ''} fill="none" stroke="var(--text)" strokeWidth={1.25} strokeDasharray="3 2" />
    </g>
  );
}
