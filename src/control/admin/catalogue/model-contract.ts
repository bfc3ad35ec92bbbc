import { z } from '@hono/zod-openapi';
import { MODEL_KINDS } from '../../../domain/model.ts';
import { SERVICE_TIERS } from '../../../domain/service-tier.ts';
import { TOKEN_CLASSES } from '../../../domain/usage.ts';
import { USE_CLASSES } from '../../../domain/uses.ts';
import { amount, timestamp } from '../contract-fields.ts';
import { appliedAdjustment } from './price-contract.ts';

// The part of the admin API's contract about models and what they cost.

const tier = z.object({
  above_input_tokens: z.int().openapi({ description: 'Applies to requests with more input tokens than this.' }),
  rates: z.array(
    z.object({
      class: z.enum(TOKEN_CLASSES),
      ...amount('rate', 'For a million tokens.'),
    }),
  ),
});

const tiers = z.array(tier).openapi({ description: 'In rising order; the first applies from no input on.' });

const serviceTiers = z.array(z.object({ tier: z.enum(SERVICE_TIERS), tiers })).openapi({
  description: 'The rates in other service tiers, each at the same lengths of input. Empty if there are none.',
});

const fees = z
  .array(
    z.object({
      use: z.enum(USE_CLASSES),
      ...amount('fee', 'Per use.'),
    }),
  )
  .openapi({ description: 'For uses, beside tokens and whatever their number. Empty if there are none.' });

const price = z
  .object({
    version: z.int(),
    tiers,
    service_tiers: serviceTiers,
    fees,
    adjustment: appliedAdjustment,
    from: timestamp.openapi({ description: 'Without history: since when there is this version.' }),
    to: timestamp.nullable().openapi({ description: 'Null while it applies.' }),
  })
  .openapi('ModelPrice');

export const model = z
  .object({
    id: z.string(),
    kind: z.enum(MODEL_KINDS),
    context_window: z.int(),
    max_output: z.int(),
    media: z
      .object({
        image_tokens: z.int().nullable(),
        audio_tokens: z.int().nullable(),
        file_tokens: z.int().nullable(),
      })
      .openapi({ description: 'The most tokens that one piece counts for; null: as many as the context window has.' }),
    reasoning: z.boolean().nullable().openapi({ description: 'Whether it thinks first; null if it is not on sale.' }),
    sells_audio: z.boolean().openapi({ description: 'Whether answers in audio are for sale, at a rate of their own.' }),
    on_sale: z.boolean().openapi({ description: 'Whether it can be called now.' }),
    retired_at: timestamp.nullable().openapi({ description: 'Since when it has no price; null if it has one.' }),
    price: price.openapi({ description: 'The present price, or the last one.' }),
    history: z.array(price).openapi({ description: 'All prices, the newest first. Empty if not asked for.' }),
  })
  .openapi('Model');

const cost = z
  .object({
    provider: z.string(),
    upstream_model: z.string().openapi({ description: "The model's id at the provider." }),
    tiers,
    service_tiers: serviceTiers,
    fees,
    from: timestamp,
    to: timestamp.nullable().openapi({ description: 'Null while it applies.' }),
  })
  .openapi('RouteCost');

const catalogueModel = model
  .extend({
    costs: z.array(cost).openapi({ description: 'What providers ask, as far as that is known; the newest first.' }),
  })
  .openapi('CatalogueModel');

export const catalogueModels = z.object({ data: z.array(catalogueModel) }).openapi('CatalogueModels');

export const models = z.object({ data: z.array(model) }).openapi('Models');

export type ModelJson = z.infer<typeof model>;
export type RouteCostJson = z.infer<typeof cost>;
export type CatalogueModelJson = z.infer<typeof catalogueModel>;
export type ModelPriceJson = z.infer<typeof price>;
