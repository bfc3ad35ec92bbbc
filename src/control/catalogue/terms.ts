import { z } from 'zod';
import { type MediaCaps, MODEL_KINDS, type ModelTerms, type SoldTools } from '../../domain/model.ts';
import type { Fees, Rates, TierPrice } from '../../domain/price.ts';
import { inEachTier, SERVICE_TIERS } from '../../domain/service-tier.ts';
import { TOKEN_CLASSES, type TokenClass } from '../../domain/usage.ts';
import { HOSTED_TOOLS, USE_CLASSES } from '../../domain/uses.ts';

// A model's terms as a price version keeps them: JSON in which amounts are decimal digits in strings, so that no reader
// of the column can round them. Terms of any other form are no price version of this program.

const tokens = z.int().nonnegative();
const cap = z.int().nonnegative().nullable();
const rate = z.string().regex(/^(0|[1-9]\d{0,18})$/);

const rates = z.strictObject(
  Object.fromEntries(TOKEN_CLASSES.map((tokenClass) => [tokenClass, rate])) as Record<TokenClass, typeof rate>,
);

const fees = z.partialRecord(z.enum(USE_CLASSES), rate);

const tools = z.partialRecord(z.enum(HOSTED_TOOLS), z.strictObject({ maxUses: z.int().positive(), inputTokens: cap }));

const tierPrice = { rates, tiers: z.array(z.strictObject({ aboveInputTokens: tokens, rates })) };

type StoredTierPrice = z.output<z.ZodObject<typeof tierPrice>>;

const storedTerms = z.strictObject({
  kind: z.enum(MODEL_KINDS),
  price: z.strictObject({
    ...tierPrice,
    fees: fees.exactOptional(),
    serviceTiers: z.partialRecord(z.enum(SERVICE_TIERS), z.strictObject(tierPrice)).exactOptional(),
  }),
  contextWindow: tokens,
  maxOutput: tokens,
  media: z.strictObject({ imageTokens: cap, audioTokens: cap, fileTokens: cap } satisfies Record<
    keyof MediaCaps,
    unknown
  >),
  // Left out by versions without any, as by those from before there were tools.
  tools: tools.exactOptional(),
  sellsAudio: z.literal(true).exactOptional(),
});

/** Rates as digits. */
export type StoredRates = Readonly<Record<TokenClass, string>>;

export function encodeRates(given: Rates): Record<TokenClass, string> {
  const entries = TOKEN_CLASSES.map((tokenClass) => [tokenClass, given[tokenClass].toString()]);
  return Object.fromEntries(entries) as Record<TokenClass, string>;
}

export function decodeRates(stored: StoredRates): Rates {
  const entries = TOKEN_CLASSES.map((tokenClass) => [tokenClass, BigInt(stored[tokenClass])]);
  return Object.freeze(Object.fromEntries(entries) as Record<TokenClass, bigint>);
}

function encodeTierPrice({ rates: base, tiers }: TierPrice): StoredTierPrice {
  return {
    rates: encodeRates(base),
    tiers: tiers.map((tier) => ({ aboveInputTokens: tier.aboveInputTokens, rates: encodeRates(tier.rates) })),
  };
}

function decodeTierPrice({ rates: base, tiers }: StoredTierPrice): TierPrice {
  const decoded = tiers.map((tier) =>
    Object.freeze({ aboveInputTokens: tier.aboveInputTokens, rates: decodeRates(tier.rates) }),
  );
  return Object.freeze({ rates: decodeRates(base), tiers: Object.freeze(decoded) });
}

/** Fees as digits, in the order of their names. */
export function encodeFees(given: Fees): Record<string, string> {
  const known = USE_CLASSES.filter((useClass) => given[useClass] !== undefined);
  return Object.fromEntries(known.map((useClass) => [useClass, String(given[useClass])]));
}

export function decodeFees(stored: Readonly<Record<string, string>>): Fees {
  return Object.freeze(Object.fromEntries(Object.entries(stored).map(([useClass, fee]) => [useClass, BigInt(fee)])));
}

function encodeTools(given: SoldTools): SoldTools {
  const known = HOSTED_TOOLS.flatMap((tool) => {
    const terms = given[tool];
    return terms === undefined ? [] : [[tool, { maxUses: terms.maxUses, inputTokens: terms.inputTokens }] as const];
  });
  return Object.fromEntries(known);
}

interface OfEachLength {
  readonly rates: Readonly<Record<TokenClass, unknown>>;
}

/**
 * Whether the rates show by themselves that audio output was named, in the price and in every tier: left out, it costs what
 * text does. So versions from before audio was for sale say it too.
 */
function showsAudio(price: OfEachLength & { readonly tiers: readonly OfEachLength[] }): boolean {
  return [price, ...price.tiers].every(({ rates: { output, audio_output: audioOutput } }) => audioOutput !== output);
}

/** Writes terms as JSON text, always the same text for the same terms. */
export function encodeTerms(terms: ModelTerms): string {
  const { kind, price, contextWindow, maxOutput, media, tools: sold, sellsAudio } = terms;
  const { imageTokens, audioTokens, fileTokens } = media;
  return JSON.stringify({
    kind,
    price: {
      ...encodeTierPrice(price),
      ...(price.fees && { fees: encodeFees(price.fees) }),
      ...(price.serviceTiers && { serviceTiers: inEachTier(price.serviceTiers, encodeTierPrice) }),
    },
    contextWindow,
    maxOutput,
    media: { imageTokens, audioTokens, fileTokens },
    ...(sold && { tools: encodeTools(sold) }),
    ...(sellsAudio && !showsAudio(price) && { sellsAudio }),
  });
}

/** Reads terms from parsed JSON. @throws Error if it has any other form */
export function decodeTerms(json: unknown): ModelTerms {
  const parsed = storedTerms.safeParse(json);
  if (!parsed.success) {
    throw new Error('a price version has terms that this program does not know', { cause: parsed.error });
  }
  const { kind, price, contextWindow, maxOutput, media, tools: sold, sellsAudio } = parsed.data;
  return Object.freeze({
    kind,
    price: Object.freeze({
      ...decodeTierPrice(price),
      ...(price.fees && { fees: decodeFees(price.fees) }),
      ...(price.serviceTiers && { serviceTiers: Object.freeze(inEachTier(price.serviceTiers, decodeTierPrice)) }),
    }),
    contextWindow,
    maxOutput,
    media: Object.freeze(media),
    ...(sold && { tools: Object.freeze(sold as SoldTools) }),
    ...((sellsAudio === true || (kind === 'chat' && showsAudio(price))) && { sellsAudio: true }),
  });
}
