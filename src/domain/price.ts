import type { NanoUsd } from './money.ts';
import { inputTokens, TOKEN_CLASSES, type TokenClass, type TokenCounts } from './usage.ts';

/** Nano-USD per million tokens of each class. */
export type Rates = Readonly<Record<TokenClass, NanoUsd>>;

/** Rates that apply to the whole request once its input exceeds a number of tokens. */
export interface PriceTier {
  readonly aboveInputTokens: number;
  readonly rates: Rates;
}

/** A model's price: base rates, and tiers in rising order of `aboveInputTokens`. */
export interface Price {
  readonly rates: Rates;
  readonly tiers: readonly PriceTier[];
}

const TOKENS_PER_RATE = 1_000_000n;

function ratesFor(price: Price, input: number): Rates {
  return price.tiers.findLast((tier) => input > tier.aboveInputTokens)?.rates ?? price.rates;
}

/** What the tokens cost at this price: exact, then rounded up once, to one nano-USD. */
export function costOf(price: Price, tokens: TokenCounts): NanoUsd {
  const rates = ratesFor(price, inputTokens(tokens));
  let scaled = 0n;
  for (const tokenClass of TOKEN_CLASSES) {
    const count = tokens[tokenClass];
    if (count > 0) scaled += BigInt(count) * rates[tokenClass];
  }
  return (scaled + TOKENS_PER_RATE - 1n) / TOKENS_PER_RATE;
}

/** The dearest rate among the given classes over the base rates and every tier that `inputMax` tokens can reach. */
export function dearestRate(price: Price, classes: readonly TokenClass[], inputMax: number): NanoUsd {
  const reachable = price.tiers.filter((tier) => inputMax > tier.aboveInputTokens).map((tier) => tier.rates);
  let dearest = 0n;
  for (const rates of [price.rates, ...reachable]) {
    for (const tokenClass of classes) if (rates[tokenClass] > dearest) dearest = rates[tokenClass];
  }
  return dearest;
}

/** Whether nothing is ever charged at this price. */
export function isFree(price: Price): boolean {
  return [price.rates, ...price.tiers.map((tier) => tier.rates)].every((rates) =>
    TOKEN_CLASSES.every((tokenClass) => rates[tokenClass] === 0n),
  );
}
