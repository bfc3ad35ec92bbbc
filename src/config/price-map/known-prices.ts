import list from './known-prices.json' with { type: 'json' };
import type { MapModel } from './price-map.ts';

// What known providers ask for their models, as tools/known-prices.ts has taken it from the community's price map.

/** Where the prices come from, and as of when, for people. */
export const PRICES_SOURCE = `${list.source}, ${list.date}`;

const MODELS = list.models as readonly MapModel[];

/** The models of a vendor whose prices are known, by their ids there. */
export function knownModels(vendor: string): ReadonlyMap<string, MapModel> {
  const own = MODELS.filter((model) => model.vendor === vendor);
  return new Map(own.map((model) => [model.upstreamModel, model]));
}
