import type { CostVersion } from '../../catalogue/cost-versions.ts';
import type { PricedModel, PricePeriod } from '../../catalogue/model-prices.ts';
import type { Model } from '../../../domain/model.ts';
import { amountFields } from '../../../domain/money.ts';
import type { Fees, Price, Rates, TierPrice } from '../../../domain/price.ts';
import { SERVICE_TIERS } from '../../../domain/service-tier.ts';
import { adjustmentFields } from '../../../domain/price-adjustment.ts';
import { TOKEN_CLASSES } from '../../../domain/usage.ts';
import { USE_CLASSES } from '../../../domain/uses.ts';
import type { ModelJson, ModelPriceJson, RouteCostJson } from './model-contract.ts';

// The JSON of models and what they cost.

/** A model; `sold` is null if it can't be called now. */
export function modelJson(
  { id, periods }: PricedModel,
  sold: Model | null,
  { withHistory }: { readonly withHistory: boolean },
): ModelJson {
  const [present] = periods;
  const { kind, contextWindow, maxOutput, media, sellsAudio } = present.terms;
  return {
    id,
    kind,
    context_window: contextWindow,
    max_output: maxOutput,
    media: { image_tokens: media.imageTokens, audio_tokens: media.audioTokens, file_tokens: media.fileTokens },
    reasoning: sold?.reasoning ?? null,
    sells_audio: sellsAudio === true,
    on_sale: sold !== null && present.to === null,
    retired_at: present.to?.toISOString() ?? null,
    price: priceJson(present),
    history: withHistory ? periods.map(priceJson) : [],
  };
}

function priceJson({ version, terms, adjustment, from, to }: PricePeriod): ModelPriceJson {
  return {
    version,
    tiers: tiersJson(terms.price),
    service_tiers: serviceTiersJson(terms.price),
    fees: feesJson(terms.price.fees),
    adjustment: adjustment === null ? null : adjustmentFields(adjustment),
    from: from.toISOString(),
    to: to?.toISOString() ?? null,
  };
}

/** What a route cost or costs, for the operator. */
export function routeCostJson({ provider, upstreamModel, cost, from, to }: CostVersion): RouteCostJson {
  return {
    provider,
    upstream_model: upstreamModel,
    tiers: tiersJson(cost),
    service_tiers: serviceTiersJson(cost),
    fees: feesJson(cost.fees),
    from: from.toISOString(),
    to: to?.toISOString() ?? null,
  };
}

function serviceTiersJson({ serviceTiers = {} }: Price): ModelPriceJson['service_tiers'] {
  return SERVICE_TIERS.flatMap((tier) => {
    const price = serviceTiers[tier];
    return price === undefined ? [] : [{ tier, tiers: tiersJson(price) }];
  });
}

function tiersJson({ rates, tiers }: TierPrice): ModelPriceJson['tiers'] {
  return [{ aboveInputTokens: 0, rates }, ...tiers].map((tier) => ({
    above_input_tokens: tier.aboveInputTokens,
    rates: ratesJson(tier.rates),
  }));
}

function ratesJson(rates: Rates): ModelPriceJson['tiers'][number]['rates'] {
  return TOKEN_CLASSES.map((tokenClass) => ({ class: tokenClass, ...amountFields('rate', rates[tokenClass]) }));
}

function feesJson(fees: Fees = {}): ModelPriceJson['fees'] {
  return USE_CLASSES.flatMap((use) => {
    const fee = fees[use];
    return fee === undefined ? [] : [{ use, ...amountFields('fee', fee) }];
  });
}
