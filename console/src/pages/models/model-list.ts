import type { ModelJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import { type Capability, MODEL_CAPABILITIES, type ModelKind, type ModelSort } from '../../api/choices.ts';
import { rateOf } from './price-words.ts';

// Which models are listed, and in which order. All of them come in one answer, so the page itself chooses.

export const CAPABILITY_WORDS: Readonly<Record<Capability, string>> = {
  reasoning: 'reasoning',
  caching: 'cheaper cached input',
  audio: 'answers in audio',
};

/** What the address says of the list of models. */
export interface ModelSearch {
  readonly search?: string | undefined;
  readonly kind?: ModelKind | undefined;
  readonly capability?: Capability | undefined;
  readonly former?: 'true' | undefined;
  readonly sort?: ModelSort | undefined;
  readonly direction?: 'asc' | 'desc' | undefined;
}

/** What a model has that not every model has. */
export function capabilitiesOf({ reasoning, price, sells_audio: audio }: ModelJson): readonly Capability[] {
  const [tier] = price.tiers;
  const isCheaperCached = BigInt(rateOf(tier, 'cached_input')) < BigInt(rateOf(tier, 'input'));
  const has: Readonly<Record<Capability, boolean>> = { reasoning: reasoning === true, caching: isCheaperCached, audio };
  return MODEL_CAPABILITIES.filter((capability) => has[capability]);
}

/** The models that the search asks for, in its order. */
export function listedModels(models: readonly ModelJson[], search: ModelSearch): readonly ModelJson[] {
  const words = (search.search ?? '').toLowerCase().split(/\s+/);
  const { sort = 'id', direction = 'asc' } = search;
  const sign = direction === 'asc' ? 1 : -1;
  return models
    .filter(
      (model) =>
        model.on_sale === (search.former === undefined) &&
        (search.kind === undefined || model.kind === search.kind) &&
        (search.capability === undefined || capabilitiesOf(model).includes(search.capability)) &&
        words.every((word) => model.id.toLowerCase().includes(word)),
    )
    .toSorted((one, other) => sign * compare(one, other, sort) || byId(one, other));
}

function compare(one: ModelJson, other: ModelJson, by: ModelSort): number {
  if (by === 'id') return byId(one, other);
  if (by === 'context') return one.context_window - other.context_window;
  const difference = BigInt(rateOf(one.price.tiers[0], by)) - BigInt(rateOf(other.price.tiers[0], by));
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function byId(one: ModelJson, other: ModelJson): number {
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}
