import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelTerms } from './model.ts';
import { costOf, feesOf, type Price, type Rates } from './price.ts';
import { promptTokensMax, largestCapWithin, quoteChat, quoteInput, type Quote, usesInputMax } from './quote.ts';
import { INPUT_CLASSES, NO_TOKENS, OUTPUT_CLASSES, TOKEN_CLASSES, type TokenCounts } from './usage.ts';
import { HOSTED_TOOLS, type HostedTool, type UsesBound } from './uses.ts';

// A request's maximum cost, over models, prices and requests of all kinds: never exceeded, and fully used.

const rates: fc.Arbitrary<Rates> = fc
  .tuple(...TOKEN_CLASSES.map(() => fc.oneof(fc.constant(0n), fc.bigInt(1n, 200_000_000_000n))))
  .map((values) => Object.fromEntries(TOKEN_CLASSES.map((name, index) => [name, values[index]])) as unknown as Rates);

const price: fc.Arbitrary<Price> = fc
  .record({
    rates,
    tiers: fc.array(fc.record({ aboveInputTokens: fc.integer({ min: 1, max: 200_000 }), rates }), { maxLength: 2 }),
    fees: fc.dictionary(fc.constantFrom('request', ...HOSTED_TOOLS), fc.bigInt(0n, 10n ** 9n), {
      noNullPrototype: true,
    }),
  })
  .map(({ tiers, ...base }) => ({
    ...base,
    tiers: tiers.toSorted((one, other) => one.aboveInputTokens - other.aboveInputTokens),
  }));

const anyTerms: fc.Arbitrary<ModelTerms> = fc.record({
  kind: fc.constant('chat'),
  price,
  contextWindow: fc.integer({ min: 1, max: 1_000_000 }),
  maxOutput: fc.integer({ min: 1, max: 200_000 }),
  media: fc.constant({ imageTokens: 1_000, audioTokens: null, fileTokens: null }),
  tools: fc.dictionary(
    fc.constantFrom(...HOSTED_TOOLS),
    fc.record({ maxUses: fc.constant(5), inputTokens: fc.option(fc.nat(100_000)) }),
    { noNullPrototype: true },
  ),
});

const bound: fc.Arbitrary<UsesBound> = fc.record({
  each: fc.dictionary(fc.constantFrom(...HOSTED_TOOLS), fc.integer({ min: 1, max: 10 }), { noNullPrototype: true }),
  total: fc.nat(20),
});

/** From nothing over fractions of a token's price to more than any request costs. */
const amount = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 1_000_000_000n), fc.bigInt(0n, 10n ** 17n));

const request = fc.record({
  terms: anyTerms,
  size: fc.record({
    textBytes: fc.integer({ min: 1, max: 1_000_000 }),
    messages: fc.integer({ min: 1, max: 50 }),
    images: fc.integer({ min: 0, max: 3 }),
    audios: fc.constant(0),
    files: fc.constant(0),
  }),
  choices: fc.integer({ min: 1, max: 128 }),
  available: fc.option(amount),
  maxCost: amount,
  tools: fc.option(bound),
  isInputSilent: fc.boolean(),
  isOutputSilent: fc.boolean(),
});

type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

function inputMaxOf({ terms, size, tools }: Request): number {
  return promptTokensMax(terms, size) + (tools === null ? 0 : usesInputMax(terms, tools));
}

function quotesOf(asked: Request, maxTokens: number | null = null) {
  const { terms, choices, available, maxCost, tools, isInputSilent, isOutputSilent } = asked;
  const beside = { maxCost, usesBound: tools, isInputSilent, isOutputSilent };
  return quoteChat(terms, inputMaxOf(asked), choices, maxTokens, available, beside);
}

/** The classes that the input, and the output, may have. */
const inputClasses = ({ isInputSilent }: Request) =>
  INPUT_CLASSES.filter((tokenClass) => !isInputSilent || tokenClass !== 'audio_input');
const outputClasses = ({ isOutputSilent }: Request) =>
  OUTPUT_CLASSES.filter((tokenClass) => !isOutputSilent || tokenClass !== 'audio_output');

/** Either all quotes fit, or none does, so the first one shows what is in the way. */
function fitting(quotes: readonly Quote[], maxCost: bigint): boolean {
  return quotes.every(({ hold }) => hold <= maxCost);
}

test('the maximum cost where no maximum of tokens is named is exceeded by no quote, or even by that of one token', () => {
  fc.assert(
    fc.property(request, (asked) => {
      const quotes = quotesOf(asked);
      if (fitting(quotes, asked.maxCost)) return;
      expect(quotes).toHaveLength(1);
      expect(quotes[0].cap).toBe(1);
    }),
  );
});

