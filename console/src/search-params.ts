import * as z from 'zod/mini';
import { catch as otherwise } from 'zod/mini';
import { type SearchValues, searchOf } from './paths.ts';

// Search parameters are plain texts, as the API's are: what an address says is what a page reads.

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  return searchOf(search as SearchValues);
}

/** A text; what is left out is undefined. */
export const text = z.optional(z.string());

/** A stretch of time, by the moments that bound it. */
export const stretch = { from: text, to: text };

/** One of these words; anything else is as if it were left out. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return otherwise(z.optional(z.enum(words)), undefined);
}

/** "true", or left out. */
export const flag = otherwise(z.optional(z.literal('true')), undefined);

/** A month of UTC, such as "2026-11"; anything else is as if it were left out. */
export const month = otherwise(z.optional(z.string().check(z.regex(/^2\d{3}-(0[1-9]|1[0-2])$/))), undefined);

/** A day of UTC such as "2026-11-20"; anything else is as if it were left out. */
export const day = otherwise(
  z.optional(
    z.string().check(z.refine((given) => /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given)))),
  ),
  undefined,
);

// Pages that a workspace and the operator both have --------------------------------------------------------------------

const deliveries = { state: oneOf(['waiting', 'sent', 'given_up']), delivery: text };

export const webhookSearch = z.object(deliveries);

export const alertSearch = z.object({
  ...deliveries,
  tab: oneOf(['rules', 'webhooks', 'deliveries']),
  create: oneOf(['rule', 'webhook']),
  change: text,
  rule: text,
});
