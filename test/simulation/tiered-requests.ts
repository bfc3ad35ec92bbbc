import type { ModelTerms } from '../../src/domain/model.ts';
import type { NanoUsd } from '../../src/domain/money.ts';
import { costOf, type Price, type Rates, type TierPrice } from '../../src/domain/price.ts';
import { quoteChat } from '../../src/domain/quote.ts';
import {
  type AnsweredTier,
  type RequestedTier,
  SERVICE_TIERS,
  type ServiceTier,
} from '../../src/domain/service-tier.ts';
import { chargedTier, priceIn, quotedTerms } from '../../src/domain/tier-price.ts';
import { NO_TOKENS, TOKEN_CLASSES, type TokenClass, type TokenCounts } from '../../src/domain/usage.ts';
import { must } from './must.ts';
import type { Random } from './random.ts';

const TOKENS_PER_RATE = 1_000_000n;
/** The highest price of a token, in nano-USD, and the tokens of input and output that a request has at most. */
const RATE_LARGEST = 10n;
const TOKENS_MOST = 50;
/** The length of input above which a price has other rates. */
const STEP_TOKENS = 10;
const MODELS = 3;

/** A request for a model that may be sold in several service tiers. What it costs is known once its provider has answered. */
export interface TieredRequest {
  readonly price: Price;
  readonly requested: RequestedTier;
  readonly inputMax: number;
  readonly cap: number;
  readonly hold: NanoUsd;
}

/** How a provider has answered a request, and what that costs. */
export interface TieredAnswer {
  readonly charge: NanoUsd;
  /** It doesn't name the tier that it is charged in. */
  readonly isEstimated: boolean;
}

/** Models with prices for service tiers, requests for them, and their providers' answers. */
export class TieredModels {
  readonly #random: Random;
  readonly #prices: readonly Price[];

  constructor(random: Random) {
    this.#random = random;
    this.#prices = Array.from({ length: MODELS }, () => this.#anyPrice());
  }

  /** A request that is quoted as the gateway quotes it. */
  request(): TieredRequest {
    const random = this.#random;
    const price = random.pick(this.#prices);
    const sold = SERVICE_TIERS.filter((tier) => price.serviceTiers?.[tier] !== undefined);
    const requested = random.pick([null, null, 'standard', ...sold] as const);
    const most = random.pick([TOKENS_MOST, TOKENS_MOST, TOKENS_MOST / 10]);
    const [inputMax, cap] = [random.between(1, most), random.between(1, most)];
    const { hold } = quoteChat(quotedTerms(termsOf(price), requested), inputMax, 1, cap, null)[0];
    return { price, requested, inputMax, cap, hold };
  }

  /** An answer of any length, in any tier in which the provider may serve the request. @throws Error if it isn't charged as that tier */
  answer({ price, requested, inputMax, cap }: TieredRequest): TieredAnswer {
    const random = this.#random;
    const tokens = this.#tokens(inputMax, cap);
    const answered = random.pick<AnsweredTier>([null, 'standard', requested, requested ?? 'priority']);
    const { tier, isEstimated } = chargedTier(price, requested, answered);
    const charge = costOf(priceIn(price, tier) ?? price, tokens);
    const billed = billedTier(price, requested, answered);
    must(tier === billed, 'an answer is charged in another tier than its provider bills');
    must(isEstimated === (billed !== null && answered === null), 'a tier that no answer names passes for exact');
    must(
      charge === costOf(billed === null ? price : (price.serviceTiers?.[billed] ?? price), tokens),
      'a tier has the rates of another',
    );
    return { charge, isEstimated };
  }

  #tokens(inputMax: number, cap: number): TokenCounts {
    const random = this.#random;
    const isFull = random.chance(0.5);
    const upTo = (most: number): number => (isFull ? most : random.between(0, most));
    const inputClass = random.pick(['input', 'cached_input', 'cache_write_1h', 'audio_input'] as const);
    const outputClass = random.pick(['output', 'audio_output'] as const);
    return { ...NO_TOKENS, [inputClass]: upTo(inputMax), [outputClass]: upTo(cap) };
  }

  /** A price for the standard tier and for some of the others, which may cost more or less. */
  #anyPrice(): Price {
    const random = this.#random;
    const hasStep = random.chance(0.5);
    const sold = SERVICE_TIERS.filter(() => random.chance(0.6));
    const tiers = sold.map((tier) => [tier, this.#anyRates(hasStep)] as const);
    return { ...this.#anyRates(hasStep), ...(sold.length > 0 && { serviceTiers: Object.fromEntries(tiers) }) };
  }

  #anyRates(hasStep: boolean): TierPrice {
    const rates = (): Rates =>
      Object.fromEntries(
        TOKEN_CLASSES.map((name) => [name, this.#random.amount(RATE_LARGEST) * TOKENS_PER_RATE]),
      ) as Record<TokenClass, NanoUsd>;
    return { rates: rates(), tiers: hasStep ? [{ aboveInputTokens: STEP_TOKENS, rates: rates() }] : [] };
  }
}

/**
 * The tier whose price a provider asks: the one that its answer names, else the requested one. What has no price is sold at
 * the standard one.
 */
function billedTier(price: Price, requested: RequestedTier, answered: AnsweredTier): ServiceTier | null {
  const named = answered ?? requested;
  if (named === null || named === 'standard') return null;
  return price.serviceTiers?.[named] === undefined ? null : named;
}

function termsOf(price: Price): ModelTerms {
  return {
    kind: 'chat',
    price,
    contextWindow: 2 * TOKENS_MOST,
    maxOutput: TOKENS_MOST,
    media: { imageTokens: null, audioTokens: null, fileTokens: null },
  };
}