test('the maximum cost where no maximum of tokens is named is exceeded by no tokens that a quote allows', () => {
  const shares = fc.tuple(...TOKEN_CLASSES.map(() => fc.integer({ min: 0, max: 100 })));
  fc.assert(
    fc.property(request, shares, (asked, weights) => {
      const [quote] = quotesOf(asked);
      if (quote.hold > asked.maxCost) return;
      const tokens: TokenCounts = {
        ...NO_TOKENS,
        ...spread(inputClasses(asked), quote.inputTokensMax, weights),
        ...spread(outputClasses(asked), quote.cap * asked.choices, weights),
      };
      expect(costOf(asked.terms.price, tokens)).toBeLessThanOrEqual(asked.maxCost);
    }),
  );
});

test('the hold of a request covers every number of uses that its bound allows, what they read, and its tokens', () => {
  const shares = fc.tuple(...TOKEN_CLASSES.map(() => fc.integer({ min: 0, max: 100 })));
  fc.assert(
    fc.property(
      request,
      shares,
      fc.array(fc.constantFrom(...HOSTED_TOOLS), { maxLength: 20 }),
      (asked, weights, calls) => {
        const [quote] = quotesOf(asked);
        const { terms, tools, size, choices } = asked;
        const uses: Partial<Record<HostedTool, number>> = {};
        let [read, used] = [0, 0];
        for (const tool of calls) {
          if (tools === null || used >= tools.total || (uses[tool] ?? 0) >= (tools.each[tool] ?? 0)) continue;
          uses[tool] = (uses[tool] ?? 0) + 1;
          used++;
          read += terms.tools?.[tool]?.inputTokens ?? terms.contextWindow;
        }
        const tokens: TokenCounts = {
          ...NO_TOKENS,
          ...spread(inputClasses(asked), promptTokensMax(terms, size) + read, weights),
          ...spread(outputClasses(asked), quote.cap * choices, weights),
        };
        const fees = feesOf(terms.price, { request: 1, ...uses });
        expect(fees).toBeLessThanOrEqual(quote.fees);
        expect(costOf(terms.price, tokens) + fees).toBeLessThanOrEqual(quote.hold);
      },
    ),
  );
});

test('the maximum cost where no maximum of tokens is named lowers the cap to the largest that it covers', () => {
  fc.assert(
    fc.property(request, (asked) => {
      const unlimited = { ...asked, available: null };
      const [quote] = quotesOf(unlimited);
      if (quote.hold > asked.maxCost || quote.cap === asked.terms.maxOutput) return;
      const [next] = quotesOf(unlimited, quote.cap + 1);
      expect(next.hold).toBeGreaterThan(asked.maxCost);
      expect(quote.shortened).toBe(true);
    }),
  );
});

test('the maximum cost where no maximum of tokens is named changes nothing where it covers the whole hold', () => {
  fc.assert(
    fc.property(request, (asked) => {
      const { terms, choices, available, tools, isInputSilent, isOutputSilent } = asked;
      const beside = { usesBound: tools, isInputSilent, isOutputSilent };
      const free = quoteChat(terms, inputMaxOf(asked), choices, null, available, beside);
      const [highest] = quotesOf(asked, terms.maxOutput);
      expect(quotesOf({ ...asked, maxCost: highest.hold })).toEqual(free);
    }),
  );
});

test('a request that names its maximum of tokens is quoted for that, and told the largest that its money covers', () => {
  fc.assert(
    fc.property(request, fc.integer({ min: 1, max: 200_000 }), (asked, wanted) => {
      const maxTokens = Math.min(wanted, asked.terms.maxOutput);
      const [quote] = quotesOf(asked, maxTokens);
      expect(quote).toMatchObject({ cap: maxTokens, shortened: false });
      const { terms, choices, maxCost } = asked;
      const fits = largestCapWithin(terms, quote.inputTokensMax, choices, maxCost - quote.fees, asked);
      expect(quote.hold <= asked.maxCost).toBe(fits !== null && fits >= maxTokens);
    }),
  );
});

/** Shares a number of tokens out to classes by weight. */
function spread(
  classes: readonly (typeof TOKEN_CLASSES)[number][],
  total: number,
  weights: readonly number[],
): Partial<TokenCounts> {
  const own = classes.map((name) => weights[TOKEN_CLASSES.indexOf(name)] ?? 0);
  const sum = own.reduce((whole, weight) => whole + weight, 0);
  if (sum === 0) return {};
  return Object.fromEntries(classes.map((name, index) => [name, Math.floor((total * (own[index] ?? 0)) / sum)]));
}

test('the hold of a request without output covers its input at any rate, and the fee as often as it may be billed', () => {
  fc.assert(
    fc.property(anyTerms, fc.nat(1_000_000), fc.integer({ min: 1, max: 100 }), (terms, inputMax, requests) => {
      const { hold, fees } = quoteInput(terms, inputMax, requests);
      expect(fees).toBe(feesOf(terms.price, { request: requests }));
      for (const tokenClass of INPUT_CLASSES) {
        const cost =
          costOf(terms.price, { ...NO_TOKENS, [tokenClass]: inputMax }) + feesOf(terms.price, { request: requests });
        expect(hold).toBeGreaterThanOrEqual(cost);
      }
    }),
  );
});
