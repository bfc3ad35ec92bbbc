import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withServiceTiers } from '../../test/support/random-tiers.ts';
import type { ModelTerms } from './model.ts';
import { costOf, type Price, type Rates, type TierPrice } from './price.ts';
import { promptTokensMax, quoteChat } from './quote.ts';
import { type AnsweredTier, type RequestedTier, SERVICE_TIERS, type ServiceTier } from './service-tier.ts';
import { chargedTier, priceIn, quotedTerms, tiersOf } from './tier-price.ts';
import { INPUT_CLASSES, NO_TOKENS, OUTPUT_CLASSES, TOKEN_CLASSES, type TokenClass, type TokenCounts } from './usage.ts';

const ratesOf = (perMillion: bigint): Rates =>
  Object.fromEntries(TOKEN_CLASSES.map((name) => [name, perMillion])) as Record<TokenClass, bigint>;
const flat = (perMillion: bigint): TierPrice => ({ rates: ratesOf(perMillion), tiers: [] });
const priced = (tiers: Partial<Record<ServiceTier, bigint>>): Price => ({
  ...flat(10n),
  serviceTiers: Object.fromEntries(Object.entries(tiers).map(([tier, rate]) => [tier, flat(rate)])),
});
const ALL = priced({ flex: 5n, priority: 20n, fast: 60n });

const termsOf = (price: Price): ModelTerms => ({
  kind: 'chat',
  price,
  contextWindow: 200_000,
  maxOutput: 20_000,
  media: { imageTokens: 1, audioTokens: 1, fileTokens: 1 },
});

test.each<[RequestedTier, AnsweredTier, ServiceTier | null, boolean]>([
  [null, null, null, false],
  [null, 'standard', null, false],
  [null, 'priority', 'priority', false],
  [null, 'flex', null, false],
  ['standard', null, null, false],
  ['standard', 'priority', null, false],
  ['flex', 'flex', 'flex', false],
  ['flex', null, 'flex', true],
  ['flex', 'standard', null, false],
  ['priority', 'priority', 'priority', false],
  ['priority', 'standard', null, false],
  ['priority', null, 'priority', true],
  ['priority', 'flex', null, false],
  ['fast', 'fast', 'fast', false],
  ['fast', null, 'fast', true],
])(
  'of a request for %s, an answer that names %s is charged as %s, and estimated: %s',
  (asked, named, tier, estimated) => {
    expect(chargedTier(ALL, asked, named)).toEqual({ tier, isEstimated: estimated });
  },
);

test('a tier without a price is charged as the standard one, and so is every tier of a model that has none', () => {
  expect(chargedTier(priced({ flex: 5n }), null, 'priority')).toEqual({ tier: null, isEstimated: false });
  expect(chargedTier(flat(10n), 'priority', 'priority')).toEqual({ tier: null, isEstimated: false });
  expect(tiersOf(ALL)).toEqual(['flex', 'priority', 'fast']);
  expect(tiersOf(flat(10n))).toEqual([]);
});

test('a price in a tier has the fees of the price; an unknown tier has none', () => {
  const price = { ...ALL, fees: { request: 7n } };
  expect(priceIn(price, 'priority')).toEqual({ ...flat(20n), fees: { request: 7n } });
  expect(priceIn(price, null)).toBe(price);
  expect(priceIn(price, 'scale')).toBeNull();
  expect(priceIn(flat(10n), 'flex')).toBeNull();
});

test.each<[RequestedTier, bigint]>([
  [null, 20n],
  ['standard', 10n],
  ['flex', 10n],
  ['priority', 20n],
  ['fast', 60n],
])('a request for %s is quoted at the higher rate of its tier and the standard one', (asked, rate) => {
  expect(quotedTerms(termsOf(ALL), asked).price.rates).toEqual(ratesOf(rate));
});

test('terms without tiers, and those of requests that can have none, are quoted as they are', () => {
  const [plain, tiered] = [termsOf(flat(10n)), termsOf(ALL)];
  expect(quotedTerms(plain, 'priority')).toBe(plain);
  expect(quotedTerms(tiered, 'standard')).toBe(tiered);
  expect(quotedTerms(tiered, 'fast')).toBe(quotedTerms(tiered, 'fast'));
});

const anyRates = fc
  .tuple(...TOKEN_CLASSES.map(() => fc.oneof(fc.constant(0n), fc.bigInt(1n, 10n ** 12n))))
  .map((drawn) => Object.fromEntries(TOKEN_CLASSES.map((name, index) => [name, drawn[index]])) as unknown as Rates);
const anyPrice = fc
  .tuple(
    anyRates,
    fc.uniqueArray(fc.nat(150_000), { maxLength: 3 }),
    fc.array(anyRates, { minLength: 3, maxLength: 3 }),
  )
  .map(([rates, steps, others]): Price => {
    const rising = steps.toSorted((one, other) => one - other);
    return { rates, tiers: rising.map((aboveInputTokens, at) => ({ aboveInputTokens, rates: others[at] ?? rates })) };
  })
  .chain((price) => withServiceTiers(price, anyRates));
const anyRequested = fc.constantFrom<RequestedTier>(null, 'standard', ...SERVICE_TIERS);
const anyAnswered = fc.constantFrom<AnsweredTier>(null, 'standard', ...SERVICE_TIERS);

/** All input in one class, and all output in another. */
const anyUsage = fc.record({
  inputClass: fc.constantFrom(...INPUT_CLASSES),
  outputClass: fc.constantFrom(...OUTPUT_CLASSES),
  inputShare: fc.integer({ min: 0, max: 100 }),
  outputShare: fc.integer({ min: 0, max: 100 }),
});

test('whatever tier an answer names, no usage within the bounds of a quote costs more than its hold', () => {
  const request = fc.record({ bytes: fc.nat(250_000), maxTokens: fc.integer({ min: 1, max: 20_000 }) });
  fc.assert(
    fc.property(
      fc.tuple(anyPrice, anyRequested, anyAnswered),
      request,
      anyUsage,
      ([price, requested, answered], { bytes, maxTokens }, used) => {
        const terms = termsOf(price);
        const extent = { textBytes: bytes, messages: 1, images: 0, audios: 0, files: 0 };
        const inputMax = promptTokensMax(terms, extent);
        const [{ hold }] = quoteChat(quotedTerms(terms, requested), inputMax, 1, maxTokens, null);
        const tokens: TokenCounts = {
          ...NO_TOKENS,
          [used.inputClass]: Math.floor((inputMax * used.inputShare) / 100),
          [used.outputClass]: Math.floor((maxTokens * used.outputShare) / 100),
        };
        const { tier } = chargedTier(price, requested, answered);
        const charged = priceIn(price, tier);
        expect(charged).not.toBeNull();
        expect(costOf(charged ?? price, tokens)).toBeLessThanOrEqual(hold);
      },
    ),
    { numRuns: 2_000 },
  );
});
