import { z } from '@hono/zod-openapi';
import { parseUsd } from '../domain/money.ts';
import { PERIODS } from '../domain/window.ts';

// The admin API's wire, on which its server, its client and its document agree. Every amount goes out twice: as digits
// of nano-USD for programs (`_nano_usd`) and as decimal USD for people (`_usd`). What comes in is decimal USD, in a
// string, so that no JSON number rounds it.

const DECIMAL_HELP = 'a decimal string of USD such as "5.00", with at most nine digits before the point and nine after';

function usd(allows: (amount: bigint) => boolean, range: string) {
  const error = `must be ${DECIMAL_HELP}, ${range}`;
  return z
    .string({ error })
    .refine((text) => {
      const amount = parseUsd(text);
      return amount !== null && allows(amount);
    }, error)
    .openapi({ example: '5.00' });
}

const positiveUsd = usd((amount) => amount > 0n, 'above zero');
const limitUsd = usd((amount) => amount >= 0n, 'zero or above');

const NAME_HELP = 'must be 1 to 100 characters, without "/", control characters, or blanks at either end';
const name = z.string({ error: NAME_HELP }).regex(/^(?!\s)[^\p{Cc}\p{Cs}/]{1,100}(?<!\s)$/u, NAME_HELP);

const REASON_HELP = 'must be 1 to 500 characters of text';
const reason = z.string({ error: REASON_HELP }).regex(/^[^\p{Cc}\p{Cs}]{1,500}$/u, REASON_HELP);

const POLICY_HELP =
  'must be a list of 1 to 100 model ids, or beginnings of ids that end in "*"; null allows every model';
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

const TIME_HELP = 'must be a day ("2027-01-31", from its first moment UTC) or a time ("2027-01-31T12:00:00Z")';
const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })], { error: TIME_HELP });

function limit(max: number) {
  const error = `must be a whole number from 1 to ${max}, or null for no limit`;
  return z.int({ error }).min(1, error).max(max, error).nullable();
}

const period = z.enum(PERIODS, { error: `must be one of ${PERIODS.join(', ')}` });

const nano = z
  .string()
  .regex(/^-?\d+$/)
  .openapi({ example: '5000000000' });
const decimal = z.string().openapi({ example: '5.00' });
const timestamp = z.iso.datetime();
const id = z.uuid();

export const workspaceCreation = z.strictObject({ name }).openapi('WorkspaceCreation');

export const grantCreation = z.strictObject({ amount_usd: positiveUsd, reason }).openapi('GrantCreation');

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

export const workspaceDetail = workspace.extend({ projects: z.array(project) }).openapi('WorkspaceDetail');

export const grant = z
  .object({ id, amount_nano_usd: nano, amount_usd: decimal, balance_nano_usd: nano, balance_usd: decimal })
  .openapi('Grant');

export const posting = z
  .object({
    id,
    kind: z.enum(['top_up', 'grant', 'refund', 'dispute', 'adjustment']),
    amount_nano_usd: nano,
    amount_usd: decimal,
    actor: z.string(),
    reason: z.string(),
    posted_at: timestamp,
  })
  .openapi('Posting');

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

export const createdKey = key.extend({ key: z.string() }).openapi('CreatedKey');

export const receipt = z
  .object({
    request_id: id,
    workspace_id: id,
    project_id: id,
    key_id: id,
    model: z.string(),
    price_version_id: z.string(),
    price_version: z.int().nullable(),
    outcome: z.enum(['completed', 'interrupted', 'abandoned', 'failed']),
    charge_nano_usd: nano,
    charge_usd: decimal,
    hold_nano_usd: nano,
    hold_usd: decimal,
    write_off_nano_usd: nano,
    write_off_usd: decimal,
    usage: z.object({ certainty: z.enum(['exact', 'estimated']), tokens: z.record(z.string(), z.int()) }),
    shortened_to_tokens: z.int().nullable(),
    streamed: z.boolean(),
    admitted_at: timestamp,
    duration_ms: z.int(),
    first_event_ms: z.int().nullable(),
    attempts: z.array(
      z.object({
        provider: z.string(),
        upstream_model: z.string(),
        status: z.int().nullable(),
        duration_ms: z.number(),
        fault: z.string().nullable(),
      }),
    ),
    client_request_id: z.string().nullable(),
    settled_at: timestamp,
  })
  .openapi('Receipt');

export const ledgerReport = z
  .object({
    ok: z.boolean(),
    workspaces: z.int(),
    purses: z.int(),
    postings: z.int(),
    receipts: z.int(),
    credit_nano_usd: nano,
    credit_usd: decimal,
    charges_nano_usd: nano,
    charges_usd: decimal,
    write_offs_nano_usd: nano,
    write_offs_usd: decimal,
    balance_nano_usd: nano,
    balance_usd: decimal,
    owed_nano_usd: nano,
    owed_usd: decimal,
    difference_count: z.int(),
    differences: z.array(
      z.object({
        check: z.string(),
        workspace_id: id.nullable(),
        subject_id: z.string(),
        expected: z.string(),
        actual: z.string(),
      }),
    ),
  })
  .openapi('LedgerReport');

export const catalogueChange = z
  .object({
    model: z.string(),
    change: z.enum(['add', 'update', 'retire']),
    fields: z.array(z.object({ field: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
    needs_accept: z.boolean(),
  })
  .openapi('CatalogueChange');

export const catalogueDiff = z.object({ changes: z.array(catalogueChange) }).openapi('CatalogueDiff');

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

/** A list of things, under `data`. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item) });
}

export type ErrorBody = z.infer<typeof errorBody>;
export type WorkspaceCreation = z.input<typeof workspaceCreation>;
export type GrantCreation = z.input<typeof grantCreation>;
export type ProjectCreation = z.input<typeof projectCreation>;
export type ProjectUpdate = z.input<typeof projectUpdate>;
export type KeyCreation = z.input<typeof keyCreation>;
export type CatalogueApplication = z.input<typeof catalogueApplication>;
export type WorkspaceJson = z.infer<typeof workspace>;
export type WorkspaceDetailJson = z.infer<typeof workspaceDetail>;
export type ProjectJson = z.infer<typeof project>;
export type GrantJson = z.infer<typeof grant>;
export type PostingJson = z.infer<typeof posting>;
export type KeyJson = z.infer<typeof key>;
export type CreatedKeyJson = z.infer<typeof createdKey>;
export type ReceiptJson = z.infer<typeof receipt>;
export type LedgerReportJson = z.infer<typeof ledgerReport>;
export type CatalogueChangeJson = z.infer<typeof catalogueChange>;
export type CatalogueDiffJson = z.infer<typeof catalogueDiff>;
export type AppliedCatalogueJson = z.infer<typeof appliedCatalogue>;
export type StatusJson = z.infer<typeof status>;
