import { z } from '@hono/zod-openapi';
import { TOP_UP_STATES } from '../../../domain/top-up-states.ts';
import { BATCH_CODES_MAX } from '../../payments/codes/code-batches.ts';
import {
  amount,
  choice,
  decimal,
  id,
  once,
  positiveUsd,
  reason,
  time,
  timestamp,
  wholeNumber,
} from '../contract-fields.ts';
import { pageQuery } from '../pages.ts';

// Payments in the admin API: top-ups, payment settings, redemption codes.

const BOOLEAN_HELP = 'must be true or false';
const CODE_HELP = 'must be a redemption code';

export const topUp = z
  .object({
    id,
    workspace_id: id,
    provider: z.string(),
    origin: z.enum(['checkout', 'auto', 'code']),
    state: z
      .enum(TOP_UP_STATES)
      .openapi({ description: '`processing`: the payer has finished, and the money is under way.' }),
    ...amount('amount', 'The credit.'),
    ...amount('fee', 'Paid on top of it.'),
    ...amount('tax', 'Paid on top of both, once it is paid; it never becomes credit.'),
    ...amount('total'),
    ...amount('refunded', 'What went back to the payer, fee and tax included.'),
    ...amount('disputed', 'What open and lost disputes have taken, fee and tax included.'),
    saves_method: z.boolean(),
    checkout_url: z.string().nullable().openapi({ description: 'The page on which it is paid.' }),
    expires_at: timestamp.nullable(),
    payment: z.string().nullable().openapi({ description: "The provider's id of the payment." }),
    posting_id: id.nullable(),
    failure: z.string().nullable(),
    actor: z.string(),
    once: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .openapi('TopUp');

export const topUpCreation = z
  .strictObject({
    amount_usd: positiveUsd.openapi({ description: 'The credit, in whole cents. The fee comes on top.' }),
    save_method: z
      .boolean({ error: BOOLEAN_HELP })
      .optional()
      .openapi({ description: 'The payer agrees that the means of payment is kept for automatic top-ups.' }),
    once: once.optional(),
  })
  .openapi('TopUpCreation');

export const topUpQuery = pageQuery.extend({
  state: choice(TOP_UP_STATES).optional(),
  provider: z.string().max(50).optional().openapi({ description: 'Such as `stripe` or `codes`.' }),
});

export const refundCreation = z
  .strictObject({
    amount_usd: positiveUsd
      .optional()
      .openapi({ description: 'What goes back to the payer. Left out: all that is left, fee and tax included.' }),
    once: once.optional(),
  })
  .openapi('RefundCreation');

export const paymentSettings = z
  .object({
    version: z.int(),
    provider: z.string().nullable().openapi({ description: 'Who takes payments; null: the operator grants credit.' }),
    amount_min_usd: decimal,
    amount_max_usd: decimal,
    fee_percent: decimal,
    fee_min_usd: decimal,
    has_tax: z.boolean().openapi({ description: 'Tax comes on top, which the provider computes on its page.' }),
    has_saved_method: z.boolean(),
    ...amount(
      'paid',
      'What was paid for the credit and has not gone back: the most that closing the workspace refunds.',
    ),
    auto_top_up: z.object({
      enabled: z.boolean(),
      threshold_usd: decimal.nullable(),
      amount_usd: decimal.nullable(),
      month_max_usd: decimal.nullable(),
      consent_by: z.string().nullable(),
      consent_at: timestamp.nullable(),
      failures: z.int(),
      stop: z.enum(['failures', 'authentication_required']).nullable(),
      stopped_at: timestamp.nullable(),
      recovery_top_up_id: id.nullable(),
    }),
  })
  .openapi('PaymentSettings');

export const paymentSettingsUpdate = z
  .strictObject({
    enabled: z.boolean({ error: BOOLEAN_HELP }).optional(),
    threshold_usd: positiveUsd.optional().openapi({ description: 'A balance below it leads to a top-up.' }),
    amount_usd: positiveUsd.optional(),
    month_max_usd: positiveUsd
      .optional()
      .openapi({ description: 'The most that is charged in a month (UTC) without being asked, fees included.' }),
    consent: z
      .literal(true, { error: 'must be true' })
      .optional()
      .openapi({ description: 'The agreement to be charged without being asked again.' }),
  })
  .openapi('PaymentSettingsUpdate');

export const redemption = z
  .strictObject({ code: z.string({ error: CODE_HELP }).min(1, CODE_HELP).max(100, CODE_HELP) })
  .openapi('Redemption');

const batchFields = {
  id,
  count: z.int(),
  redeemed: z.int(),
  ...amount('amount'),
  sold: z.boolean(),
  expires_at: timestamp,
  state: z.enum(['open', 'used_up', 'over']).openapi({
    description: '`used_up`: all are redeemed. `over`: those that nobody has redeemed have expired, or are cancelled.',
  }),
  reason: z.string(),
  actor: z.string(),
  created_at: timestamp,
};

export const codeBatch = z.object(batchFields).openapi('CodeBatch');

export const createdCodeBatch = z
  .object({
    ...batchFields,
    codes: z
      .array(z.string())
      .nullable()
      .openapi({ description: 'Null: the answer to an earlier request with the same `once` had them.' }),
  })
  .openapi('CreatedCodeBatch', { description: 'The codes are shown here only.' });

export const codeBatchCreation = z
  .strictObject({
    count: wholeNumber(1, BATCH_CODES_MAX),
    amount_usd: positiveUsd.openapi({ description: 'What each code is worth.' }),
    expires_at: time,
    sold: z
      .boolean({ error: BOOLEAN_HELP })
      .optional()
      .openapi({ description: 'The codes are sold, so their credit counts as paid. Default: it is granted.' }),
    reason,
    once: once.optional(),
  })
  .openapi('CodeBatchCreation');

export const redemptionCode = z
  .object({
    id,
    batch_id: id,
    last_four: z.string(),
    ...amount('amount'),
    expires_at: timestamp,
    workspace_id: id.nullable(),
    workspace_name: z.string().nullable(),
    top_up_id: id.nullable(),
    redeemed_by: z.string().nullable(),
    redeemed_at: timestamp.nullable(),
  })
  .openapi('RedemptionCode');

export const codeQuery = pageQuery.extend({
  batch: z.uuid().optional().openapi({ description: 'Of this batch only.' }),
});

export type TopUpJson = z.infer<typeof topUp>;
export type TopUpCreation = z.input<typeof topUpCreation>;
export type RefundCreation = z.input<typeof refundCreation>;
export type AutoTopUpUpdate = z.input<typeof paymentSettingsUpdate>;
export type PaymentSettingsJson = z.infer<typeof paymentSettings>;
export type CodeBatchJson = z.infer<typeof codeBatch>;
export type CreatedCodeBatchJson = z.infer<typeof createdCodeBatch>;
export type CodeBatchCreation = z.input<typeof codeBatchCreation>;
export type RedemptionCodeJson = z.infer<typeof redemptionCode>;
