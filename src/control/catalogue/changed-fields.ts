import { formatUsd } from '../../domain/money.ts';
import type { Price, Rates, TierPrice } from '../../domain/price.ts';
import { SERVICE_TIERS } from '../../domain/service-tier.ts';
import { TOKEN_CLASSES } from '../../domain/usage.ts';
import { USE_CLASSES } from '../../domain/uses.ts';

/** One term that differs, in words for people; null on the side where it isn't there. */
export interface ChangedField {
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** What people read of terms: texts by the names of their fields. */
export type Fields = ReadonlyMap<string, string>;

/** A price field by field, in USD per million tokens, and per use. */
export function priceFields(name: string, price: Price): readonly (readonly [string, string])[] {
  const { fees = {}, serviceTiers = {} } = price;
  return [
    ...tierPriceFields(name, price),
    ...SERVICE_TIERS.flatMap((tier) => {
      const own = serviceTiers[tier];
      return own === undefined ? [] : tierPriceFields(`${name}.${tier}`, own);
    }),
    ...USE_CLASSES.flatMap((useClass) => {
      const fee = fees[useClass];
      return fee === undefined ? [] : [[`${name}.fees.${useClass}`, formatUsd(fee)] as const];
    }),
  ];
}

function tierPriceFields(name: string, { rates, tiers }: TierPrice): readonly (readonly [string, string])[] {
  const fieldsOf = (prefix: string, each: Rates) =>
    TOKEN_CLASSES.map((tokenClass) => [`${prefix}.${tokenClass}`, formatUsd(each[tokenClass])] as const);
  return [
    ...fieldsOf(name, rates),
    ...tiers.flatMap((tier) => fieldsOf(`${name}.above_${tier.aboveInputTokens}`, tier.rates)),
  ];
}

/** The fields that differ. */
export function changedFields(from: Fields, to: Fields): readonly ChangedField[] {
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((field) => from.get(field) !== to.get(field))
    .map((field) => ({ field, from: from.get(field) ?? null, to: to.get(field) ?? null }));
}
