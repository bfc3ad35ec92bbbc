import type { ReactNode } from 'react';
import type { Amount } from '../format/money.ts';
import { linePath } from './line-path.ts';
import type { Bar } from './stack.ts';
import type { Scales } from './use-scales.ts';

interface PreviousLineProps {
  readonly bars: readonly Bar[];
  readonly previous: readonly (Amount | null)[];
  readonly scales: Scales;
}

/** The totals of the period before, from point to point. A gap is a gap. */
export function PreviousLine({ bars, previous, scales }: PreviousLineProps): ReactNode {
  const path = linePath(
    bars.map(({ id }, index) => {
      const value = previous[index] ?? null;
      return value === null ? null : [scales.center(id), scales.y(Number(value))];
    }),
  );
  return (
    <g aria-hidden="true" className="pointer-events-none">
      <path d={path} fill="none" stroke="var(--bg)" strokeWidth={3} />
      <path d={path} fill="none" stroke="var(--text)" strokeWidth={1.25} strokeDasharray="3 2" />
    </g>
  );
}
