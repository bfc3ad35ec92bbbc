import type { Amount } from '../format/money.ts';
import type { TableTwin } from './chart-frame.tsx';
import type { Series } from './series.ts';
import { type Bar, totalOf, valueOf } from './stack.ts';

const UNKNOWN = 'not known';

/** Bars as a table: a row for each, a column for each series, and the total. */
export function tableOfBars(
  header: string,
  bars: readonly Bar[],
  series: readonly Series[],
  format: (value: bigint) => string,
  previous?: readonly (Amount | null)[],
): TableTwin {
  const total = (bar: Bar): string => format(totalOf(bar, series) ?? 0n);
  const before = (index: number): string => {
    const value = previous?.[index] ?? null;
    return value === null ? UNKNOWN : format(BigInt(value));
  };
  return {
    headers: [
      header,
      ...series.map(({ label }) => label),
      'Total',
      ...(previous === undefined ? [] : ['Previous period']),
    ],
    rows: bars.map((bar, index) => ({
      id: bar.id,
      cells: [
        bar.unfinished ? `${bar.label}, so far` : bar.label,
        ...series.map(({ id }) => (bar.values === null ? UNKNOWN : format(valueOf(bar, id)))),
        bar.values === null ? UNKNOWN : total(bar),
        ...(previous === undefined ? [] : [before(index)]),
      ],
    })),
  };
}
