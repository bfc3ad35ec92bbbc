import { z } from '@hono/zod-openapi';
import { PERIODS } from '../domain/window.ts';
import { decimal, id, limitUsd, nano, time, timestamp } from './contract-fields.ts';

// The contract of the admin API: its server, its client and its document are made from it.

const NAME_HELP = 'must be 1 to 100 characters, without "/", control characters, or spaces at either end';
const name = z.string({ error: NAME_HELP }).regex(/^(?!\s)[^\p{Cc}\p{Cs}/]{1,100}(?<!\s)$/u, NAME_HELP);

const POLICY_HELP = 'must be a list of 1 to 100 model ids, or prefixes of ids ending in "*"; null allows every model';
const models = z
  .array(
    z
      .string()
      .regex(/^[^\p{C}\s*]{0,200}\*?$/u, POLICY_HELP)
      .min(1, POLICY_HELP),
    { error: POLICY_HELP },
  )
  .min(1, POLICY_HELP)
  .max(100, POLICY_HELP);

function limit(max: number) {
  const error = `must be a whole number from 1 to ${max}, or null for no limit`;
  return z.int({ error }).min(1, error).max(max, error).nullable();
}

const period = z.enum(PERIODS, { error: `must be one of ${PERIODS.join(', ')}` });

export const workspaceCreation = z.strictObject({ name }).openapi('WorkspaceCreation');

const projectSettings = {
  requests_per_minute: limit(2_147_483_647).optional(),
  tokens_per_minute: limit(Number.MAX_SAFE_INTEGER).optional(),
  concurrency: limit(2_147_483_647).optional(),
  budget_usd: limitUsd.nullable().optional(),
  budget_period: period.optional(),
  models: models.nullable().optional(),
};

export const projectCreation = z.strictObject({ name, ...projectSettings }).openapi('ProjectCreation');

export const projectUpdate = z.strictObject({ name: name.optional(), ...projectSettings }).openapi('ProjectUpdate');

export const keyCreation = z
  .strictObject({
    name: name.optional(),
    spend_limit_usd: limitUsd.nullable().optional(),
    models: models.nullable().optional(),
    expires_at: time.nullable().optional(),
  })
  .openapi('KeyCreation');

export const catalogueApplication = z
  .strictObject({ accept: z.array(z.string().max(300)).max(10_000).optional() })
  .openapi('CatalogueApplication');

export const workspace = z
  .object({
    id,
    name: z.string(),
    created_at: timestamp,
    credit_nano_usd: nano,
    credit_usd: decimal,
    balance_nano_usd: nano,
    balance_usd: decimal,
    held_nano_usd: nano,
    held_usd: decimal,
    owed_nano_usd: nano,
    owed_usd: decimal,
  })
  .openapi('Workspace');

export const project = z
  .object({
    id,
    workspace_id: id,
    name: z.string(),
    requests_per_minute: z.int().nullable(),
    tokens_per_minute: z.int().nullable(),
    concurrency: z.int().nullable(),
    budget_nano_usd: nano.nullable(),
    budget_usd: decimal.nullable(),
    budget_period: z.enum(PERIODS),
    models: z.array(z.string()).nullable(),
    created_at: timestamp,
  })
  .openapi('Project');

const warnings = z.array(z.string()).openapi({
  description: 'Accepted, but probably a mistake: entries that match no model on sale.',
});

export const changedProject = project.extend({ warnings }).openapi('ChangedProject');

export const key = z
  .object({
    id,
    workspace_id: id,
    project_id: id,
    name: z.string(),
    masked_key: z.string(),
    spend_limit_nano_usd: nano.nullable(),
    spend_limit_usd: decimal.nullable(),
    models: z.array(z.string()).nullable(),
    expires_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .openapi('Key');

export const createdKey = key.extend({ key: z.string(), warnings }).openapi('CreatedKey');

export const location = z
  .object({ workspace_id: id, id })
  .openapi('Location', { description: 'A project, key or receipt, and the workspace that it belongs to.' });

export const catalogueChange = z
  .object({
    model: z.string(),
    change: z.enum(['add', 'update', 'retire']),
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
    problems: z.array(z.string()),
  })
  .openapi('Status');

export const finding = z
  .object({
    check: z.string(),
    status: z.enum(['ok', 'warn', 'fail']),
    message: z.string(),
    advice: z.string().nullable().openapi({ description: 'What to do; null if nothing is wrong.' }),
  })
  .openapi('Finding');

export const examination = z.object({ data: z.array(finding) }).openapi('Examination');

export const restart = z
  .object({
    running: z.boolean(),
    workers: z.int(),
    replaced: z.int(),
    problem: z.string().nullable(),
  })
  .openapi('Restart');

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

export type ErrorBody = z.infer<typeof errorBody>;
export type WorkspaceCreation = z.input<typeof workspaceCreation>;
export type ProjectCreation = z.input<typeof projectCreation>;
export type ProjectUpdate = z.input<typeof projectUpdate>;
export type KeyCreation = z.input<typeof keyCreation>;
export type CatalogueApplication = z.input<typeof catalogueApplication>;
export type LocationJson = z.infer<typeof location>;
export type WorkspaceJson = z.infer<typeof workspace>;
export type ProjectJson = z.infer<typeof project>;
export type ChangedProjectJson = z.infer<typeof changedProject>;
export type KeyJson = z.infer<typeof key>;
export type CreatedKeyJson = z.infer<typeof createdKey>;
export type CatalogueChangeJson = z.infer<typeof catalogueChange>;
export type CatalogueDiffJson = z.infer<typeof catalogueDiff>;
export type AppliedCatalogueJson = z.infer<typeof appliedCatalogue>;
export type StatusJson = z.infer<typeof status>;
export type ExaminationJson = z.infer<typeof examination>;
export type RestartJson = z.infer<typeof restart>;
