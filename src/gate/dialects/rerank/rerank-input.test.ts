import fc from 'fast-check';
import { expect, test } from 'vitest';
import { costOf, feesOf, type Price } from '../../../domain/price.ts';
import type { ModelTerms } from '../../../domain/model.ts';
import { quoteInput } from '../../../domain/quote.ts';
import { NO_TOKENS } from '../../../domain/usage.ts';
import { RerankInput } from './rerank-input.ts';

const rates = { ...NO_TOKENS, input: 50n, cached_input: 50n, cache_write_5m: 50n, cache_write_1h: 50n };
const PRICE = {
  rates: { ...rates, audio_input: 50n, output: 0n, audio_output: 0n },
  tiers: [],
  fees: { request: 2_000_000n },
} as unknown as Price;
const TERMS = { kind: 'rerank', price: PRICE, contextWindow: 512, maxOutput: 0 } as unknown as ModelTerms;

test('the query is read with each document, and templates take a little more', () => {
  const input = new RerankInput(10, [100, 0, 5]);
  expect(input.bytes).toBe(3 * 10 + 105);
  expect(input.tokensMax()).toBe(135 + 3 * 128 + 1_024);
});

test.each([
  ['a hundred short documents', 40, Array.from({ length: 100 }, () => 400), 1],
  ['one more', 40, Array.from({ length: 101 }, () => 400), 2],
  ['empty ones', 40, Array.from({ length: 101 }, () => 0), 2],
  ['a document of as many parts', 100, [100 * 400], 1],
  ['a document of one part more', 100, [100 * 400 + 1], 2],
  ['a long query, which leaves half of a part', 60_000, [100 * 250 + 1], 2],
])('search units are bounded by a hundred parts each: %s', (_what, query, documents, units) => {
  expect(new RerankInput(query, documents).requestsMax).toBe(units);
});

/** A text's bytes, and how many tokens they are. */
const anyText = (bytesMax: number) =>
  fc.nat(bytesMax).chain((bytes) => fc.record({ bytes: fc.constant(bytes), tokens: fc.nat(bytes) }));

test('the hold covers the tokens and the search units that any tokenizer makes of the texts', () => {
  const documents = fc.array(anyText(5_000), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(anyText(1_000), documents, fc.nat(128), (query, texts, template) => {
      const input = new RerankInput(
        query.bytes,
        texts.map(({ bytes }) => bytes),
      );
      const { hold } = quoteInput(TERMS, input.tokensMax(), input.requestsMax);
      const tokens = texts.reduce((sum, each) => sum + query.tokens + each.tokens + template, 1_024);
      // As Cohere counts: a document and the query beyond 500 tokens are split into several.
      const room = 500 - Math.min(query.tokens, 250);
      const parts = texts.reduce((sum, each) => sum + Math.max(1, Math.ceil(each.tokens / room)), 0);
      const request = Math.ceil(parts / 100);
      expect(hold).toBeGreaterThanOrEqual(costOf(PRICE, { ...NO_TOKENS, input: tokens }) + feesOf(PRICE, { request }));
    }),
  );
});

test('the most that a body can hold is a number of 31 bits, as receipts count tokens', () => {
  const documents = Array.from({ length: 10_000 }, () => 3_300);
  expect(new RerankInput(2 * 65_536, documents).tokensMax()).toBeLessThan(2 ** 31);
});
