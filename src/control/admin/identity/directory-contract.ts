import { z } from '@hono/zod-openapi';
import { timestamp } from '../contract-fields.ts';

// The contract of the connection to a company's directory.

export const directory = z
  .object({
    base_url: z.string().openapi({ description: 'The address of the SCIM API, which the directory is given.' }),
    token: z
      .object({
        masked_token: z.string(),
        created_by: z.string(),
        created_at: timestamp,
        last_used_at: timestamp.nullable().openapi({ description: 'When the directory last came, within a minute.' }),
      })
      .nullable()
      .openapi({ description: 'Null: no directory is connected.' }),
    active_users: z.int(),
    users: z.int().openapi({ description: 'The people whom it has sent, active or not.' }),
    groups: z.int(),
  })
  .openapi('Directory');

export const newDirectoryToken = directory
  .extend({ secret: z.string().openapi({ description: 'The token, which is not shown again.' }) })
  .openapi('NewDirectoryToken');

export type DirectoryJson = z.infer<typeof directory>;
