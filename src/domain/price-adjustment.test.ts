import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withServiceTiers } from '../../test/support/random-tiers.ts';
import {
  adjustedPrice,
  adjustedRate,
  BASIS_POINTS_MAX,
  BASIS_POINTS_MIN,
  formatPercent,
  parsePercent,
} from './price-adjustment.ts';
import { costOf, feesOf, type Price, type Rates } from './price.ts';
import { priceIn, tiersOf } from './tier-price.ts';
import { TOKEN_CLASSES, type TokenClass, type TokenCounts } from './usage.ts';
import { USE_CLASSES, type Uses } from './uses.ts';

const rate = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n });
const points = fc.integer({ min: BASIS_POINTS_MIN, max: BASIS_POINTS_MAX });
const rates: fc.Arbitrary<Rates> = fc.record(
  Object.fromEntries(TOKEN_CLASSES.map((one) => [one, rate])) as Record<TokenClass, typeof rate>,
);
const price = fc.record({
  rates,
  tiers: fc.array(fc.record({ aboveInputTokens: fc.nat(), rates }), { maxLength: 2 }),
  fees: fc.dictionary(fc.constantFrom(...USE_CLASSES), rate, { noNullPrototype: true }),
});
const servedPrice = price.chain((each) => withServiceTiers(each, rates));
const uses: fc.Arbitrary<Uses> = fc.dictionary(fc.constantFrom(...USE_CLASSES), fc.nat(), { noNullPrototype: true });
const costWith = (at: Price, used: TokenCounts, usedTools: Uses): bigint => costOf(at, used) + feesOf(at, usedTools);
const tokens: fc.Arbitrary<TokenCounts> = fc.record(
  Object.fromEntries(TOKEN_CLASSES.map((one) => [one, fc.nat()])) as Record<TokenClass, fc.Arbitrary<number>>,
);

test('an adjusted rate is the exact one rounded up to one nano-USD, and never below zero', () => {
  fc.assert(
    fc.property(rate, points, (list, basisPoints) => {
      const exact = list * BigInt(10_000 + basisPoints);
      const adjusted = adjustedRate(list, basisPoints);
      expect(adjusted >= 0n).toBe(true);
      expect(adjusted * 10_000n >= exact && (adjusted - 1n) * 10_000n < exact).toBe(true);
    }),
  );
});

test('a higher rate or a higher adjustment never makes an adjusted rate lower', () => {
  fc.assert(
    fc.property(rate, rate, points, points, (one, other, first, second) => {
      const [low, high] = one < other ? [one, other] : [other, one];
      const [less, more] = first < second ? [first, second] : [second, first];
      expect(adjustedRate(low, less) <= adjustedRate(high, less)).toBe(true);
      expect(adjustedRate(low, less) <= adjustedRate(low, more)).toBe(true);
    }),
  );
});

test('an adjustment changes each service tier as it changes the price itself', () => {
  fc.assert(
    fc.property(servedPrice, points, (list, basisPoints) => {
      const adjusted = adjustedPrice(list, basisPoints);
      expect(tiersOf(adjusted)).toEqual(tiersOf(list));
      for (const tier of tiersOf(list)) {
        const [own, before] = [priceIn(adjusted, tier), priceIn(list, tier)];
        expect(own).toEqual(before && adjustedPrice(before, basisPoints));
      }
    }),
  );
});

test('an adjustment of nothing leaves every rate, a full discount leaves none', () => {
  fc.assert(
    fc.property(price, tokens, uses, (list, used, usedTools) => {
      expect(adjustedPrice(list, 0)).toEqual(list);
      expect(costWith(adjustedPrice(list, BASIS_POINTS_MIN), used, usedTools)).toBe(0n);
    }),
  );
});

test('a discount never raises the cost of a request, and a mark-up never lowers it', () => {
  fc.assert(
    fc.property(price, tokens, uses, points, (list, used, usedTools, basisPoints) => {
      const [at, adjusted] = [list, adjustedPrice(list, basisPoints)].map((each) => costWith(each, used, usedTools));
      if (at === undefined || adjusted === undefined) return;
      expect(basisPoints > 0 ? adjusted >= at : adjusted <= at).toBe(true);
    }),
  );
});

test('the highest rate with the highest mark-up is still one that a price version can store', () => {
  expect(String(adjustedRate(10n ** 18n - 1n, BASIS_POINTS_MAX))).toMatch(/^\d{1,19}$/);
});

test('percentages are read as they are written', () => {
  fc.assert(
    fc.property(points, (basisPoints) => {
      expect(parsePercent(formatPercent(basisPoints))).toBe(basisPoints);
    }),
  );
});

test.each([
  ['10', 1_000],
  ['-12.5', -1_250],
  ['0.05', 5],
  ['-0', 0],
  ['-100', -10_000],
  ['900', 90_000],
  ['-100.01', null],
  ['900.01', null],
  ['10%', null],
  ['1.005', null],
  ['1e2', null],
  ['', null],
])('the percentage "%s" means %s basis points', (text, basisPoints) => {
  expect(parsePercent(text)).toBe(basisPoints);
});

test.each([
  [0, '0'],
  [100, '1'],
  [-1_000, '-10'],
  [-1_250, '-12.5'],
  [1, '0.01'],
  [-10, '-0.1'],
])('an adjustment of %d basis points is written as %s percent', (basisPoints, text) => {
  expect(formatPercent(basisPoints)).toBe(text);
});
