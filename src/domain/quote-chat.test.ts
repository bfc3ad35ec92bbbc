import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelTerms } from './model.ts';
import { costOf, feesMax, type Price, type Rates } from './price.ts';
import { promptTokensMax, separateTokensMax, largestCapWithin, leastHold, quoteChat, quoteInput } from './quote.ts';
import { INPUT_CLASSES, NO_TOKENS, OUTPUT_CLASSES, TOKEN_CLASSES, type TokenCounts } from './usage.ts';

// The hold of a request: never less than its possible cost, and the cap of its answer if none is set.

const M = 20_000;
const F = 4_096;
const NO_EXTENT = { textBytes: 0, messages: 0, images: 0, audios: 0, files: 0 };

const ratesOf = (input: bigint, output: bigint): Rates => ({
  input,
  cached_input: 0n,
  cache_write_5m: 0n,
  cache_write_1h: 0n,
  audio_input: 0n,
  output,
  audio_output: 0n,
});

/** Output at 1,000 nano-USD a token, input at 100. */
function termsOf(more: Partial<ModelTerms> = {}): ModelTerms {
  return {
    kind: 'chat',
    price: { rates: ratesOf(100_000_000n, 1_000_000_000n), tiers: [] },
    contextWindow: 128_000,
    maxOutput: M,
    media: { imageTokens: 1_500, audioTokens: null, fileTokens: null },
    ...more,
  };
}

test('the input bound is a token for each byte of text, with margins for messages and the template', () => {
  expect(promptTokensMax(termsOf(), { ...NO_EXTENT, textBytes: 1_000, messages: 3 })).toBe(1_000 + 3 * 16 + 1_024);
});

test('the input bound counts media by what the model says of them, and as a whole context window where it does not', () => {
  expect(promptTokensMax(termsOf(), { ...NO_EXTENT, images: 2 })).toBe(1_024 + 3_000);
  expect(promptTokensMax(termsOf(), { ...NO_EXTENT, audios: 1 })).toBe(128_000);
  expect(promptTokensMax(termsOf(), { ...NO_EXTENT, files: 1 })).toBe(128_000);
});

test('the input bound is never above the context window; of embeddings, for each input', () => {
  expect(promptTokensMax(termsOf(), { ...NO_EXTENT, textBytes: 10_000_000 })).toBe(128_000);
  expect(separateTokensMax(termsOf({ contextWindow: 100 }), [10, 98, 99, 1_000])).toBe(12 + 100 + 100 + 100);
});

test('a request that names its maximum is quoted for that, times its choices, and for nothing else', () => {
  expect(quoteChat(termsOf(), 10, 3, 200, 1n)).toEqual([
    { inputTokensMax: 10, cap: 200, hold: 10n * 100n + 3n * 200n * 1_000n, fees: 0n, shortened: false },
  ]);
});

const caps = (available: bigint | null, choices = 1, terms = termsOf()): readonly (readonly [number, boolean])[] =>
  quoteChat(terms, 0, choices, null, available).map(({ cap, shortened }) => [cap, shortened]);

test('a request that names no maximum may go to the model’s maximum where no purse is limited', () => {
  expect(caps(null)).toEqual([[M, false]]);
});

test('a request that names no maximum may go to the model’s where a quarter of the money covers it, else the floor', () => {
  expect(caps(4n * 20_000_000n)).toEqual([
    [M, false],
    [F, true],
  ]);
  expect(caps(4n * 20_000_000n - 4n)).toEqual([
    [M - 1, true],
    [F, true],
  ]);
});

test('a request that names no maximum may go as far as a quarter of the money, shared among its choices', () => {
  expect(caps(40_000_000n)).toEqual([
    [10_000, true],
    [F, true],
  ]);
  expect(caps(40_000_000n, 2)).toEqual([
    [5_000, true],
    [F, true],
  ]);
});

test.each([4n * 4_096_000n, 1_000n, 0n, -5_000_000n])(
  'a request that names no maximum never goes below the floor, be there %s',
  (available) => {
    expect(caps(available)).toEqual([[F, true]]);
  },
);

test('a request that names no maximum of a model that ends before the floor goes to its end', () => {
  expect(caps(0n, 1, termsOf({ maxOutput: 500 }))).toEqual([[500, false]]);
});

