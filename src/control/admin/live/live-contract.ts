import { z } from '@hono/zod-openapi';
import type { Permission } from '../../../domain/roles.ts';
import { OUTCOMES } from '../../../domain/receipt.ts';
import { TOP_UP_STATES } from '../../../domain/top-up-states.ts';
import { amount, decimal, heldFields, id, nano, timestamp } from '../contract-fields.ts';

// The data of live updates: the content of `data:` of each event.

export const liveBalance = z
  .object({
    ...amount('balance'),
    ...heldFields,
    ...amount('owed'),
    burn_nano_usd: nano.nullable(),
    burn_usd: decimal.nullable().openapi({ description: 'Spent a day on average; null: less than a day is known.' }),
    runway_days: z
      .int()
      .nullable()
      .openapi({ description: 'How many whole days the balance lasts at that; null: not known, or nothing is spent.' }),
  })
  .openapi('LiveBalance');

export const liveRequest = z
  .object({
    request_id: id,
    outcome: z.enum(OUTCOMES),
    ...amount('charge'),
    settled_at: timestamp,
    age_ms: z.int().openapi({ description: 'How many milliseconds ago it was settled, at the least.' }),
    is_first: z.boolean().openapi({ description: "Whether it is the workspace's first request." }),
  })
  .openapi('LiveRequest');

export const livePayment = z.object({ id, state: z.enum(TOP_UP_STATES) }).openapi('LivePayment');

export const liveAlert = z.object({ id, resolved: z.boolean() }).openapi('LiveAlert');

export const liveKey = z
  .object({ id, project_id: id, change: z.enum(['created', 'changed', 'revoked']) })
  .openapi('LiveKey');

/** The events, and the permission that each needs in addition to `workspace:read`. */
export const LIVE_EVENTS = {
  balance: 'credit:read',
  request: 'receipts:read',
  payment: 'credit:read',
  alert: 'alerts:read',
  key: 'keys:read',
} as const satisfies Record<string, Permission>;

export type LiveEventName = keyof typeof LIVE_EVENTS;

interface LiveData {
  readonly balance: z.infer<typeof liveBalance>;
  readonly request: z.infer<typeof liveRequest>;
  readonly payment: z.infer<typeof livePayment>;
  readonly alert: z.infer<typeof liveAlert>;
  readonly key: z.infer<typeof liveKey>;
}

/** An event with its data. */
export type LiveEvent = {
  readonly [Name in LiveEventName]: { readonly name: Name; readonly data: LiveData[Name] };
}[LiveEventName];
