import type { NanoUsd } from './money.ts';
import type { ServiceTier } from './service-tier.ts';
import { inputTokens, TOKEN_CLASSES, type TokenClass, type TokenCounts } from './usage.ts';
import { heaviestUses, USE_CLASSES, type UseClass, type Uses, type UsesBound } from './uses.ts';

/** Nano-USD per million tokens of each class. */
export type Rates = Readonly<Record<TokenClass, NanoUsd>>;

/** Rates that apply to the whole request once its input exceeds a number of tokens. */
export interface PriceTier {
  readonly aboveInputTokens: number;
  readonly rates: Rates;
}

/** Nano-USD per use, whatever the size of the request. A tool that is not in it is not for sale. */
export type Fees = Readonly<Partial<Record<UseClass, NanoUsd>>>;

/** Base rates, and tiers in rising order of `aboveInputTokens`. */
export interface TierPrice {
  readonly rates: Rates;
  readonly tiers: readonly PriceTier[];
}

/** A model's price. */
export interface Price extends TierPrice {
  /** The prices of other service tiers, each with the steps of this one; absent if there are none. */
  readonly serviceTiers?: Readonly<Partial<Record<ServiceTier, TierPrice>>>;
  /** Absent if only tokens are charged. */
  readonly fees?: Fees;
}

const TOKENS_PER_RATE = 1_000_000n;

/** The cost of one class of tokens. */
export interface CostLine {
  readonly tokenClass: TokenClass;
  readonly tokens: number;
  /** Nano-USD per million tokens. */
  readonly rate: NanoUsd;
  /** tokens × rate: exact, in millionths of a nano-USD. */
  readonly exact: bigint;
}

/** The cost of one class of uses. */
export interface FeeLine {
  readonly useClass: UseClass;
  readonly uses: number;
  /** Nano-USD per use. */
  readonly fee: NanoUsd;
  /** uses × fee: in millionths of a nano-USD, as lines of tokens are. */
  readonly exact: bigint;
}

/** A cost in detail: a line for each class that was used, and their sum. */
export interface ItemisedCost {
  /** The tier that applied; null if the base rates did. */
  readonly aboveInputTokens: number | null;
  readonly lines: readonly CostLine[];
  readonly feeLines: readonly FeeLine[];
  /** In millionths of a nano-USD. */
  readonly exact: bigint;
  /** The sum rounded up once, to one nano-USD. */
  readonly cost: NanoUsd;
}

function tierFor(price: TierPrice, input: number): PriceTier | undefined {
  return price.tiers.findLast((tier) => input > tier.aboveInputTokens);
}

function roundedUp(exact: bigint): NanoUsd {
  return (exact + TOKENS_PER_RATE - 1n) / TOKENS_PER_RATE;
}

/** The cost of the tokens at this price: exact, then rounded up once, to one nano-USD. */
export function costOf(price: TierPrice, tokens: TokenCounts): NanoUsd {
  const rates = tierFor(price, inputTokens(tokens))?.rates ?? price.rates;
  let exact = 0n;
  for (const tokenClass of TOKEN_CLASSES) {
    const count = tokens[tokenClass];
    if (count > 0) exact += BigInt(count) * rates[tokenClass];
  }
  return roundedUp(exact);
}

/** The cost of the uses at this price, in addition to the tokens. A use without a fee costs nothing. */
export function feesOf({ fees }: Price, uses: Uses): NanoUsd {
  let sum = 0n;
  if (fees === undefined) return sum;
  for (const useClass of USE_CLASSES) sum += BigInt(uses[useClass] ?? 0) * (fees[useClass] ?? 0n);
  return sum;
}

/**
 * The most that a request can cost besides its tokens; `bound`: of the tools that it offers, null if none; `requestsMax`: the
 * most requests that the provider may bill it as.
 */
export function feesMax({ fees }: Price, bound: UsesBound | null, requestsMax = 1): NanoUsd {
  if (fees === undefined) return 0n;
  const ofTools = bound === null ? 0n : heaviestUses(bound, (tool) => fees[tool] ?? 0n);
  return (fees.request ?? 0n) * BigInt(requestsMax) + ofTools;
}

/** The cost of tokens and uses with every step of the arithmetic. */
export function itemiseCost(price: Price, tokens: TokenCounts, uses: Uses): ItemisedCost {
  const tier = tierFor(price, inputTokens(tokens));
  const rates = tier?.rates ?? price.rates;
  const lines = TOKEN_CLASSES.filter((tokenClass) => tokens[tokenClass] > 0).map((tokenClass) => {
    const [count, rate] = [tokens[tokenClass], rates[tokenClass]];
    return { tokenClass, tokens: count, rate, exact: BigInt(count) * rate };
  });
  const feeLines = USE_CLASSES.flatMap((useClass): readonly FeeLine[] => {
    const [count, fee] = [uses[useClass] ?? 0, price.fees?.[useClass]];
    return count === 0 || fee === undefined
      ? []
      : [{ useClass, uses: count, fee, exact: BigInt(count) * fee * TOKENS_PER_RATE }];
  });
  const exact = [...lines, ...feeLines].reduce((sum, line) => sum + line.exact, 0n);
  return { aboveInputTokens: tier?.aboveInputTokens ?? null, lines, feeLines, exact, cost: roundedUp(exact) };
}

/** The highest rate among the given classes over the base rates and every tier that `inputMax` tokens can reach. */
export function highestRate(price: Price, classes: readonly TokenClass[], inputMax: number): NanoUsd {
  let highest = highestIn(price.rates, classes);
  for (const { aboveInputTokens, rates } of price.tiers) {
    if (inputMax <= aboveInputTokens) continue;
    const inTier = highestIn(rates, classes);
    if (inTier > highest) highest = inTier;
  }
  return highest;
}

function highestIn(rates: Rates, classes: readonly TokenClass[]): NanoUsd {
  let highest = 0n;
  for (const tokenClass of classes) if (rates[tokenClass] > highest) highest = rates[tokenClass];
  return highest;
}

/** Whether nothing is ever charged at this price, in the standard tier. */
export function isFree(price: Price): boolean {
  if (Object.values(price.fees ?? {}).some((fee) => fee > 0n)) return false;
  return [price.rates, ...price.tiers.map((tier) => tier.rates)].every((rates) =>
    TOKEN_CLASSES.every((tokenClass) => rates[tokenClass] === 0n),
  );
}
