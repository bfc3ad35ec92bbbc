import { z } from '@hono/zod-openapi';
import { INSTANCE_KINDS, WORKSPACE_KINDS } from '../../../domain/alert-kinds.ts';
import { DELIVERY_STATES } from '../../../domain/delivery-states.ts';
import { ROLES } from '../../../domain/roles.ts';
import { creationName, decimal, id, nano, positiveUsd, timestamp, wholeNumber } from '../contract-fields.ts';

// The part of the contract about alerts, webhooks and deliveries.

const TEXT_HELP = 'must be 1 to 100 characters of text';
const name = z.string({ error: TEXT_HELP }).regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u, TEXT_HELP);
const DESCRIPTION_HELP = 'must be at most 200 characters of text';
const description = z.string({ error: DESCRIPTION_HELP }).regex(/^[^\p{Cc}\p{Cs}]{0,200}$/u, DESCRIPTION_HELP);
const URL_HELP = 'must be an https URL of at most 2000 characters';
const url = z.string({ error: URL_HELP }).min(1, URL_HELP).max(2_000, URL_HELP).openapi({ format: 'uri' });

const percent = wholeNumber(1, 100);
const days = wholeNumber(1, 365);

const mailRoles = z.array(z.enum(ROLES)).max(ROLES.length);
const mailTo = z.array(z.string().max(254).openapi({ format: 'email' })).max(20);

const ruleFields = {
  threshold_usd: positiveUsd.optional().openapi({ description: 'For `balance_below`: the amount.' }),
  percent: percent
    .optional()
    .openapi({ description: 'For `balance_share`, `project_budget` and the kinds of limits.' }),
  days: days.optional().openapi({ description: 'For `runway`.' }),
  mail_roles: mailRoles.optional().openapi({ description: 'Members with these roles get a mail.' }),
  mail_to: mailTo.optional().openapi({ description: 'So do these addresses.' }),
  enabled: z.boolean().optional(),
};

export const alertRuleCreation = z
  .strictObject({
    name,
    kind: z.enum(WORKSPACE_KINDS),
    subject_id: id
      .nullable()
      .optional()
      .openapi({ description: 'The one project or key that it is about; null: each.' }),
    ...ruleFields,
    once: creationName.optional(),
  })
  .openapi('AlertRuleCreation');

export const alertRuleUpdate = z.strictObject({ name: name.optional(), ...ruleFields }).openapi('AlertRuleUpdate');

const kind = z.enum([...WORKSPACE_KINDS, ...INSTANCE_KINDS]);

export const alertRule = z
  .object({
    id,
    name: z.string(),
    kind,
    threshold_nano_usd: nano.nullable(),
    threshold_usd: decimal.nullable(),
    percent: z.int().nullable(),
    days: z.int().nullable(),
    subject_id: id.nullable(),
    subject_name: z.string().nullable().openapi({
      description:
        'The present name of the one project or key that it is about; null: it is about each, or that is gone.',
    }),
    mail_roles: z.array(z.enum(ROLES)),
    mail_to: z.array(z.string()),
    enabled: z.boolean(),
    version: z.int(),
    created_at: timestamp,
  })
  .openapi('AlertRule');

export const alert = z
  .object({
    id,
    rule_id: id,
    kind,
    subject: z.object({
      kind: z.enum(['workspace', 'project', 'key', 'member', 'provider', 'ledger']),
      id: z.string(),
      name: z.string(),
    }),
    summary: z.string(),
    value_nano_usd: nano.nullable(),
    value_usd: decimal.nullable(),
    limit_nano_usd: nano.nullable(),
    limit_usd: decimal.nullable(),
    url: z.string().nullable().openapi({ description: 'The page on which the reader can act, such as a payment.' }),
    raised_at: timestamp,
    resolved_at: timestamp.nullable(),
  })
  .openapi('Alert');

export const alertFilter = {
  open: z
    .enum(['true', 'false'])
    .optional()
    .openapi({ description: 'Only those that are open, or only those that are over.' }),
  rule: id.optional().openapi({ description: 'Only those of this rule.' }),
};

export const webhookCreation = z
  .strictObject({ url, description: description.optional(), once: creationName.optional() })
  .openapi('WebhookCreation');

export const webhookUpdate = z
  .strictObject({ url: url.optional(), description: description.optional(), enabled: z.boolean().optional() })
  .openapi('WebhookUpdate');

export const webhookRotation = z
  .strictObject({
    overlap_hours: wholeNumber(0, 168)
      .optional()
      .openapi({ description: 'How long the former secret signs too. Default: 24.' }),
  })
  .openapi('WebhookRotation');

export const webhook = z
  .object({
    id,
    url: z.string(),
    description: z.string(),
    enabled: z.boolean(),
    version: z.int(),
    created_at: timestamp,
    former_secret_until: timestamp.nullable(),
  })
  .openapi('Webhook');

export const createdWebhook = webhook
  .extend({
    secret: z.string().nullable().openapi({
      description: 'Signs deliveries. Null: the answer to an earlier request with the same `once` had it.',
    }),
  })
  .openapi('CreatedWebhook');

export const webhookWithSecret = webhook
  .extend({ secret: z.string().openapi({ description: 'Signs deliveries. Shown in this answer alone.' }) })
  .openapi('WebhookWithSecret');

export const delivery = z
  .object({
    id,
    channel: z.enum(['mail', 'webhook']),
    recipient: z.string(),
    subject: z.string().nullable(),
    webhook_id: id.nullable(),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int(),
    created_at: timestamp,
    next_attempt_at: timestamp.nullable(),
    finished_at: timestamp.nullable(),
    last_error: z.string().nullable(),
    last_status: z.int().nullable(),
  })
  .openapi('Delivery');

export const deliveryFilter = {
  state: z.enum(DELIVERY_STATES).optional(),
  webhook: id.optional().openapi({ description: 'Only those of this endpoint.' }),
};

export type AlertRuleCreation = z.output<typeof alertRuleCreation>;
export type AlertRuleUpdate = z.output<typeof alertRuleUpdate>;
export type AlertRuleJson = z.output<typeof alertRule>;
export type AlertJson = z.output<typeof alert>;
export type WebhookJson = z.output<typeof webhook>;
export type DeliveryJson = z.output<typeof delivery>;
export type WebhookCreation = z.output<typeof webhookCreation>;
export type WebhookUpdate = z.output<typeof webhookUpdate>;
export type WebhookRotation = z.output<typeof webhookRotation>;
