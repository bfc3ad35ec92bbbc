import fc from 'fast-check';
import { expect, test } from 'vitest';
import { costOf, feesMax, feesOf, highestRate, isFree, itemiseCost, type Price, type Rates } from './price.ts';
import { INPUT_CLASSES, inputTokens, NO_TOKENS, OUTPUT_CLASSES, TOKEN_CLASSES, type TokenCounts } from './usage.ts';
import { HOSTED_TOOLS, type HostedTool, USE_CLASSES, type Uses, type UsesBound } from './uses.ts';

const FREE: Rates = {
  input: 0n,
  cached_input: 0n,
  cache_write_5m: 0n,
  cache_write_1h: 0n,
  audio_input: 0n,
  output: 0n,
  audio_output: 0n,
};
const flat = (rates: Partial<Rates>): Price => ({ rates: { ...FREE, ...rates }, tiers: [] });
const tokens = (counts: Partial<TokenCounts>): TokenCounts => ({ ...NO_TOKENS, ...counts });

const record = <Value>(values: fc.Arbitrary<Value>) =>
  fc
    .tuple(...TOKEN_CLASSES.map(() => values))
    .map((drawn) => Object.fromEntries(TOKEN_CLASSES.map((name, index) => [name, drawn[index]])));
const anyRates = record(fc.bigInt(0n, 10n ** 12n)) as fc.Arbitrary<Rates>;
const anyTokens = record(fc.nat(2_000_000)) as fc.Arbitrary<TokenCounts>;
const usesOf = (most: number): fc.Arbitrary<Uses> =>
  fc.dictionary(fc.constantFrom(...USE_CLASSES), fc.integer({ min: 1, max: most }), { noNullPrototype: true });
const anyUses = usesOf(1_000);
const anyFees = fc.dictionary(fc.constantFrom(...USE_CLASSES), fc.bigInt(0n, 10n ** 12n), { noNullPrototype: true });
const anyPrice: fc.Arbitrary<Price> = fc
  .tuple(anyRates, fc.array(fc.tuple(fc.nat(3_000_000), anyRates), { maxLength: 3 }), fc.option(anyFees))
  .map(([rates, tiers, fees]) => ({
    ...(fees && { fees }),
    rates,
    tiers: tiers
      .toSorted(([one], [other]) => one - other)
      .map(([aboveInputTokens, tierRates]) => ({ aboveInputTokens, rates: tierRates })),
  }));

test.each([
  ['nothing', {}, 0n],
  ['a million input tokens', { input: 1_000_000 }, 250_000_000n],
  ['one input token, exactly', { input: 1 }, 250n],
  ['each class at its own rate', { input: 1_000, cached_input: 1_000, output: 1_000 }, 250_000n + 25_000n + 2_000_000n],
])('a cost is the sum of its classes: %s', (_name, counts, cost) => {
  const price = flat({ input: 250_000_000n, cached_input: 25_000_000n, output: 2_000_000_000n });
  expect(costOf(price, tokens(counts))).toBe(cost);
});

test('a cost is rounded up once, not once for each class', () => {
  const price = flat({ input: 1n, output: 1n });
  expect(costOf(price, tokens({ input: 1, output: 1 }))).toBe(1n);
  expect(costOf(price, tokens({ input: 600_000, output: 400_000 }))).toBe(1n);
  expect(costOf(price, tokens({ input: 600_000, output: 400_001 }))).toBe(2n);
});

test('a cost goes by the highest tier that the input exceeds, for the whole request', () => {
  const price: Price = {
    rates: { ...FREE, input: 1_000_000n, output: 1_000_000n },
    tiers: [
      { aboveInputTokens: 100, rates: { ...FREE, input: 2_000_000n, output: 3_000_000n } },
      { aboveInputTokens: 200, rates: { ...FREE, input: 4_000_000n, output: 5_000_000n } },
    ],
  };
  expect(costOf(price, tokens({ input: 100, output: 10 }))).toBe(110n);
  expect(costOf(price, tokens({ input: 60, cached_input: 41, output: 10 }))).toBe(120n + 30n);
  expect(costOf(price, tokens({ input: 200, output: 1 }))).toBe(403n);
  expect(costOf(price, tokens({ input: 201, output: 1 }))).toBe(809n);
  // Output alone raises no tier.
  expect(costOf(price, tokens({ input: 1, output: 1_000 }))).toBe(1_001n);
});

test('a cost is the exact sum of its lines, rounded up', () => {
  fc.assert(
    fc.property(anyPrice, anyTokens, anyUses, (price, counts, uses) => {
      const { lines, feeLines, exact, cost } = itemiseCost(price, counts, uses);
      expect([...lines, ...feeLines].reduce((sum, line) => sum + line.exact, 0n)).toBe(exact);
      expect(lines.map(({ tokenClass }) => tokenClass)).toEqual(TOKEN_CLASSES.filter((name) => counts[name] > 0));
      expect(cost).toBe(costOf(price, counts) + feesOf(price, uses));
      expect(cost * 1_000_000n).toBeGreaterThanOrEqual(exact);
      expect((cost - 1n) * 1_000_000n).toBeLessThan(exact === 0n ? 1n : exact);
    }),
  );
});

