import * as z from 'zod';
import { costRate, rate, section, wholeNumber } from './file-fields.ts';

// The part of the file's schema that says on which terms a model is sold, and what its providers ask for it.

const ratesOf = (each: typeof rate) => ({
  input: each().describe('Input tokens, USD per million, as a decimal string.'),
  cached_input: each().optional().describe('Input tokens read from the cache. Default: as input.'),
  cache_write_5m: each()
    .optional()
    .describe('Input tokens written to a cache that lives 5 minutes. Default: as input.'),
  cache_write_1h: each().optional().describe('Input tokens written to a cache that lives an hour. Default: as input.'),
  audio_input: each().optional().describe('Audio input tokens. Default: as input.'),
  output: each().optional().describe('Output tokens. Required for a chat model.'),
  audio_output: each().optional().describe('Audio output tokens. Default: as output.'),
});

const tierOf = (each: typeof rate) =>
  section(
    {
      above_input_tokens: wholeNumber(1, 1_000_000_000).describe(
        'The tier applies to a whole request with more input tokens than this.',
      ),
      ...ratesOf(each),
    },
    'write a mapping such as { above_input_tokens: 200000, input: "2.50", output: "15.00" }',
  );

/** Rates by class of tokens, and tiers of them. */
const tiered = (each: typeof rate, right: string) =>
  section(
    {
      ...ratesOf(each),
      tiers: z
        .array(tierOf(each), { error: 'write a list of tiers' })
        .optional()
        .describe('Rates of requests with long input, in rising order.'),
    },
    right,
  );

export const price = tiered(
  rate,
  'write price: { input: "0.25", output: "2.00" }, USD per million tokens; a price of zero is "0"',
);

export const cost = tiered(
  costRate,
  'write cost: { input: "0.20", output: "1.50" }, USD per million tokens; leave it out if it is not known',
);

export type FilePrice = z.output<typeof price>;
export type FileRates = FilePrice | NonNullable<FilePrice['tiers']>[number];

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