test('a request that names no maximum of a free model goes to its maximum, with no money at all', () => {
  const free = termsOf({ price: { rates: ratesOf(0n, 0n), tiers: [] } });
  expect(quoteChat(free, 100, 2, null, 0n)).toEqual([
    { inputTokensMax: 100, cap: M, hold: 0n, fees: 0n, shortened: false },
  ]);
});

test('a request that names no maximum holds for the choices it asks for', () => {
  const [best] = quoteChat(termsOf(), 50, 4, null, 1_000_000_000n);
  expect(best.hold).toBe(50n * 100n + 4n * BigInt(best.cap) * 1_000n);
});

test.each([
  ['is the one whose hold is all there is', 1_000_000n, 1_000],
  ['lets no part of a token through', 1_000_999n, 1_000],
  ['is none where not one token fits', 999n, null],
  ['is none below zero', -1n, null],
  ['ends at the model’s maximum', 10n ** 18n, M],
])('the largest cap that fits: %s', (_name, available, cap) => {
  expect(largestCapWithin(termsOf(), 0, 1, available)).toBe(cap);
});

test('the largest cap that fits leaves room for the input', () => {
  expect(largestCapWithin(termsOf(), 1_000, 2, 100_000n + 2_000n * 7n)).toBe(7);
  expect(largestCapWithin(termsOf(), 1_000, 2, 99_999n)).toBeNull();
});

const anyRates = fc
  .tuple(...TOKEN_CLASSES.map(() => fc.oneof(fc.constant(0n), fc.bigInt(1n, 10n ** 12n))))
  .map((drawn) => Object.fromEntries(TOKEN_CLASSES.map((name, index) => [name, drawn[index]])) as unknown as Rates);
const anyPrice: fc.Arbitrary<Price> = fc
  .tuple(anyRates, fc.array(fc.tuple(fc.nat(150_000), anyRates), { maxLength: 3 }))
  .map(([rates, tiers]) => ({
    rates,
    tiers: tiers
      .toSorted(([one], [other]) => one - other)
      .map(([aboveInputTokens, tierRates]) => ({ aboveInputTokens, rates: tierRates })),
  }));
const anyTerms = fc
  .tuple(anyPrice, fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 1, max: 100_000 }))
  .map(([price, contextWindow, maxOutput]) => termsOf({ price, contextWindow, maxOutput }));

/** Some way in which tokens of that number at most fall into classes. */
const anyShares = fc.array(fc.nat(1_000), { minLength: TOKEN_CLASSES.length, maxLength: TOKEN_CLASSES.length });

function tokensWithin(inputMax: number, outputMax: number, shares: readonly number[]): TokenCounts {
  const counts: Record<string, number> = { ...NO_TOKENS };
  for (const [classes, most] of [
    [INPUT_CLASSES, inputMax],
    [OUTPUT_CLASSES, outputMax],
  ] as const) {
    const own = classes.map((name) => shares[TOKEN_CLASSES.indexOf(name)] ?? 0);
    const sum = own.reduce((total, share) => total + share, 0);
    let left = most;
    classes.forEach((name, index) => {
      const count = sum === 0 ? 0 : Math.min(left, Math.ceil((most * (own[index] ?? 0)) / sum));
      counts[name] = count;
      left -= count;
    });
  }
  return counts as TokenCounts;
}

test('whatever the terms, no usage within the bounds of a quote costs more than its hold', () => {
  const asked = fc.record({
    terms: anyTerms,
    bytes: fc.nat(300_000),
    choices: fc.integer({ min: 1, max: 8 }),
    maxTokens: fc.option(fc.integer({ min: 1, max: 100_000 })),
    available: fc.option(fc.bigInt(-1_000n, 10n ** 12n)),
    shares: anyShares,
  });
  fc.assert(
    fc.property(asked, ({ terms, bytes, choices, maxTokens, available, shares }) => {
      const inputMax = promptTokensMax(terms, { ...NO_EXTENT, textBytes: bytes });
      for (const { cap, hold } of quoteChat(terms, inputMax, choices, maxTokens, available)) {
        const tokens = tokensWithin(inputMax, cap * choices, shares);
        expect(costOf(terms.price, tokens)).toBeLessThanOrEqual(hold);
      }
    }),
  );
});

