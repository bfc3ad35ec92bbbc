import { z } from '@hono/zod-openapi';
import { parsePercent } from '../../../domain/price-adjustment.ts';
import { id, percent, timestamp } from '../contract-fields.ts';

// The part of the admin API's contract about what a workspace pays.

const PERCENT_HELP =
  'must be a decimal string of percent from "-100" to "900" with at most two decimals, such as "-12.5", or null';

export const priceAdjustmentChange = z
  .strictObject({
    model: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .openapi({ description: 'The model. Left out: all models that have no adjustment of their own.' }),
    change_percent: z
      .string({ error: PERCENT_HELP })
      .refine((text) => parsePercent(text) !== null, PERCENT_HELP)
      .nullable()
      .openapi({
        example: '-12.5',
        pattern: String.raw`^-?\d{1,3}(?:\.\d{1,2})?$`,
        description:
          'Percent of each rate of the list price; below zero: a discount. Each rate is rounded up to one nano-USD per million tokens. "0" exempts a model from the adjustment for all models; null ends the adjustment.',
      }),
  })
  .openapi('PriceAdjustmentChange');

export const priceAdjustment = z
  .object({
    id,
    model: z.string().nullable().openapi({ description: 'Null: all models that have no adjustment of their own.' }),
    change_percent: percent,
    started_at: timestamp,
    ended_at: timestamp.nullable().openapi({ description: 'Null while it is in force.' }),
  })
  .openapi('PriceAdjustment');

export const appliedAdjustment = z
  .object({
    id,
    change_percent: percent,
    list_price_version: z.int().openapi({ description: "The model's price version whose rates were adjusted." }),
  })
  .nullable()
  .openapi({ description: 'How the price version differs from the list price; null if it is the list price.' });

export type PriceAdjustmentChange = z.infer<typeof priceAdjustmentChange>;
export type PriceAdjustmentJson = z.infer<typeof priceAdjustment>;
