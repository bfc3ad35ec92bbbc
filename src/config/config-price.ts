import { formatUsd } from '../domain/money.ts';
import type { Fees, Price, Rates, TierPrice } from '../domain/price.ts';
import { inEachTier } from '../domain/service-tier.ts';
import { USE_CLASSES } from '../domain/uses.ts';
import type { FilePrice, FileRates, FileServiceTier } from './file-prices.ts';

/** The price with every rate filled in. */
export function toPrice(price: FilePrice): Price {
  const fees = toFees(price.fees ?? {});
  const serviceTiers = inEachTier(price.service_tiers ?? {}, toTierPrice);
  return {
    ...toTierPrice(price),
    ...(Object.keys(fees).length > 0 && { fees }),
    ...(Object.keys(serviceTiers).length > 0 && { serviceTiers }),
  };
}

function toTierPrice(price: FilePrice | FileServiceTier): TierPrice {
  const tiers = (price.tiers ?? []).map((tier) => ({
    aboveInputTokens: tier.above_input_tokens,
    rates: toRates(tier),
  }));
  return { rates: toRates(price), tiers };
}

function toFees(fees: NonNullable<FilePrice['fees']>): Fees {
  const given = USE_CLASSES.flatMap((useClass) => {
    const fee = fees[useClass];
    return fee === undefined ? [] : [[useClass, fee] as const];
  });
  return Object.fromEntries(given);
}

/** A class without a rate of its own costs what plain input (or output) of the same tier costs. */
export function toRates(rates: FileRates): Rates {
  const output = rates.output ?? 0n;
  return {
    input: rates.input,
    cached_input: rates.cached_input ?? rates.input,
    cache_write_5m: rates.cache_write_5m ?? rates.input,
    cache_write_1h: rates.cache_write_1h ?? rates.input,
    audio_input: rates.audio_input ?? rates.input,
    output,
    audio_output: rates.audio_output ?? output,
  };
}

/** A price in the form of the file. */
export function describePrice(
  price: Price,
  describeRates: (rates: Rates) => object = describeAmounts,
): Record<string, unknown> {
  const { fees, serviceTiers } = price;
  return {
    ...describeTierPrice(price, describeRates),
    ...(fees === undefined ? {} : { fees: describeAmounts(fees) }),
    ...(serviceTiers === undefined
      ? {}
      : { service_tiers: inEachTier(serviceTiers, (tier) => describeTierPrice(tier, describeRates)) }),
  };
}

function describeTierPrice(price: TierPrice, describeRates: (rates: Rates) => object): Record<string, unknown> {
  const tiers = price.tiers.map((tier) => ({
    above_input_tokens: tier.aboveInputTokens,
    ...describeRates(tier.rates),
  }));
  return { ...describeRates(price.rates), ...(tiers.length > 0 ? { tiers } : {}) };
}

export function describeAmounts(amounts: Partial<Rates> | Fees): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, formatUsd(amount)]));
}
