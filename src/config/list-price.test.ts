import fc from 'fast-check';
import { expect, test } from 'vitest';
import { costOf, feesOf } from '../domain/price.ts';
import { TOKEN_CLASSES, type TokenClass, type TokenCounts } from '../domain/usage.ts';
import { USE_CLASSES, type Uses } from '../domain/uses.ts';
import { toPrice } from './config-price.ts';
import type { FilePrice, FileRates } from './file-prices.ts';
import { markedUpPrice } from './list-price.ts';

const rate = fc.bigInt({ min: 0n, max: 10n ** 13n });
const { input, ...others } = Object.fromEntries(TOKEN_CLASSES.map((one) => [one, rate])) as Record<
  TokenClass,
  typeof rate
>;
const rates = fc.record({ input, ...others }, { requiredKeys: ['input'] }) as fc.Arbitrary<FileRates>;
const tiers = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 1_000_000 }), rates), { maxLength: 3, selector: ([above]) => above })
  .map((each) =>
    each
      .toSorted(([left], [right]) => left - right)
      .map(([above, ofTier]) => ({ ...ofTier, above_input_tokens: above })),
  );
const fees = fc.dictionary(fc.constantFrom(...USE_CLASSES), rate, { noNullPrototype: true });
const cost = fc
  .record({ base: rates, tiers, fees })
  .map(({ base, ...more }): FilePrice => ({ ...(base as FilePrice), ...more }));
const costs = fc.array(cost, { minLength: 1, maxLength: 3 });
const markup = fc.integer({ min: 0, max: 90_000 });
const tokens: fc.Arbitrary<TokenCounts> = fc.record(
  Object.fromEntries(TOKEN_CLASSES.map((one) => [one, fc.nat({ max: 2_000_000 })])) as Record<
    TokenClass,
    fc.Arbitrary<number>
  >,
);
const uses: fc.Arbitrary<Uses> = fc.dictionary(fc.constantFrom(...USE_CLASSES), fc.nat({ max: 100 }), {
  noNullPrototype: true,
});
const amountOf = (price: FilePrice, used: TokenCounts, usedTools: Uses): bigint =>
  costOf(toPrice(price), used) + feesOf(toPrice(price), usedTools);

test('a price by a mark-up charges every request at least its cost at any route and the mark-up on it', () => {
  fc.assert(
    fc.property(costs, markup, tokens, uses, (asked, basisPoints, used, usedTools) => {
      const charge = amountOf(markedUpPrice(asked, basisPoints), used, usedTools);
      for (const each of asked) {
        // A cost is rounded up to one nano-USD as a whole, so its mark-up may be of one nano-USD too much.
        const least = ((amountOf(each, used, usedTools) - 1n) * BigInt(10_000 + basisPoints)) / 10_000n;
        expect(charge).toBeGreaterThanOrEqual(least);
        expect(charge).toBeGreaterThanOrEqual(amountOf(each, used, usedTools));
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a price by a mark-up is never a nano-USD per million above the exact one', () => {
  fc.assert(
    fc.property(rates, markup, (asked, basisPoints) => {
      const [exact, made] = [toPrice(asked).rates, toPrice(markedUpPrice([asked], basisPoints)).rates];
      for (const tokenClass of TOKEN_CLASSES) {
        const times = exact[tokenClass] * BigInt(10_000 + basisPoints);
        expect(made[tokenClass] * 10_000n >= times && (made[tokenClass] - 1n) * 10_000n < times).toBe(true);
      }
    }),
  );
});

test('a service tier is sold above its cost if all routes have one, and not if one has none', () => {
  const steps = (perInput: bigint, output: bigint): FilePrice => ({
    input: perInput,
    output,
    tiers: [{ above_input_tokens: 1_000, input: 2n * perInput, output: 2n * output }],
  });
  const [low, high] = [steps(100n, 300n), steps(200n, 200n)].map((base): FilePrice => {
    return { ...base, service_tiers: { priority: steps(3n * base.input, 3n * (base.output ?? 0n)) } };
  });
  if (low === undefined || high === undefined) throw new Error('there are two costs');
  const { priority } = markedUpPrice([low, high], 1_000).service_tiers ?? {};
  expect(priority).toEqual({
    input: 660n,
    output: 990n,
    tiers: [{ above_input_tokens: 1_000, input: 1_320n, output: 1_980n }],
  });
  const flexible = { ...high, service_tiers: { ...high.service_tiers, flex: steps(1n, 1n) } };
  expect(Object.keys(markedUpPrice([low, flexible], 0).service_tiers ?? {})).toEqual(['priority']);
  expect(markedUpPrice([steps(1n, 1n), high], 0)).not.toHaveProperty('service_tiers');
});

test('of two routes the more expensive counts, in each class and at each length of input', () => {
  const low: FilePrice = { input: 100n, output: 300n, cached_input: 10n };
  const high: FilePrice = {
    input: 50n,
    output: 500n,
    tiers: [{ above_input_tokens: 1_000, input: 400n, output: 200n }],
    fees: { request: 7n },
  };
  expect(markedUpPrice([low, high], 1_000)).toEqual({
    input: 110n,
    cached_input: 55n,
    output: 550n,
    tiers: [{ above_input_tokens: 1_000, input: 440n, cached_input: 440n, output: 330n }],
    fees: { request: 8n },
  });
});
