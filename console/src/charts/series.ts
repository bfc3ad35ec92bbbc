/** A series of a chart, such as a model. */
export interface Series {
  readonly id: string;
  readonly label: string;
  /** The colour of a role, as for outcomes; without it the series has one of its own. */
  readonly role?: 'accent' | 'warn' | 'danger' | 'quiet' | undefined;
}

/** The series of all that is too small to be shown by itself. It is grey. */
export const OTHER = 'other';

const COLORS = 8;
const ROLES = {
  accent: 'var(--accent)',
  warn: 'var(--warn)',
  danger: 'var(--danger)',
  quiet: 'var(--series-other)',
} as const;

/** FNV-1a: cheap, and well spread over short ids. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value;
}

/**
 * A colour for each series: that which its id hashes to, so that a model has the same one on all pages. If two of one
 * chart meet, the later one takes the next free colour; the ninth and those after it are grey.
 */
export function colorsOf(series: readonly Series[]): ReadonlyMap<string, string> {
  const taken = new Set<number>();
  return new Map(
    series.map(({ id, role }) => {
      if (role !== undefined) return [id, ROLES[role]];
      if (id === OTHER || taken.size === COLORS) return [id, 'var(--series-other)'];
      let slot = hash(id) % COLORS;
      while (taken.has(slot)) slot = (slot + 1) % COLORS;
      taken.add(slot);
      return [id, `var(--series-${slot + 1})`];
    }),
  );
}
