import type { ReactNode } from 'react';
import { segmentsOf, spread } from './stack.ts';
import type { Drawing } from './use-scales.ts';

interface DirectLabelsProps extends Drawing {
  /** The room that they have. */
  readonly width: number;
}

/** The room that names have at the right of a chart of this width. */
export function labelsWidth(width: number): number {
  return width < 960 ? 168 : 240;
}

const LINE = 16;
const MARK_WIDTH = 26;
/** Of most letters; a name of wider ones is cut later than it should be. */
const CHARACTER_WIDTH = 6.5;

/** Names of series at the height of the last bar's segments; those that the bar has nothing of stand above them. */
export function DirectLabels({ bars, series, colors, scales, plot, width }: DirectLabelsProps): ReactNode {
  const charactersMax = Math.floor((width - MARK_WIDTH) / CHARACTER_WIDTH);
  const last = bars.findLast(({ values, unfinished }) => values !== null && !unfinished) ?? bars.at(-1);
  if (last === undefined) return null;
  const segments = segmentsOf(last, series);
  const top = segments.at(-1)?.to ?? 0;
  // Heights on the screen grow downwards, so the uppermost comes first.
  const names = series
    .map((one) => {
      const segment = segments.find(({ series: id }) => id === one.id);
      return { ...one, y: scales.y(segment === undefined ? top : (segment.from + segment.to) / 2) };
    })
    .toReversed()
    .toSorted((a, b) => a.y - b.y);
  const places = spread(
    names.map(({ y }) => y),
    LINE,
    plot.bottom,
  );
  return (
    <g aria-hidden="true">
      {names.map(({ id, label }, index) => (
        <g key={id} transform={`translate(${plot.right + 12} ${places[index] ?? 0})`}>
          <title>{label}</title>
          <rect y={-4} width={8} height={8} fill={colors.get(id)} />
          <text x={14} dy="0.35em" fill="var(--text-2)">
            {label.length > charactersMax ? `${label.slice(0, charactersMax - 1)}…` : label}
          </text>
        </g>
      ))}
    </g>
  );
}
