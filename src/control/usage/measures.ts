import { DURATION_CLASSES_MS } from '../../domain/duration-classes.ts';
import { TOKEN_CLASSES } from '../../domain/usage.ts';

// What buckets of usage add up, as columns of their tables.

const CLASSES = Array.from({ length: DURATION_CLASSES_MS.length + 1 }, (_, index) => index + 1);

/** The times that have histograms, with the columns of their classes. */
export const HISTOGRAMS = {
  duration: CLASSES.map((number) => `duration_${number}`),
  first_event: CLASSES.map((number) => `first_event_${number}`),
} as const;

/** What requests cost their providers, as far as that is known, and how many requests' costs are. */
export const COST_SUMS: readonly string[] = ['cost_nano_usd', 'costed_requests'];

/** The columns of all buckets that everybody may see. */
export const SUMS: readonly string[] = [
  'requests',
  'charge_nano_usd',
  'corrected_nano_usd',
  'write_off_nano_usd',
  ...TOKEN_CLASSES.map((tokenClass) => `${tokenClass}_tokens`),
];

/** The columns of histograms, which buckets by key lack. */
export const HISTOGRAM_COLUMNS: readonly string[] = [...HISTOGRAMS.duration, ...HISTOGRAMS.first_event];

/** SQL that adds these columns up, each under its own name. */
export function sumsOf(columns: readonly string[]): string {
  return columns.map((column) => `sum(${column})::bigint as ${column}`).join(', ');
}
