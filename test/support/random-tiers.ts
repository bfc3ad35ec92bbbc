import fc from 'fast-check';
import type { Price, Rates, TierPrice } from '../../src/domain/price.ts';
import { SERVICE_TIERS } from '../../src/domain/service-tier.ts';

/** The price with some service tiers, each of random rates at the price's own lengths of input. */
export function withServiceTiers(price: Price, rates: fc.Arbitrary<Rates>): fc.Arbitrary<Price> {
  const tierPrice: fc.Arbitrary<TierPrice> = fc
    .array(rates, { minLength: price.tiers.length + 1, maxLength: price.tiers.length + 1 })
    .map(([base, ...others]) => ({
      rates: base ?? price.rates,
      tiers: price.tiers.map(({ aboveInputTokens }, index) => ({
        aboveInputTokens,
        rates: others[index] ?? price.rates,
      })),
    }));
  const tiers = fc.uniqueArray(fc.constantFrom(...SERVICE_TIERS));
  return tiers.chain((names) => {
    if (names.length === 0) return fc.constant(price);
    const named = SERVICE_TIERS.filter((tier) => names.includes(tier));
    return fc
      .tuple(...named.map(() => tierPrice))
      .map((drawn) => ({ ...price, serviceTiers: Object.fromEntries(named.map((tier, at) => [tier, drawn[at]])) }));
  });
}
