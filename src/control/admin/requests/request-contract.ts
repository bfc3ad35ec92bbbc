import { z } from '@hono/zod-openapi';
import { receipt } from '../ledger/ledger-contract.ts';
import { refusal } from './refusal-contract.ts';

// The part of the admin API's contract about requests, served or refused.

export const request = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('receipt'), receipt }),
    z.object({ kind: z.literal('refusal'), refusal }),
  ])
  .openapi('Request', { description: 'The receipt of a request that was served, or why it was refused.' });