test('a cost is never above all tokens at the highest rate that their number can reach', () => {
  fc.assert(
    fc.property(anyPrice, anyTokens, fc.nat(100_000), (price, counts, spare) => {
      const input = inputTokens(counts);
      const output = OUTPUT_CLASSES.reduce((sum, name) => sum + counts[name], 0);
      const most =
        BigInt(input) * highestRate(price, INPUT_CLASSES, input + spare) +
        BigInt(output) * highestRate(price, OUTPUT_CLASSES, input + spare);
      expect(costOf(price, counts) * 1_000_000n - most).toBeLessThan(1_000_000n);
    }),
  );
});

test('the highest rate knows the classes that were asked for and the tiers that can be reached, no others', () => {
  const price: Price = {
    rates: { ...FREE, input: 5n, cache_write_1h: 7n, output: 100n },
    tiers: [{ aboveInputTokens: 10, rates: { ...FREE, input: 9n } }],
  };
  expect(highestRate(price, INPUT_CLASSES, 10)).toBe(7n);
  expect(highestRate(price, INPUT_CLASSES, 11)).toBe(9n);
  expect(highestRate(price, OUTPUT_CLASSES, 11)).toBe(100n);
});

test('a price is free only if no class of any tier costs anything', () => {
  expect(isFree(flat({}))).toBe(true);
  expect(isFree(flat({ audio_output: 1n }))).toBe(false);
  expect(isFree({ rates: FREE, tiers: [{ aboveInputTokens: 1, rates: { ...FREE, cached_input: 1n } }] })).toBe(false);
});

test('a price with a fee alone is not free', () => {
  expect(isFree({ ...flat({}), fees: { web_search: 0n } })).toBe(true);
  expect(isFree({ ...flat({}), fees: { web_search: 0n, request: 1n } })).toBe(false);
});

test('a fee line is there for each class that was used and has a fee, maybe of nothing', () => {
  const price: Price = { ...flat({}), fees: { request: 5n, web_search: 10n, mcp: 0n } };
  const { feeLines, cost } = itemiseCost(price, NO_TOKENS, { request: 1, web_search: 3, mcp: 2, web_fetch: 9 });
  expect(feeLines.map(({ useClass, uses, fee }) => [useClass, uses, fee])).toEqual([
    ['request', 1, 5n],
    ['web_search', 3, 10n],
    ['mcp', 2, 0n],
  ]);
  expect(cost).toBe(35n);
});

test('fees are the sum over requests, whatever they are split into', () => {
  fc.assert(
    fc.property(anyPrice, anyUses, anyUses, (price, one, other) => {
      const both = Object.fromEntries(USE_CLASSES.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
      expect(feesOf(price, both)).toBe(feesOf(price, one) + feesOf(price, other));
    }),
  );
});

test('the most that fees can come to is reached by some uses within the bound, and exceeded by none', () => {
  const each = fc.dictionary(fc.constantFrom(...HOSTED_TOOLS), fc.integer({ min: 1, max: 4 }), {
    noNullPrototype: true,
  });
  const bound: fc.Arbitrary<UsesBound> = fc.record({ each, total: fc.nat(8) });
  fc.assert(
    fc.property(anyPrice, bound, (price, most) => {
      let highest = 0n;
      const tools = Object.keys(most.each) as HostedTool[];
      const walk = (index: number, left: number, uses: Uses): void => {
        const tool = tools[index];
        if (tool === undefined) {
          const fees = feesOf(price, { request: 1, ...uses });
          if (fees > highest) highest = fees;
          return;
        }
        for (let count = 0; count <= Math.min(left, most.each[tool] ?? 0); count++)
          walk(index + 1, left - count, { ...uses, [tool]: count });
      };
      walk(0, most.total, {});
      expect(feesMax(price, most)).toBe(highest);
    }),
    { numRuns: 200 },
  );
});

test('an itemised cost names the tier that its input is in, and no fee for what was not used', () => {
  const rates = Object.fromEntries(TOKEN_CLASSES.map((name) => [name, 1_000_000n])) as unknown as Rates;
  const price: Price = { rates, tiers: [{ aboveInputTokens: 100, rates }], fees: { request: 5n, web_search: 7n } };
  const cost = (input: number, uses: Uses) => itemiseCost(price, { ...NO_TOKENS, input }, uses);
  expect(cost(100, { request: 1 })).toMatchObject({ aboveInputTokens: null, cost: 105n });
  expect(cost(101, { request: 1 })).toMatchObject({ aboveInputTokens: 100, cost: 106n });
  expect(cost(1, { request: 1, web_search: 0 }).feeLines.map(({ useClass }) => useClass)).toEqual(['request']);
});
