import { MONEY_LEVELS } from '../../../domain/refusals.ts';
import { z } from '@hono/zod-openapi';
import { LISTED_FIELDS, STORED_FIELDS } from '../../../domain/stored-fields.ts';
import { POSTED_KINDS, POSTING_KINDS } from '../../../domain/posting-kinds.ts';
import { GRANTS_EXPIRE } from '../../ledger/postings.ts';
import { DIALECTS, OUTCOMES } from '../../../domain/receipt.ts';
import { USE_CLASSES } from '../../../domain/uses.ts';
import {
  amount,
  choice,
  decimal,
  id,
  limitUsd,
  once,
  positiveUsd,
  reason,
  signedUsd,
  time,
  timestamp,
} from '../contract-fields.ts';
import { endUserName } from '../accounts/account-contract.ts';
import { pageOf, pageQuery } from '../pages.ts';
import { appliedAdjustment } from '../catalogue/price-contract.ts';
import { receiptShape } from './receipt-shape.ts';

// The part of the admin API's contract about the ledger and receipts.

const KIND_HELP = `must be one of ${POSTED_KINDS.join(', ')}`;

/** A posting that is no grant, so that it has no expiry. */
function unexpiring<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' && keys.includes('expires_at') ? GRANTS_EXPIRE : undefined,
  });
}

export const postingCreation = z
  .discriminatedUnion(
    'kind',
    [
      unexpiring({
        kind: z.enum(['top_up', 'refund']).openapi({ description: 'Top-ups add credit, refunds take it back.' }),
        amount_usd: positiveUsd,
        reason,
        once: once.optional(),
      }),
      z.strictObject({
        kind: z.literal('grant'),
        amount_usd: positiveUsd,
        expires_at: time.optional().openapi({
          description:
            'When what is left of it expires. Requests are charged to the grant that expires first. Default: never.',
        }),
        reason,
        once: once.optional(),
      }),
      unexpiring({
        kind: z.literal('dispute'),
        amount_usd: positiveUsd,
        won: z
          .boolean({ error: 'must be true or false' })
          .optional()
          .openapi({ description: 'The dispute was won: restore its credit.' }),
        reason,
        once: once.optional(),
      }),
      unexpiring({ kind: z.literal('adjustment'), amount_usd: signedUsd, reason, once: once.optional() }),
    ],
    { error: KIND_HELP },
  )
  .openapi('PostingCreation');

export const posting = z
  .object({
    id,
    kind: z.enum(POSTING_KINDS),
    ...amount('amount'),
    ...amount('balance'),
    actor: z.string(),
    reason: z.string(),
    once: z.string().nullable(),
    receipt_request_id: id.nullable(),
    posted_at: timestamp,
    expires_at: timestamp
      .nullable()
      .openapi({ description: 'When what is left of a grant expires; null: it does not.' }),
  })
  .openapi('Posting');

export const posted = posting.extend({ repeated: z.boolean() }).openapi('Posted');

/** What receipts are chosen by, besides their time. */
const receiptChoice = {
  key: z.string().max(100).optional().openapi({ description: 'Only those of this key, by id or public id.' }),
  project: z.string().max(200).optional().openapi({ description: 'Only those of this project, by id or name.' }),
  model: z.string().max(300).optional().openapi({ description: 'Only those of this model.' }),
  outcome: choice(OUTCOMES).optional().openapi({ description: 'Only those that ended so.' }),
  dialect: choice(DIALECTS).optional().openapi({ description: 'Only those of this API.' }),
  session: z.string().min(1).max(128).optional().openapi({ description: 'Only those of this session of an agent.' }),
  min_charge_usd: limitUsd.optional().openapi({ description: 'Only those that were charged as much or more.' }),
};

export const receiptQuery = pageQuery.extend({
  ...receiptChoice,
  end_user: endUserName.optional().openapi({
    description:
      'Only those of the end user whom requests to the `project`, which must be named, call so, while the project limited its end users. They are found from `end_user_since` on.',
  }),
  from: time.optional().openapi({ description: 'From this time of arrival on.' }),
  to: time.optional().openapi({ description: 'Before this time of arrival.' }),
});

export const exportQuery = z.strictObject({
  ...receiptChoice,
  from: time.optional().openapi({ description: 'From this time on. Default: the beginning.' }),
  to: time.optional().openapi({ description: 'Before this time. Default: now.' }),
  format: z
    .enum(['csv', 'ndjson'], { error: 'must be csv or ndjson' })
    .optional()
    .openapi({ description: 'Default: `csv`. `ndjson` is one JSON object per line.' }),
});

