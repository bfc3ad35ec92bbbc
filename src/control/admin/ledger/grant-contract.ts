import { z } from '@hono/zod-openapi';
import { EXPIRING_GRANT_ORDERS } from '../../ledger/expiring-grants.ts';
import { ENDING_PERIODS } from '../../../domain/window.ts';
import { GRANT_EXPIRIES } from '../../ledger/recurring-grants.ts';
import { amount, choice, creationName, id, positiveUsd, reason, timestamp, wholeNumber } from '../contract-fields.ts';
import { sortedPageQuery } from '../pages.ts';

// The admin API's wire for credit that expires or recurs.

export const expiringGrantQuery = sortedPageQuery(EXPIRING_GRANT_ORDERS);

export const expiringGrant = z
  .object({
    id: id.openapi({ description: 'The posting that gave it.' }),
    ...amount('amount', 'What was granted, without the part that repaid a debt.'),
    ...amount('left', 'What has not been charged of it, and will expire.'),
    granted_at: timestamp,
    expires_at: timestamp,
    reason: z.string(),
    recurring_id: id.nullable().openapi({ description: 'The recurring grant that gave it.' }),
  })
  .openapi('ExpiringGrant');

const period = choice(ENDING_PERIODS).openapi({
  description: 'Credit is posted at 00:00 UTC of each day, of each Monday, or of the first of each month.',
});

const days = wholeNumber(1, 3_660);

export const recurringGrantCreation = z
  .strictObject({
    amount_usd: positiveUsd,
    period,
    expires: choice(['with_period', 'never']).optional().openapi({
      description: 'When what is left of it expires: at the end of its period (the default), or never.',
    }),
    expires_after_days: days
      .optional()
      .openapi({ description: 'It expires so many days after the begin of its period.' }),
    starts: choice(['now', 'next']).optional().openapi({
      description: 'With the present period, whose credit is posted now (the default), or with the next one.',
    }),
    reason,
    once: creationName.optional(),
  })
  .refine(
    (given) => given.expires === undefined || given.expires_after_days === undefined,
    'must not have both expires and expires_after_days',
  )
  .openapi('RecurringGrantCreation');

export const recurringGrant = z
  .object({
    id,
    ...amount('amount', 'Of each period.'),
    period,
    expires: z.enum(GRANT_EXPIRIES),
    expires_after_days: z.int().nullable(),
    reason: z.string(),
    actor: z.string(),
    created_at: timestamp,
    next_at: timestamp.nullable().openapi({ description: 'When it is posted next; null: it has ended.' }),
    ended_at: timestamp.nullable(),
  })
  .openapi('RecurringGrant');

export type ExpiringGrantJson = z.infer<typeof expiringGrant>;
export type RecurringGrantCreation = z.input<typeof recurringGrantCreation>;
export type RecurringGrantJson = z.infer<typeof recurringGrant>;
