import { z } from '@hono/zod-openapi';
import { MONEY_LEVELS, MONEY_REFUSAL_CODES, type RefusalCode, REFUSALS } from '../../../domain/refusals.ts';
import { ENDPOINTS } from '../../../domain/refused-request.ts';
import { amount, id, time, timestamp } from '../contract-fields.ts';
import { pageOf, pageQuery } from '../pages.ts';

// The part of the admin API's contract about refused requests.

const CODES = Object.keys(REFUSALS) as [RefusalCode, ...RefusalCode[]];

const STATUS_HELP = 'must be a status of HTTP such as 402, or a class of them such as 4xx';

/** What refusals are chosen by. */
const refusalChoice = {
  code: z
    .enum(CODES, { error: 'must be an error code of the public API' })
    .optional()
    .openapi({ description: 'Only those with this error code.' }),
  status: z
    .string({ error: STATUS_HELP })
    .regex(/^[1-5](?:\d\d|xx)$/, STATUS_HELP)
    .optional()
    .openapi({ description: 'Only those with this status, or this class of statuses.', example: '4xx' }),
  model: z.string().max(200).optional().openapi({ description: 'Only those that asked for this model.' }),
  from: time.optional().openapi({ description: 'From this time of arrival on.' }),
  to: time.optional().openapi({ description: 'Before this time of arrival.' }),
};

export const refusalQuery = pageQuery.extend({
  ...refusalChoice,
  key: z.string().max(100).optional().openapi({ description: 'Only those of this key, by id or public id.' }),
  project: z.string().max(200).optional().openapi({ description: 'Only those of this project, by id or name.' }),
});

const operatorChoice = {
  ...refusalChoice,
  workspace: z.string().max(200).optional().openapi({ description: 'Only those of this workspace, by id or name.' }),
};

export const allRefusalsQuery = pageQuery.extend(operatorChoice);
export const refusalCountsQuery = z.strictObject(operatorChoice);

const failingLevel = z.object({
  level: z.enum(MONEY_LEVELS),
  code: z.enum(MONEY_REFUSAL_CODES),
  ...amount('limit'),
  ...amount('used'),
  ...amount('held', 'Held by other requests, or leased by other processes.'),
  ...amount('left', 'What the request could have held: limit less used and held.'),
  resets_at: timestamp.nullable(),
});

const shortage = z
  .object({
    ...amount('needed', 'What the request had to hold.'),
    transient: z.boolean().openapi({ description: 'Only what other requests held was in the way.' }),
    max_tokens_that_fit: z.int().nullable(),
    fix: z.string().openapi({ description: 'The smallest change that would have admitted the request.' }),
    levels: z.array(failingLevel).openapi({
      description:
        'The levels that did not cover the request; `code` of the refusal is that of the first. None if it would have exceeded its own x-faregate-max-cost.',
    }),
  })
  .openapi('RefusedShortage');

const allowance = z
  .object({ limit: z.int(), remaining: z.int(), reset_ms: z.int() })
  .nullable()
  .openapi({ description: 'How the limit per minute stood; null if there is none.' });

const rateLimit = z
  .object({
    limit: z.enum(['requests', 'tokens', 'concurrency']).openapi({ description: 'The limit that was exceeded.' }),
    most: z.int().openapi({ description: 'It: per minute, or at the same time.' }),
    requests: allowance,
    tokens: allowance,
  })
  .openapi('RefusedRate');

export const refusal = z
  .object({
    request_id: id,
    workspace_id: id,
    workspace_name: z.string(),
    project_id: id,
    project_name: z.string(),
    key_id: id,
    key_name: z.string(),
    refused_at: timestamp,
    code: z.enum(CODES),
    status: z.int().openapi({ description: 'Of HTTP.' }),
    endpoint: z.enum(ENDPOINTS).nullable(),
    model: z.string().nullable().openapi({ description: 'As it was requested; 200 characters at most.' }),
    param: z.string().nullable().openapi({ description: 'The field of the request at fault.' }),
    retry_after_ms: z.int().nullable(),
    shortage: shortage.nullable().openapi({ description: 'On 402.' }),
    rate_limit: rateLimit.nullable().openapi({ description: 'On 429, if a limit of the project was exceeded.' }),
  })
  .openapi('Refusal');

export const refusalList = pageOf(refusal).extend({
  unrecorded: z.int().openapi({
    description:
      'How many refusals of the last 24 hours were not recorded, at most: of those with one code, 100 a minute are, and none while the database is away. 0 for the role `member`.',
  }),
});

const count = z.int().openapi({ example: 12 });

export const refusalCounts = z
  .object({
    data: z
      .array(z.object({ hour: timestamp, code: z.enum(CODES), requests: count }))
      .openapi({ description: 'By the hour (UTC) in which they were refused, and by code.' }),
    workspaces: z
      .array(z.object({ id, name: z.string(), requests: count }))
      .openapi({ description: 'The 50 workspaces with the most.' }),
    models: z
      .array(z.object({ model: z.string(), requests: count }))
      .openapi({ description: 'The 50 models that were requested most.' }),
    counted_from: timestamp.nullable().openapi({
      description: 'The newest 100,000 are counted. If there are more: when the oldest of these was refused.',
    }),
    unrecorded: z.int().openapi({ description: 'How many others were not recorded, at most.' }),
  })
  .openapi('RefusalCounts');

export type RefusalCountsJson = z.infer<typeof refusalCounts>;
/** Which refusals of all workspaces are wanted. */
export type RefusalChoice = z.input<typeof refusalCountsQuery>;
export type RefusalQuery = Omit<z.input<typeof refusalQuery>, 'limit'> & { readonly limit?: number };
export type RefusalJson = z.infer<typeof refusal>;
export type RefusalListJson = z.infer<typeof refusalList>;
