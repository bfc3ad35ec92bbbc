import * as z from 'zod';
import { rate, section, wholeNumber } from './file-fields.ts';

// The part of the file's schema that says on which terms a model is sold.

const RATE_FIELDS = {
  input: rate().describe('Input tokens, USD per million, as a decimal string.'),
  cached_input: rate().optional().describe('Input tokens read from the cache. Default: as input.'),
  cache_write_5m: rate()
    .optional()
    .describe('Input tokens written to a cache that lives 5 minutes. Default: as input.'),
  cache_write_1h: rate().optional().describe('Input tokens written to a cache that lives an hour. Default: as input.'),
  audio_input: rate().optional().describe('Audio input tokens. Default: as input.'),
  output: rate().optional().describe('Output tokens. Required for a chat model.'),
  audio_output: rate().optional().describe('Audio output tokens. Default: as output.'),
};

const tier = section(
  {
    above_input_tokens: wholeNumber(1, 1_000_000_000).describe(
      'The tier applies to a whole request with more input tokens than this.',
    ),
    ...RATE_FIELDS,
  },
  'write a mapping such as { above_input_tokens: 200000, input: "2.50", output: "15.00" }',
);

const PRICE_RIGHT = 'write price: { input: "0.25", output: "2.00" }, USD per million tokens; a price of zero is "0"';

export const price = section(
  {
    ...RATE_FIELDS,
    tiers: z
      .array(tier, { error: 'write a list of tiers' })
      .optional()
      .describe('Prices of requests with long input, in rising order.'),
  },
  PRICE_RIGHT,
);

export type FileRates = z.output<typeof tier> | z.output<typeof price>;

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
