import { z } from '@hono/zod-openapi';
import { timestamp } from './contract-fields.ts';

// The wire of what concerns the instance: its catalogue, status and errors.

export const catalogueApplication = z
  .strictObject({ accept: z.array(z.string().max(300)).max(10_000).optional() })
  .openapi('CatalogueApplication');

export const catalogueChange = z
  .object({
    model: z.string(),
    change: z
      .enum(['add', 'update', 'retire', 'cost'])
      .openapi({ description: '`cost`: what providers ask for it; the others are about what callers pay.' }),
    fields: z.array(z.object({ field: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
    needs_accept: z.boolean().openapi({
      description:
        'Whether it must be accepted: its price changes more than tenfold, or most models would be retired along with it.',
    }),
  })
  .openapi('CatalogueChange');

export const catalogueDiff = z
  .object({
    changes: z.array(catalogueChange),
    on_sale: z.array(z.string()).openapi({ description: 'The models that this instance sells now.' }),
  })
  .openapi('CatalogueDiff');

export const appliedCatalogue = z
  .object({ applied: z.array(catalogueChange), withheld: z.array(catalogueChange) })
  .openapi('AppliedCatalogue');

export const status = z
  .object({
    version: z.string(),
    ready: z.boolean(),
    started_at: timestamp,
    database: z.enum(['embedded', 'external']),
    shard: z.string().openapi({ description: 'The two characters in its keys.', example: '00' }),
    problems: z.array(z.string()),
  })
  .openapi('Status');

export const processes = z
  .object({
    data: z.array(
      z.object({
        epoch: z.string(),
        instance_id: z.string(),
        name: z.string().openapi({ description: 'The program, its version, and the number of the process.' }),
        started_at: timestamp,
        heartbeat_at: timestamp,
        state: z.enum(['serving', 'silent', 'fenced']).openapi({
          description: '`silent`: its last heartbeat is older than its time-out. `fenced`: it was declared dead.',
        }),
      }),
    ),
  })
  .openapi('Processes');

export const finding = z
  .object({
    check: z.string(),
    status: z.enum(['ok', 'warn', 'fail']),
    message: z.string(),
    advice: z.string().nullable().openapi({ description: 'What to do; null if nothing is wrong.' }),
  })
  .openapi('Finding');

export const examination = z.object({ data: z.array(finding) }).openapi('Examination');

export const settings = z
  .object({
    file: z.string().nullable().openapi({ description: 'The config file; null if there is none.' }),
    problem: z.string().nullable().openapi({
      description: 'Why the file as it is now is not in force, with its place and the remedy; null if it is.',
    }),
    settings: z.array(
      z.object({
        name: z.string().openapi({ description: 'Its dotted name in the config file.' }),
        value: z.string().openapi({
          description: 'In force now, as text. A secret is `set` or `not set`; a password in an address is hidden.',
        }),
        origin: z.enum(['default', 'file', 'environment', 'flag']).openapi({ description: 'What gave it this value.' }),
        waiting: z.string().nullable().openapi({
          description: 'Another value, which counts once the instance is stopped and started again; null: none.',
        }),
      }),
    ),
  })
  .openapi('Settings', {
    example: {
      file: '/etc/faregate.yaml',
      problem: null,
      settings: [
        { name: 'server.host', value: '127.0.0.1', origin: 'default', waiting: null },
        { name: 'server.body_max', value: '20MiB', origin: 'file', waiting: '8MiB' },
        { name: 'providers.main.api_key', value: 'set', origin: 'file', waiting: null },
      ],
    },
  });

export const restart = z
  .object({
    running: z.boolean(),
    workers: z.int(),
    replaced: z.int(),
    problem: z.string().nullable(),
  })
  .openapi('Restart');

export const secretsRotation = z
  .object({
    give_up_lost: z.boolean().optional().openapi({
      description:
        'Instead, gives up the data keys whose key is lost, so that new secrets are encrypted by a fresh one. What they have encrypted can not be used until their key is found.',
    }),
  })
  .strict()
  .openapi('SecretsRotation');

export const rotatedSecrets = z
  .object({
    rewrapped: z.int().openapi({ description: 'Data keys that the new key wraps now.' }),
    lost: z.int().openapi({ description: 'Data keys that were given up.' }),
  })
  .openapi('RotatedSecrets');

export const errorBody = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
  })
  .openapi('Error');

/** The body of the public API's refusals, where requests reach it through the admin API. */
export const publicErrorBody = z
  .object({
    error: z.object({
      ...errorBody.shape.error.shape,
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .openapi('PublicError');

export type ErrorBody = z.infer<typeof errorBody>;
export type CatalogueApplication = z.input<typeof catalogueApplication>;
export type CatalogueChangeJson = z.infer<typeof catalogueChange>;
export type StatusJson = z.infer<typeof status>;
export type ProcessesJson = z.infer<typeof processes>;
export type ExaminationJson = z.infer<typeof examination>;
export type SettingsJson = z.infer<typeof settings>;
