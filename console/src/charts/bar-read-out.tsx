import type { ReactNode } from 'react';
import type { Amount } from '../format/money.ts';
import type { Series } from './series.ts';
import { type Bar, totalOf, valueOf } from './stack.ts';

interface BarReadOutProps {
  readonly bar: Bar;
  readonly series: readonly Series[];
  readonly colors: ReadonlyMap<string, string>;
  readonly format: (value: bigint) => string;
  readonly previous: Amount | null | undefined;
  /** The middle of the bar, and the width of the chart. */
  readonly left: number;
  readonly width: number;
}

const PANEL_WIDTH = 240;
const GAP = 20;

/** The series that a bar has something of, the largest first. */
function partsOf(bar: Bar, series: readonly Series[]): readonly (Series & { readonly value: bigint })[] {
  return series
    .map((one) => ({ ...one, value: valueOf(bar, one.id) }))
    .filter(({ value }) => value > 0n)
    .toSorted((a, b) => (a.value < b.value ? 1 : a.value > b.value ? -1 : 0));
}

/** A bar in words: "14 Nov: $4.20. gpt-5 $3.00, other $1.20. Previous period: $3.90." */
export function readBar(
  bar: Bar,
  series: readonly Series[],
  format: (value: bigint) => string,
  previous: Amount | null | undefined,
): string {
  const total = totalOf(bar, series);
  const name = bar.unfinished ? `${bar.label}, so far` : bar.label;
  const parts = partsOf(bar, series).map(({ label, value }) => `${label} ${format(value)}`);
  return [
    `${name}: ${total === null ? 'not known' : format(total)}.`,
    ...(parts.length > 1 ? [`${parts.join(', ')}.`] : []),
    ...(previous === null || previous === undefined ? [] : [`Previous period: ${format(BigInt(previous))}.`]),
  ].join(' ');
}

/** The numbers of a bar, next to it. Screen readers get them as the bar's name. */
export function BarReadOut({ bar, series, colors, format, previous, left, width }: BarReadOutProps): ReactNode {
  const total = totalOf(bar, series);
  const parts = partsOf(bar, series);
  const isRoomRight = left + GAP + PANEL_WIDTH <= width;
  const place = isRoomRight ? left + GAP : Math.max(0, left - GAP - PANEL_WIDTH);
  return (
    <div
      aria-hidden="true"
      className="tabular pointer-events-none absolute top-0 z-1 w-60 max-w-full rounded-panel bg-surface px-3 py-2 text-meta shadow-float"
      style={{ left: `${place}px` }}
    >
      <p className="flex justify-between gap-3 font-medium">
        <span>{bar.unfinished ? `${bar.label}, so far` : bar.label}</span>
        <span>{total === null ? 'not known' : format(total)}</span>
      </p>
      {parts.map(({ id, label, value }) => (
        <p key={id} className="mt-0.5 flex items-center gap-1.5 text-text-2">
          <svg viewBox="0 0 8 8" className="size-2 shrink-0">
            <rect width="8" height="8" fill={colors.get(id)} />
          </svg>
          <span className="min-w-0 flex-1 truncate">{label}</span>
          <span>{format(value)}</span>
        </p>
      ))}
      {previous !== null && previous !== undefined && (
        <p className="mt-1 flex justify-between gap-3 border-t border-line pt-1 text-text-3">
          <span>Previous period</span>
          <span>{format(BigInt(previous))}</span>
        </p>
      )}
    </div>
  );
}
