import { z } from '@hono/zod-openapi';
import { alert } from '../alerts/alert-contract.ts';
import { amount, heldFields, id, timestamp } from '../contract-fields.ts';
import { receiptList } from '../ledger/ledger-contract.ts';
import { usage } from '../usage/usage-contract.ts';
import { workspace } from './account-contract.ts';

// The part of the admin API's contract about a workspace as a whole: what asks for attention.

export const nearLimit = z
  .object({
    kind: z.enum(['project', 'key']),
    id,
    name: z.string(),
    ...amount('limit'),
    ...amount('used'),
    ...heldFields,
    resets_at: timestamp.nullable(),
  })
  .openapi('NearLimit');

export const overviewQuery = z.strictObject({
  figures: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .optional()
    .transform((text) => text === 'true')
    .openapi({ description: 'Whether to answer the figures of the home page, too.' }),
});

const UNSEEN = 'null for roles without the right to see it, and if it cannot be read now';

const figures = z
  .object({
    workspace: workspace.nullable().openapi({ description: `The workspace; ${UNSEEN}.` }),
    receipts: receiptList.nullable().openapi({ description: `The five newest receipts; ${UNSEEN}.` }),
    days: usage
      .nullable()
      .openapi({ description: `Usage by days, of 30 days and the whole of this month; ${UNSEEN}.` }),
    last_day: usage.nullable().openapi({
      description: `Usage of the present hour and the 23 before it, with durations; ${UNSEEN}.`,
    }),
    last_month: usage
      .nullable()
      .openapi({ description: `Usage of last month, as far as this one has come; ${UNSEEN}.` }),
  })
  .openapi('HomeFigures');

const PARTS = 'Empty for roles without the right to see them.';

export const overview = z
  .object({
    refused: z
      .object({ recorded: z.int(), unrecorded: z.int() })
      .openapi({ description: 'Refused requests of the last 24 hours, as the list of refusals counts them.' }),
    near_limits: z
      .array(nearLimit)
      .openapi({ description: `Projects and keys that have used 80 % of their limit, five of each at most. ${PARTS}` }),
    expiring_keys: z
      .array(z.object({ id, name: z.string(), expires_at: timestamp }))
      .openapi({ description: `Keys that expire within a week, five at most. ${PARTS}` }),
    auto_top_up_stop: z
      .enum(['failures', 'authentication_required'])
      .nullable()
      .openapi({ description: 'Why automatic top-ups have stopped; null if they have not, or for other roles.' }),
    open_alerts: z.array(alert).openapi({ description: `Alerts that are not resolved, ten at most. ${PARTS}` }),
    figures: figures.nullable().openapi({ description: 'By `figures=true`; null without it.' }),
  })
  .openapi('Overview');

export type OverviewJson = z.infer<typeof overview>;
export type HomeFiguresJson = z.infer<typeof figures>;
