import { slotsOf } from './color-slots.ts';

/** A series of a chart, such as a model. */
export interface Series {
  readonly id: string;
  readonly label: string;
  /** What it is, such as "model", the same for all series of a chart: those of other charts of the kind share its colours. */
  readonly kind?: string | undefined;
  /** The colour of a role, as for outcomes; without it the series has one of its own. */
  readonly role?: 'accent' | 'warn' | 'danger' | 'quiet' | undefined;
}

/** The series of all that is too small to be shown by itself. It is grey. */
export const OTHER = 'other';

const ROLES = {
  accent: 'var(--accent)',
  warn: 'var(--warn)',
  danger: 'var(--danger)',
  quiet: 'var(--series-other)',
} as const;

/**
 * A colour for each series, of which no two have the same; but the ninth without a role and those after it are grey. A series
 * has the colour that it has in other charts, on any page.
 */
export function colorsOf(series: readonly Series[]): ReadonlyMap<string, string> {
  const own = series.filter(({ id, role }) => role === undefined && id !== OTHER);
  const slots = slotsOf(
    own.map(({ id }) => id),
    own[0]?.kind ?? '',
  );
  return new Map(
    series.map(({ id, role }) => {
      if (role !== undefined) return [id, ROLES[role]];
      const slot = slots.get(id);
      return [id, slot === undefined ? 'var(--series-other)' : `var(--series-${slot + 1})`];
    }),
  );
}
