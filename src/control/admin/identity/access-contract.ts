import { z } from '@hono/zod-openapi';
import { ACCESS_SETTINGS } from '../../resources/access-settings.ts';
import { timestamp } from '../contract-fields.ts';
import { answeredFields, requestedFields } from '../setting-fields.ts';

// The contract of who may use a workspace.

const SECRET_HELP = 'must be 1 to 1000 characters of text, or null';

export const accessUpdate = z
  .strictObject({
    ...requestedFields(ACCESS_SETTINGS),
    client_secret: z
      .string({ error: SECRET_HELP })
      .regex(/^[^\p{Cc}\p{Cs}]{1,1000}$/u, SECRET_HELP)
      .nullable()
      .optional()
      .openapi({ description: 'The secret of this instance at the provider; null removes it. It is never shown.' }),
  })
  .openapi('AccessUpdate');

export const access = z
  .object({
    workspace_id: z.string(),
    ...answeredFields(ACCESS_SETTINGS),
    has_client_secret: z.boolean(),
    callback_url: z
      .string()
      .openapi({ description: 'The address to which the provider sends browsers back; to be entered there.' }),
    version: z.int().openapi({ description: 'Counts the changes; 0 before the first one. Send it as `If-Match`.' }),
  })
  .openapi('Access');

const DOMAIN_HELP = 'must be what stands behind the "@" of mail addresses, such as example.com';
export const domainCreation = z
  .strictObject({
    domain: z
      .string({ error: DOMAIN_HELP })
      .max(253, DOMAIN_HELP)
      .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/, DOMAIN_HELP),
  })
  .openapi('DomainCreation');

export const domain = z
  .object({
    domain: z.string(),
    record_name: z.string().openapi({ description: 'The name of the TXT record that proves it.' }),
    record_value: z.string().openapi({ description: 'What that record holds.' }),
    proven_at: timestamp.nullable().openapi({ description: 'Null: it does not count yet.' }),
    proven_by: z.enum(['dns', 'operator']).nullable(),
    created_at: timestamp,
  })
  .openapi('Domain');

export const domains = z.object({ data: z.array(domain) }).openapi('Domains');

export type AccessJson = z.infer<typeof access>;
export type AccessUpdate = z.input<typeof accessUpdate>;
export type DomainJson = z.infer<typeof domain>;
