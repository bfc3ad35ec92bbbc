import * as z from 'zod';
import { SERVICE_TIERS } from '../domain/service-tier.ts';
import { HOSTED_TOOLS, USE_CLASSES } from '../domain/uses.ts';
import { fee, knownNames, rate, section, wholeNumber } from './file-fields.ts';

// The part of the file's schema that says on which terms a model is sold, and what its providers ask for it.

const rates = {
  input: rate().describe('Input tokens, USD per million, as a decimal string.'),
  cached_input: rate().optional().describe('Input tokens read from the cache. Default: as input.'),
  cache_write_5m: rate()
    .optional()
    .describe('Input tokens written to a cache that lives 5 minutes. Default: as input.'),
  cache_write_1h: rate().optional().describe('Input tokens written to a cache that lives an hour. Default: as input.'),
  audio_input: rate().optional().describe('Audio input tokens. Default: as input.'),
  output: rate().optional().describe('Output tokens. Required for a chat model.'),
  audio_output: rate()
    .optional()
    .describe('Audio output tokens. In a price it puts answers in audio on sale. Default: as output.'),
};

const tier = section(
  {
    above_input_tokens: wholeNumber(1, 1_000_000_000).describe(
      'The tier applies to a whole request with more input tokens than this.',
    ),
    ...rates,
  },
  'write a mapping such as { above_input_tokens: 200000, input: "2.50", output: "15.00" }',
);

/** Tools that providers run, and that can't be sold. */
const NOT_FOR_SALE: Readonly<Record<string, string>> = {
  file_search:
    'it reads files kept at the provider, where all workspaces share one account, so it is not for sale; leave it out',
  code_execution: 'providers charge it by time, and report no uses that could be charged; leave it out',
  tool_search: 'it costs tokens alone; leave it out',
};

/** The remedy of a mapping by the names of uses, or of tools: an unknown name may be one that people expect. */
const byUse = (known: readonly string[], right: string) => (issue: z.core.$ZodRawIssue) => {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  if (unknown === undefined) return right;
  return Object.hasOwn(NOT_FOR_SALE, unknown) ? NOT_FOR_SALE[unknown] : knownNames(unknown, known);
};

const fees = z.partialRecord(z.enum(USE_CLASSES), fee(), {
  error: byUse(USE_CLASSES, 'write a mapping such as { request: "0.001", web_search: "0.01" }, USD per use'),
});

const tiers = z
  .array(tier, { error: 'write a list of tiers' })
  .optional()
  .describe('Rates of requests with long input, in rising order.');

const serviceTier = section(
  { ...rates, tiers },
  'write a mapping such as { input: "2.50", output: "20.00" }, USD per million tokens',
);

const serviceTiers = z.partialRecord(z.enum(SERVICE_TIERS), serviceTier, {
  error: byUse(SERVICE_TIERS, 'write a mapping such as { priority: { input: "2.50", output: "20.00" } }'),
});

/** Rates by class of tokens, tiers of them, and fees. */
const tiered = (right: string) =>
  section(
    {
      ...rates,
      fees: fees
        .optional()
        .describe(
          `USD beside tokens, for each ${USE_CLASSES.join(', ')}: a request, or a use of a tool by the provider.`,
        ),
      tiers,
      service_tiers: serviceTiers
        .optional()
        .describe(
          `Rates of requests that the provider serves as ${SERVICE_TIERS.join(', ')}, each with all rates and steps of the price itself.`,
        ),
    },
    right,
  );

/** What is right for a price. */
export const PRICE_RIGHT =
  'write price: { input: "0.25", output: "2.00" }, USD per million tokens; a price of zero is "0"';

export const price = tiered(PRICE_RIGHT);

export const cost = tiered(
  'write cost: { input: "0.20", output: "1.50" }, USD per million tokens; leave it out if it is not known',
);

export type FilePrice = z.output<typeof price>;
export type FileRates = FilePrice | FileServiceTier | NonNullable<FilePrice['tiers']>[number];
export type FileServiceTier = z.output<typeof serviceTier>;

const toolTerms = section(
  {
    max_uses: wholeNumber(1, 1_000)
      .optional()
      .describe('The most uses of a request that names no maximum. Default: 5.'),
    input_tokens: wholeNumber(0, 1_000_000_000)
      .optional()
      .describe(
        'The most input tokens that one use adds: its result, and all that is read again for it. Default: the context window.',
      ),
  },
  'write a mapping such as { max_uses: 5, input_tokens: 20000 }',
);

/** What is held for uses of tools. */
export const tools = z.partialRecord(z.enum(HOSTED_TOOLS), toolTerms, {
  error: byUse(HOSTED_TOOLS, 'write a mapping such as { web_search: { max_uses: 5 } }'),
});

export type FileTools = z.output<typeof tools>;

const tokensPerPiece = (what: string) =>
  wholeNumber(0, 1_000_000_000)
    .optional()
    .describe(`The most tokens that one ${what} counts for. Default: the context window.`);

export const media = section(
  {
    image_tokens: tokensPerPiece('image'),
    audio_tokens: tokensPerPiece('audio piece'),
    file_tokens: tokensPerPiece('file'),
  },
  'write a mapping such as { image_tokens: 1445 }',
);
