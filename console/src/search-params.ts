import { DELIVERY_STATES } from '../../src/domain/delivery-states.ts';
import { type SearchValues, searchOf } from './paths.ts';

// Search parameters are plain texts, as the API's are: what an address says is what a page reads.

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(values: Record<string, unknown>): string {
  return searchOf(values as SearchValues);
}

/** The value of a parameter; undefined if it is left out, or is none that the page knows. */
type Parameter<Value extends string = string> = (given: string) => Value | undefined;

type Search<Parameters extends Readonly<Record<string, Parameter>>> = {
  [Name in keyof Parameters]?: ReturnType<Parameters[Name]>;
};

/** Reads the parameters that a page knows; all others are dropped. */
export function search<const Parameters extends Readonly<Record<string, Parameter>>>(parameters: Parameters) {
  return (given: Readonly<Record<string, unknown>>): Search<Parameters> =>
    Object.fromEntries(
      Object.entries(parameters).flatMap(([name, read]) => {
        const text = given[name];
        const value = typeof text === 'string' ? read(text) : undefined;
        return value === undefined ? [] : [[name, value]];
      }),
    ) as Search<Parameters>;
}

export const text: Parameter = (given) => given;

/** A stretch of time, by the moments that bound it. */
export const stretch = { from: text, to: text };

export function oneOf<const Words extends readonly string[]>(words: Words): Parameter<Words[number]> {
  return (given) => words.find((word) => word === given);
}

/** "true", or left out. */
export const flag = oneOf(['true']);

/** A month of UTC, such as "2026-11". */
export const month: Parameter = (given) => (/^2\d{3}-(0[1-9]|1[0-2])$/.test(given) ? given : undefined);

/** A day of UTC such as "2026-11-20". */
export const day: Parameter = (given) =>
  /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given)) ? given : undefined;

// Pages that a workspace and the operator both have --------------------------------------------------------------------

const deliveries = { state: oneOf(DELIVERY_STATES), delivery: text };

export const webhookSearch = search(deliveries);

export const alertSearch = search({
  ...deliveries,
  tab: oneOf(['rules', 'webhooks', 'deliveries']),
  create: oneOf(['rule', 'webhook']),
  change: text,
  rule: text,
});
