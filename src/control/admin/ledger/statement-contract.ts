import { z } from '@hono/zod-openapi';
import { STATEMENT_KINDS, STATEMENT_ORDERS } from '../../usage/statement.ts';
import { amount, decimal, id, nano, timestamp } from '../contract-fields.ts';
import { pageOf, sortedPageQuery } from '../pages.ts';

// The admin API's wire for statements of credit.

const MONTH_HELP = 'must be a month, such as "2026-11"';
const month = z
  .string({ error: MONTH_HELP })
  .regex(/^2\d{3}-(0[1-9]|1[0-2])$/, MONTH_HELP)
  .optional()
  .openapi({ description: 'The month (UTC). Default: the present one.', example: '2026-11' });

export const statementQuery = sortedPageQuery(STATEMENT_ORDERS).extend({ month });

export const statementExportQuery = z.strictObject({ month });

export const statementLine = z
  .object({
    id,
    kind: z.enum(STATEMENT_KINDS).openapi({ description: "A posting's, or `usage` for all charges of a day (UTC)." }),
    starts_at: timestamp.openapi({ description: 'When it was posted, or the start of the day.' }),
    ...amount('amount', 'Below zero it was taken.'),
    ...amount('balance', 'What all lines until this one have left. The usage of a day stands after its postings.'),
    requests: z.int().nullable(),
    actor: z.string().nullable(),
    reason: z.string().nullable(),
    receipt_request_id: id.nullable().openapi({ description: 'The request whose charge it corrects.' }),
    top_up_id: id.nullable().openapi({ description: 'The top-up that it credits, refunds or disputes.' }),
    tax_nano_usd: nano
      .nullable()
      .openapi({ description: 'What the payment of a top-up had as tax; it is no credit. Null for other lines.' }),
    tax_usd: decimal.nullable(),
    expires_at: timestamp.nullable().openapi({ description: 'When what is left of a grant expires.' }),
  })
  .openapi('StatementLine');

const party = z.object({
  name: z.string(),
  address: z.string().nullable().openapi({ description: 'In one line.' }),
  tax_id: z.string().nullable(),
});

export const statement = pageOf(statementLine)
  .extend({
    number: z.string().openapi({
      description: 'The number of the statement: the same for the same month for ever, and no other has it.',
      example: '2026-11-5B1D6C0E9A11',
    }),
    month: z.string(),
    seller: party
      .nullable()
      .openapi({ description: 'Who sells the credit, by the config file; null: it names nobody.' }),
    buyer: party.openapi({ description: 'To whom the workspace has its statements addressed.' }),
    ...amount('opening', 'The balance before the first line of the month.'),
    ...amount('closing', 'After its last one: for the present month, the balance.'),
  })
  .openapi('Statement');

export type PartyJson = z.infer<typeof party>;
export type StatementJson = z.infer<typeof statement>;
export type StatementLineJson = z.infer<typeof statementLine>;
