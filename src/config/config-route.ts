import type * as z from 'zod';
import type { Route } from '../domain/model.ts';
import { describePrice, toPrice } from './config-price.ts';
import { plainText, section, wholeNumber } from './file-fields.ts';
import { cost } from './file-prices.ts';

// The keys of a route: as the file has them, as the program reads them, and as it prints them.

export const route = section(
  {
    provider: plainText('write the name of a provider from "providers"').describe('A name from providers.'),
    model: plainText("write the model's id at the provider", 255).describe("The model's id there."),
    weight: wholeNumber(1, 1_000_000)
      .optional()
      .describe("Its share of requests, beside the other routes' weights. Left out everywhere: tried in order."),
    cost: cost.optional().describe('What the provider asks, USD per million tokens, as decimal strings.'),
  },
  'write a mapping such as { provider: openai, model: gpt-5-mini }',
);

export function toRoute({ provider, model: upstreamModel, weight, cost: price }: z.output<typeof route>): Route {
  return {
    provider,
    upstreamModel,
    ...(weight !== undefined && { weight }),
    ...(price !== undefined && { cost: toPrice(price) }),
  };
}

/** A route in the form of the file. */
export function describeRoute({ provider, upstreamModel, weight, cost: price }: Route): Record<string, unknown> {
  return {
    provider,
    model: upstreamModel,
    ...(weight !== undefined && { weight }),
    ...(price !== undefined && { cost: describePrice(price) }),
  };
}
