import type { ReactNode } from 'react';
import { linePath } from './line-path.ts';

interface SparklineProps {
  /** What it shows, for screen readers: "Charge of gpt-5 by day". */
  readonly label: string;
  /** From the oldest on; null is a gap. Numbers are places on the screen here: the amounts are shown next to it. */
  readonly values: readonly (number | null)[];
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

const STROKE = 1.25;

/** The path through the values that are known, broken where one is not. */
export function sparkPath(values: readonly (number | null)[], width: number, height: number): string {
  const largest = Math.max(1, ...values.map((value) => value ?? 0));
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const heightOf = (value: number): number => height - STROKE / 2 - (Math.max(0, value) / largest) * (height - STROKE);
  // Round ends make a dot of a value between two gaps.
  return linePath(values.map((value, index) => (value === null ? null : [index * step, heightOf(value)])));
}

/** A line as high as a word, from zero. */
export function Sparkline({ label, values, width = 96, height = 20 }: SparklineProps): ReactNode {
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      className="inline-block overflow-visible align-middle"
    >
      <path
        d={sparkPath(values, width, height)}
        fill="none"
        stroke="var(--text-2)"
        strokeWidth={STROKE}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
