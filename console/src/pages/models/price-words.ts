import type { ModelPriceJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import type { TokenClass } from '../../../../src/domain/usage.ts';
import { USE_WORDS } from '../../components/fee-words.ts';
import { changeWords } from '../../components/price-change.ts';
import { formatCount } from '../../format/count.ts';
import { formatMoneyExactly } from '../../format/money.ts';

// What prices of models say, in words.

export type PriceTierJson = ModelPriceJson['tiers'][number];

export const CLASS_WORDS: Readonly<Record<TokenClass, string>> = {
  input: 'Input',
  cached_input: 'Cached input',
  cache_write_5m: 'Cache write, 5 min',
  cache_write_1h: 'Cache write, 1 h',
  audio_input: 'Audio input',
  output: 'Output',
  audio_output: 'Audio output',
};

/** What a million tokens of a class cost, in nano-USD. */
export function rateOf(tier: PriceTierJson | undefined, tokenClass: TokenClass): string {
  return tier?.rates.find((rate) => rate.class === tokenClass)?.rate_nano_usd ?? '0';
}

/** A price compared with the list price: "10% below list"; null if they are the same. */
export function adjustmentWords({ adjustment }: Pick<ModelPriceJson, 'adjustment'>): string | null {
  return adjustment === null ? null : changeWords(adjustment.change_percent);
}

/** Which requests a tier is for: "above 200,000 input tokens"; null: for all, until another begins. */
export function tierWords({ above_input_tokens: above }: PriceTierJson): string | null {
  return above === 0 ? null : `above ${formatCount(above)} input tokens`;
}

/** What a price changed of the one before it. */
export function priceChanges(price: ModelPriceJson, former: ModelPriceJson | undefined): readonly string[] {
  if (former === undefined) return [];
  const [words, formerWords] = [adjustmentWords(price), adjustmentWords(former)];
  const changes = [
    ...(words === formerWords ? [] : [words === null ? 'List price again' : words]),
    ...tierChanges(price.tiers, former.tiers),
    ...serviceTierChanges(price.service_tiers, former.service_tiers),
    ...feeChanges(price.fees, former.fees),
  ];
  return changes.length === 0 ? ['No rate'] : changes;
}

function tierChanges(tiers: readonly PriceTierJson[], former: readonly PriceTierJson[]): readonly string[] {
  const before = new Map(former.map((tier) => [tier.above_input_tokens, tier]));
  const now = new Set(tiers.map((tier) => tier.above_input_tokens));
  return [
    ...tiers.flatMap((tier) => {
      const same = before.get(tier.above_input_tokens);
      return same === undefined ? [`Other rates ${tierWords(tier) ?? ''}`.trim()] : rateChanges(tier, same);
    }),
    ...former
      .filter(({ above_input_tokens: above }) => !now.has(above))
      .map((tier) => `No other rates ${tierWords(tier) ?? ''}`.trim()),
  ];
}

type ServiceTiersJson = ModelPriceJson['service_tiers'];

function serviceTierChanges(tiers: ServiceTiersJson, former: ServiceTiersJson): readonly string[] {
  const before = new Map(former.map(({ tier, tiers: rates }) => [tier, rates]));
  const now = new Set(tiers.map(({ tier }) => tier));
  return [
    ...tiers.flatMap(({ tier, tiers: rates }) => {
      const old = before.get(tier);
      return old === undefined ? [`Sold as ${tier}`] : tierChanges(rates, old).map((change) => `As ${tier}: ${change}`);
    }),
    ...former.filter(({ tier }) => !now.has(tier)).map(({ tier }) => `No longer sold as ${tier}`),
  ];
}

/** Classes that changed alike are shown together. */
function rateChanges(tier: PriceTierJson, former: PriceTierJson): readonly string[] {
  const changed = tier.rates.filter((rate) => rate.rate_nano_usd !== rateOf(former, rate.class));
  const alike = Map.groupBy(
    changed,
    (rate) => `from ${formatMoneyExactly(rateOf(former, rate.class))} to ${formatMoneyExactly(rate.rate_nano_usd)}`,
  );
  const where = tierWords(tier);
  return [...alike].map(([step, rates]) => {
    const [first, ...others] = rates.map((rate) => CLASS_WORDS[rate.class]);
    const classes = others.length > 2 ? `${first ?? ''} and ${others.length} more` : [first, ...others].join(', ');
    return `${classes}${where === null ? '' : ` ${where}`} ${step}`;
  });
}

function feeChanges(fees: ModelPriceJson['fees'], former: ModelPriceJson['fees']): readonly string[] {
  const before = new Map(former.map(({ use, fee_nano_usd: fee }) => [use, fee]));
  const now = new Set(fees.map(({ use }) => use));
  return [
    ...fees.flatMap(({ use, fee_nano_usd: fee }) => {
      const old = before.get(use);
      if (old === fee) return [];
      const change =
        old === undefined
          ? `of ${formatMoneyExactly(fee)} added`
          : `from ${formatMoneyExactly(old)} to ${formatMoneyExactly(fee)}`;
      return [`Fee per ${USE_WORDS[use]} ${change}`];
    }),
    ...former.filter(({ use }) => !now.has(use)).map(({ use }) => `Fee per ${USE_WORDS[use]} removed`),
  ];
}
