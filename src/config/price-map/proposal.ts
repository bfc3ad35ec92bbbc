import { knownModels } from './known-prices.ts';
import type { MapModel } from './price-map.ts';
import { isEmbeddingName } from '../../domain/model.ts';

// The models that an operator may sell of those that a provider lists: those that have a known price.

/** The price of models that no list of prices has. */
export interface OwnPrice {
  readonly input: string;
  readonly output: string;
  readonly contextWindow: number;
}

export interface Proposal {
  /** All that can be sold. */
  readonly models: ReadonlyMap<string, MapModel>;
  /** Those that it would sell, unless others are named. */
  readonly proposed: readonly string[];
  /** Listed models without a known price. */
  readonly unpriced: readonly string[];
}

const DATED = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4})$/;
/** Google lists a model with the collection that it is in. */
const COLLECTION = /^models\//;

/** The listed models to sell. A model with a date in its name is left out if the one without is listed too. */
export function proposeModels(
  ids: readonly string[],
  { vendor, ownPrice }: { readonly vendor: string | null; readonly ownPrice: OwnPrice | null },
): Proposal {
  const known = vendor === null ? new Map<string, MapModel>() : knownModels(vendor);
  const models = new Map<string, MapModel>();
  for (const id of ids.map((listed) => listed.replace(COLLECTION, ''))) {
    const model = known.get(id) ?? (ownPrice === null ? undefined : pricedModel(id, vendor ?? '', ownPrice));
    if (model !== undefined) models.set(id, model);
  }
  const proposed = [...models.keys()].filter((id) => !DATED.test(id) || !models.has(id.replace(DATED, '')));
  return { models, proposed, unpriced: ids.filter((id) => !models.has(id.replace(COLLECTION, ''))) };
}

function pricedModel(id: string, vendor: string, { input, output, contextWindow }: OwnPrice): MapModel {
  const isEmbedding = isEmbeddingName(id);
  return {
    id,
    vendor,
    upstreamModel: id,
    kind: isEmbedding ? 'embedding' : 'chat',
    price: isEmbedding ? { input } : { input, output },
    contextWindow,
    // Half the window leaves room for the question, which shares it with the answer.
    maxOutput: isEmbedding ? null : Math.max(1, Math.floor(contextWindow / 2)),
    reasoning: false,
  };
}
