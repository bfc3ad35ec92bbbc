import { z } from '@hono/zod-openapi';
import { timestamp } from '../contract-fields.ts';

// The part of the admin API's contract about the providers and models that the config file and the database declare.

/** The places in which something is declared. */
const SOURCES = ['file', 'database'] as const;

const declaration = z.record(z.string(), z.unknown());

const ORIGIN = {
  source: z.enum(SOURCES).openapi({
    description: 'Where it is declared. What is in the config file is changed there.',
    example: 'database',
  }),
  version: z.int().nullable().openapi({ description: 'Null: it is in the config file.', example: 1 }),
  changed_at: timestamp.nullable(),
  problem: z
    .string()
    .nullable()
    .openapi({ description: 'Why it, or a part of it, does not count on this instance; null if it does.' }),
};

export const offeredProvider = z
  .object({
    name: z.string().openapi({ example: 'openai' }),
    ...ORIGIN,
    has_key: z.boolean().openapi({ description: 'Whether it has a key, which is never shown.' }),
    declaration: declaration.openapi({
      description: 'The provider as the config file would declare it, without its key.',
      example: { kind: 'openai', base_url: 'https://api.openai.com/v1' },
    }),
  })
  .openapi('OfferedProvider');

export const offeredModel = z
  .object({
    id: z.string().openapi({ example: 'small-chat' }),
    ...ORIGIN,
    declaration: declaration.openapi({ description: 'The model as the config file would declare it.' }),
  })
  .openapi('OfferedModel');

export const offer = z
  .object({
    providers: z.array(offeredProvider),
    models: z.array(offeredModel),
    known_providers: z
      .array(z.object({ name: z.string().openapi({ example: 'openai' }), declaration }))
      .openapi({ description: 'Providers whose address is known, as they may be declared.' }),
    yaml: z.string().openapi({
      description: 'What the database declares, as a part of a config file. Keys are variables in it.',
    }),
  })
  .openapi('Offer');

export const providerStoring = z
  .strictObject({
    declaration: declaration.openapi({
      description:
        'The provider as the config file would declare it, without its key and whatever names a file: /docs/configuration of the instance has the keys.',
    }),
    api_key: z
      .string()
      .regex(/^[\u0021-\u007e]{1,4096}$/, 'must be a key of visible characters without blanks')
      .nullable()
      .optional()
      .openapi({
        description:
          'The key, which is encrypted and never shown. Null: it needs none. Left out: the former one, unless the address changes.',
      }),
  })
  .openapi('ProviderStoring');

export const modelStoring = z
  .strictObject({
    declaration: declaration.openapi({
      description:
        'The model as the config file would declare it: its routes, price or markup, context_window and max_output.',
    }),
  })
  .openapi('ModelStoring');

const proposedModel = z
  .object({
    id: z.string().openapi({ description: "The model's id at the provider.", example: 'gpt-5-mini' }),
    proposed: z
      .boolean()
      .openapi({ description: 'Whether its price is known, and no other listed model is its newer name.' }),
    declaration: declaration.nullable().openapi({
      description:
        'The model with its limits and its cost, to be sold with a price or a markup; null: its cost is not known.',
    }),
  })
  .openapi('ProposedModel');

export const providerProbe = z
  .object({
    problem: z.string().nullable().openapi({
      description: 'Why the provider gave no list of models; null if it did.',
      example: 'it refuses the key',
    }),
    models: z.array(proposedModel),
    prices_from: z.string().nullable().openapi({
      description: 'Where costs are known from; null: there are none.',
      example: 'LiteLLM 1.110.2, 2026-11-28',
    }),
  })
  .openapi('ProviderProbe');

export type OfferedProviderJson = z.infer<typeof offeredProvider>;
export type OfferedModelJson = z.infer<typeof offeredModel>;
export type OfferJson = z.infer<typeof offer>;
export type ProviderProbeJson = z.infer<typeof providerProbe>;
