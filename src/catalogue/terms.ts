import { z } from 'zod';
import type { MediaCaps, ModelTerms } from '../domain/model.ts';
import type { Rates } from '../domain/price.ts';
import { TOKEN_CLASSES, type TokenClass } from '../domain/usage.ts';

// A model's terms as a price version keeps them: JSON in which amounts are decimal digits in strings, so that no reader
// of the column can round them. Terms of any other form are no price version of this program.

const tokens = z.int().nonnegative();
const cap = z.int().nonnegative().nullable();
const rate = z.string().regex(/^(0|[1-9]\d{0,18})$/);

const rates = z.strictObject(
  Object.fromEntries(TOKEN_CLASSES.map((tokenClass) => [tokenClass, rate])) as Record<TokenClass, typeof rate>,
);

const storedTerms = z.strictObject({
  kind: z.enum(['chat', 'embedding']),
  price: z.strictObject({
    rates,
    tiers: z.array(z.strictObject({ aboveInputTokens: tokens, rates })),
  }),
  contextWindow: tokens,
  maxOutput: tokens,
  media: z.strictObject({ imageTokens: cap, audioTokens: cap, fileTokens: cap } satisfies Record<
    keyof MediaCaps,
    unknown
  >),
});

function encodeRates(given: Rates): Record<TokenClass, string> {
  const entries = TOKEN_CLASSES.map((tokenClass) => [tokenClass, given[tokenClass].toString()]);
  return Object.fromEntries(entries) as Record<TokenClass, string>;
}

function decodeRates(stored: Record<TokenClass, string>): Rates {
  const entries = TOKEN_CLASSES.map((tokenClass) => [tokenClass, BigInt(stored[tokenClass])]);
  return Object.freeze(Object.fromEntries(entries) as Record<TokenClass, bigint>);
}

/** Writes terms as JSON text, always the same text for the same terms. */
export function encodeTerms({ kind, price, contextWindow, maxOutput, media }: ModelTerms): string {
  const { imageTokens, audioTokens, fileTokens } = media;
  return JSON.stringify({
    kind,
    price: {
      rates: encodeRates(price.rates),
      tiers: price.tiers.map((tier) => ({
        aboveInputTokens: tier.aboveInputTokens,
        rates: encodeRates(tier.rates),
      })),
    },
    contextWindow,
    maxOutput,
    media: { imageTokens, audioTokens, fileTokens },
  });
}

/** Reads terms from parsed JSON. @throws Error if it has any other form */
export function decodeTerms(json: unknown): ModelTerms {
  const parsed = storedTerms.safeParse(json);
  if (!parsed.success) {
    throw new Error('a price version has terms that this program does not know', { cause: parsed.error });
  }
  const { kind, price, contextWindow, maxOutput, media } = parsed.data;
  const tiers = price.tiers.map((tier) =>
    Object.freeze({ aboveInputTokens: tier.aboveInputTokens, rates: decodeRates(tier.rates) }),
  );
  return Object.freeze({
    kind,
    price: Object.freeze({ rates: decodeRates(price.rates), tiers: Object.freeze(tiers) }),
    contextWindow,
    maxOutput,
    media: Object.freeze(media),
  });
}