export const receiptSummary = z
  .object({
    ...receiptShape(LISTED_FIELDS),
    project_name: z.string(),
    key_name: z.string(),
    ...amount('net_charge', 'After corrections.'),
  })
  .openapi('ReceiptSummary');

export const receiptList = pageOf(receiptSummary).extend({
  searched_until: timestamp.nullable().openapi({
    description:
      'A search ends after 100 ms or 100,000 receipts. All receipts up to this time, from the newest back, were looked at; `next_cursor` goes on from there. Null: it is complete.',
  }),
  end_user_since: timestamp.nullable().openapi({
    description:
      'With `end_user`: from when on receipts are found, the start of the window of two days ago. Earlier ones no longer show whose they are. Null without.',
  }),
});

const costLine = z.object({
  class: z.string(),
  tokens: z.int(),
  ...amount('rate', 'Per million tokens.'),
  amount_usd: decimal.openapi({ description: 'tokens × rate, exact.' }),
});

const feeLine = z.object({
  use: z.enum(USE_CLASSES),
  uses: z.int(),
  ...amount('fee', 'Per use.'),
  amount_usd: decimal.openapi({ description: 'uses × fee, exact.' }),
});

export const receipt = z
  .object({
    ...receiptShape(STORED_FIELDS),
    workspace_name: z.string(),
    project_name: z.string(),
    key_name: z.string(),
    price_version: z.int().nullable(),
    price_adjustment: appliedAdjustment,
    settled_at: timestamp,
    late: z.boolean().openapi({
      description: 'Its process had been fenced, so it was charged late, and no more than its purses still had.',
    }),
    superseded_by: id.nullable().openapi({
      description: 'The request that had taken over its Idempotency-Key. The superseded request is charged nothing.',
    }),
    levels: z.array(z.enum(MONEY_LEVELS)).openapi({
      description:
        'Whose credit, budget and limits it was charged to: of a member, an end user or a session if they had a limit.',
    }),
    corrections: z.array(posting),
    ...amount('net_charge'),
    cost: z
      .object({
        above_input_tokens: z.int().nullable(),
        lines: z.array(costLine),
        fee_lines: z.array(feeLine).openapi({ description: 'Fees beside tokens, for uses that have one.' }),
        exact_usd: decimal.openapi({ description: 'The sum of all lines, before it is rounded up once.' }),
        ...amount('cost'),
      })
      .nullable()
      .openapi({ description: 'How charge plus write-off was calculated, at the price version of the request.' }),
  })
  .openapi('Receipt');

export const ledgerReport = z
  .object({
    ok: z.boolean(),
    workspaces: z.int(),
    purses: z.int(),
    postings: z.int(),
    receipts: z.int(),
    audit_events: z.int(),
    ...amount('credit'),
    ...amount('charges'),
    ...amount('write_offs'),
    ...amount('balance'),
    ...amount('owed'),
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

const VERSION_HELP = "must be the number of one of the model's price versions";

export const correctionCreation = z
  .strictObject({
    charge_usd: limitUsd.optional().openapi({ description: 'The correct charge of the request.' }),
    price_version: z
      .int({ error: VERSION_HELP })
      .min(1, VERSION_HELP)
      .max(2_147_483_647, VERSION_HELP)
      .optional()
      .openapi({ description: "The version of the model's price that applies to it." }),
    reason,
    once: once.optional(),
  })
  .refine(
    (given) => (given.charge_usd === undefined) !== (given.price_version === undefined),
    'must have either charge_usd or price_version',
  )
  .openapi('CorrectionCreation');

export const correction = z
  .object({ posting: z.union([posted, z.null()]), receipt })
  .openapi('Correction', { description: '`posting` is null if the charge was correct already.' });

export const sealCreation = z
  .strictObject({
    before: time.openapi({ description: 'Partitions that end by this time are sealed.' }),
    drop: z
      .boolean({ error: 'must be true or false' })
      .optional()
      .openapi({ description: 'Drop sealed receipts permanently; their totals are kept.' }),
  })
  .openapi('SealCreation');

export const sealing = z.object({ sealed: z.array(z.string()), dropped: z.array(z.string()) }).openapi('Sealing');

export type PostingCreation = z.input<typeof postingCreation>;
export type PostingJson = z.infer<typeof posting>;
export type PostedJson = z.infer<typeof posted>;
export type ReceiptSummaryJson = z.infer<typeof receiptSummary>;
export type ReceiptChoice = z.output<z.ZodObject<typeof receiptChoice>>;
export type ReceiptListJson = z.infer<typeof receiptList>;
export type ReceiptQuery = Omit<z.input<typeof receiptQuery>, 'limit'> & { readonly limit?: number };
export type ReceiptJson = z.infer<typeof receipt>;
export type LedgerReportJson = z.infer<typeof ledgerReport>;
