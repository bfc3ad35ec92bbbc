import type { ModelTerms } from './model.ts';
import type { Price, PriceTier, Rates, TierPrice } from './price.ts';
import { type AnsweredTier, type RequestedTier, SERVICE_TIERS, type ServiceTier } from './service-tier.ts';
import { TOKEN_CLASSES, type TokenClass } from './usage.ts';

// What a caller requests is not always the tier that it gets, and the provider bills that one: so the most expensive tier that
// an answer can have is held, and the answer's is charged.

/** The tiers that have a price, in the order of their names. */
export function tiersOf({ serviceTiers = {} }: Price): readonly ServiceTier[] {
  return SERVICE_TIERS.filter((tier) => serviceTiers[tier] !== undefined);
}

/** The price in a tier, null: the standard one. Fees are the same in all tiers. Null if the tier is unknown or has no price. */
export function priceIn(price: Price, tier: string | null): Price | null {
  if (tier === null) return price;
  const known = SERVICE_TIERS.find((each) => each === tier);
  const own = known === undefined ? undefined : price.serviceTiers?.[known];
  return own === undefined ? null : { ...own, ...(price.fees && { fees: price.fees }) };
}

/** The tier at which an answer is charged; null: the standard one. */
export interface ChargedTier {
  readonly tier: ServiceTier | null;
  /** The answer doesn't name its tier, so that it is charged at the requested one. */
  readonly isEstimated: boolean;
}

const STANDARD: ChargedTier = Object.freeze({ tier: null, isEstimated: false });

/** The tier at which an answer is charged: the one that it names, if the request allows it and it has a price. */
export function chargedTier(price: Price, requested: RequestedTier, answered: AnsweredTier): ChargedTier {
  const possible = possibleTier(price, requested);
  if (possible === null || answered === 'standard') return STANDARD;
  if (answered === possible) return { tier: possible, isEstimated: false };
  const isUnnamed = answered === null && requested === possible;
  return isUnnamed ? { tier: possible, isEstimated: true } : STANDARD;
}

/**
 * The tier other than the standard one in which an answer may be served. Providers serve requests in `priority` unasked if
 * their account is set so; a request that names the standard tier excludes it.
 */
export function possibleTier(price: Price, requested: RequestedTier): ServiceTier | null {
  if (price.serviceTiers === undefined || requested === 'standard') return null;
  const tier = requested ?? 'priority';
  return price.serviceTiers[tier] === undefined ? null : tier;
}

const heldTerms = new WeakMap<ModelTerms, Partial<Record<ServiceTier, ModelTerms>>>();

/** The terms by which a request is quoted: with the highest rates of all tiers in which it may be answered. */
export function quotedTerms(terms: ModelTerms, requested: RequestedTier): ModelTerms {
  const { price } = terms;
  const tier = possibleTier(price, requested);
  const own = tier === null ? undefined : price.serviceTiers?.[tier];
  if (tier === null || own === undefined) return terms;
  const known = heldTerms.get(terms) ?? {};
  heldTerms.set(terms, known);
  return (known[tier] ??= { ...terms, price: higherOf(price, own) });
}

/** A price with the higher rate of both at each length of input. Both have the same steps. */
function higherOf({ rates, tiers, fees }: Price, other: TierPrice): Price {
  return {
    rates: higher(rates, other.rates),
    tiers: tiers.map((tier, index): PriceTier => {
      const { aboveInputTokens } = tier;
      return { aboveInputTokens, rates: higher(tier.rates, other.tiers[index]?.rates ?? other.rates) };
    }),
    ...(fees && { fees }),
  };
}

function higher(one: Rates, other: Rates): Rates {
  const entries = TOKEN_CLASSES.map((tokenClass) => {
    const [rate, otherRate] = [one[tokenClass], other[tokenClass]];
    return [tokenClass, rate > otherRate ? rate : otherRate] as const;
  });
  return Object.fromEntries(entries) as Record<TokenClass, bigint>;
}