test('whatever the terms, no embeddings within their bound cost more than their hold', () => {
  fc.assert(
    fc.property(
      anyTerms,
      fc.array(fc.nat(5_000), { minLength: 1, maxLength: 20 }),
      anyShares,
      (terms, sizes, shares) => {
        const inputMax = separateTokensMax(terms, sizes);
        const cost = costOf(terms.price, tokensWithin(inputMax, 0, shares));
        expect(cost).toBeLessThanOrEqual(quoteInput(terms, inputMax).hold);
      },
    ),
  );
});

test('whatever the terms, the largest cap fits, and one more token does not', () => {
  const asked = fc.tuple(anyTerms, fc.nat(200_000), fc.integer({ min: 1, max: 8 }), fc.bigInt(0n, 10n ** 12n));
  fc.assert(
    fc.property(asked, ([terms, inputMax, choices, available]) => {
      const holdOf = (cap: number): bigint => quoteChat(terms, inputMax, choices, cap, null)[0].hold;
      const cap = largestCapWithin(terms, inputMax, choices, available);
      if (cap === null) {
        expect(holdOf(1)).toBeGreaterThan(available);
      } else {
        expect(holdOf(cap)).toBeLessThanOrEqual(available);
        if (cap < terms.maxOutput) expect(holdOf(cap + 1)).toBeGreaterThan(available);
      }
    }),
  );
});

test('output beside the cap is held for each choice, and leaves so much less for the cap', () => {
  const beside = fc.nat(5_000);
  const property = fc.property(beside, fc.integer({ min: 1, max: 4 }), fc.nat(300), (bytes, choices, maxTokens) => {
    const [{ hold, cap }] = quoteChat(termsOf(), 10, choices, maxTokens, null, { outputBeside: bytes });
    const output = choices * (cap + bytes);
    expect(cap).toBe(maxTokens);
    expect(hold).toBeGreaterThanOrEqual(costOf(termsOf().price, { ...NO_TOKENS, input: 10, output }));
    expect(hold).toBe(10n * 100n + BigInt(output) * 1_000n);
    const [within] = quoteChat(termsOf(), 10, choices, null, null, {
      maxCost: hold + 1_000n * BigInt(choices),
      outputBeside: bytes,
    });
    expect(within.cap).toBe(maxTokens + 1);
    expect(largestCapWithin(termsOf(), 10, choices, within.hold, { outputBeside: bytes })).toBe(maxTokens + 1);
  });
  fc.assert(property);
});

test('no request holds less than the least that any request to its model holds', () => {
  const rate = fc.bigInt({ min: 0n, max: 2_000_000_000n });
  const rates = fc.record({
    input: rate,
    cached_input: rate,
    cache_write_5m: rate,
    cache_write_1h: rate,
    audio_input: rate,
    output: rate,
    audio_output: rate,
  });
  const terms = fc.record({
    kind: fc.constantFrom('chat' as const, 'embedding' as const),
    price: fc.record({
      rates,
      tiers: fc.array(fc.record({ aboveInputTokens: fc.nat(5_000), rates }), { maxLength: 2 }),
      fees: fc.record({ request: rate }),
    }),
    contextWindow: fc.integer({ min: 1, max: 10_000 }),
    maxOutput: fc.integer({ min: 1, max: 10_000 }),
    media: fc.constant({ imageTokens: 1, audioTokens: 1, fileTokens: 1 }),
  });
  const extent = fc.record({
    textBytes: fc.nat(100_000),
    messages: fc.nat(3),
    images: fc.nat(1),
    audios: fc.nat(1),
    files: fc.nat(1),
    prompts: fc.integer({ min: 1, max: 3 }),
  });
  const content = fc.record({ isInputSilent: fc.boolean(), isOutputSilent: fc.boolean() });
  const sizes = fc.array(fc.nat(500), { minLength: 1, maxLength: 3 });
  const run = fc.property(terms, extent, content, sizes, fc.nat(100), (model, sent, beside, inputs, maxTokens) => {
    const holds =
      model.kind === 'embedding'
        ? [quoteInput(model, separateTokensMax(model, inputs)).hold]
        : quoteChat(model, promptTokensMax(model, sent), 1, maxTokens, null, beside).map(({ hold }) => hold);
    for (const hold of holds) expect(hold).toBeGreaterThanOrEqual(leastHold(model));
    expect(leastHold(model)).toBeGreaterThanOrEqual(feesMax(model.price, null));
  });
  fc.assert(run, { numRuns: 300, seed: 22 });
});
