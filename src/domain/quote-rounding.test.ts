import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelTerms } from './model.ts';
import type { Rates } from './price.ts';
import { largestCapWithin, quoteChat, quoteInput } from './quote.ts';
import { TOKEN_CLASSES } from './usage.ts';

// The hold is the exact bound, rounded up once, and caps within available money are exact to one token and one
// nano-USD. Rates are near one nano-USD per token, where wrong rounding shows.

const M = 1_000_000n;
const rate = fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(M - 2n, M + 2n), fc.bigInt(0n, 100n * M));
const anyRates: fc.Arbitrary<Rates> = fc
  .tuple(...TOKEN_CLASSES.map(() => rate))
  .map((values) => Object.fromEntries(TOKEN_CLASSES.map((name, index) => [name, values[index]])) as unknown as Rates);
const request = fc.record({
  rates: anyRates,
  inputMax: fc.nat(20),
  choices: fc.integer({ min: 1, max: 3 }),
  cap: fc.integer({ min: 1, max: 5 }),
});
const silence = fc.record({ isInputSilent: fc.boolean(), isOutputSilent: fc.boolean() });

const termsOf = (rates: Rates): ModelTerms => ({
  kind: 'chat',
  price: { rates, tiers: [] },
  contextWindow: 1_000,
  maxOutput: 1_000,
  media: { imageTokens: null, audioTokens: null, fileTokens: null },
});
const highest = (...of: readonly bigint[]): bigint => of.reduce((most, one) => (one > most ? one : most), 0n);
const inputRate = ({ input, cached_input, cache_write_5m, cache_write_1h, audio_input }: Rates): bigint =>
  highest(input, cached_input, cache_write_5m, cache_write_1h, audio_input);
const roundedUp = (millionths: bigint): bigint => millionths / M + (millionths % M === 0n ? 0n : 1n);

test('a hold is the highest that input and output can cost, rounded up once', () => {
  fc.assert(
    fc.property(request, silence, ({ rates, inputMax, choices, cap }, content) => {
      const heard = { ...rates, audio_input: content.isInputSilent ? 0n : rates.audio_input };
      const input = BigInt(inputMax) * inputRate(heard);
      const output = BigInt(choices * cap) * highest(rates.output, content.isOutputSilent ? 0n : rates.audio_output);
      const [quote] = quoteChat(termsOf(rates), inputMax, choices, cap, null, content);
      expect(quote).toEqual({
        inputTokensMax: inputMax,
        cap,
        hold: roundedUp(input + output),
        fees: 0n,
        shortened: false,
      });
      const asEmbeddings = roundedUp(BigInt(inputMax) * inputRate(rates));
      const embeddings = { inputTokensMax: inputMax, cap: 0, hold: asEmbeddings, fees: 0n, shortened: false };
      expect(quoteInput(termsOf(rates), inputMax)).toEqual(embeddings);
    }),
    { numRuns: 2_000 },
  );
});

test('where output is free, the price of the input covers the longest answer, and less than that none', () => {
  fc.assert(
    fc.property(request, ({ rates, inputMax, choices }) => {
      const terms = termsOf({ ...rates, output: 0n, audio_output: 0n });
      const [{ hold }] = quoteChat(terms, inputMax, choices, 1, null);
      expect(largestCapWithin(terms, inputMax, choices, hold)).toBe(terms.maxOutput);
      expect(largestCapWithin(terms, inputMax, choices, hold - 1n)).toBeNull();
    }),
  );
});

test('an amount that is what a cap holds covers that cap; with one nano-USD less it does not', () => {
  fc.assert(
    fc.property(request, ({ rates, inputMax, choices, cap }) => {
      fc.pre(highest(rates.output, rates.audio_output) > 0n);
      const terms = termsOf(rates);
      const [{ hold }] = quoteChat(terms, inputMax, choices, cap, null);
      expect(largestCapWithin(terms, inputMax, choices, hold)).toBeGreaterThanOrEqual(cap);
      expect(largestCapWithin(terms, inputMax, choices, hold - 1n) ?? 0).toBeLessThan(cap);
      const next = largestCapWithin(terms, inputMax, choices, hold) ?? 0;
      const [above] = quoteChat(terms, inputMax, choices, next + 1, null);
      if (next < terms.maxOutput) expect(above.hold).toBeGreaterThan(hold);
    }),
    { numRuns: 2_000 },
  );
});
