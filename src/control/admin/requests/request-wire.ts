import { z } from '@hono/zod-openapi';
import { ok } from '../answers.ts';
import { request as requestBody } from './request-contract.ts';

/** Requests and answers of the operations on single requests. */
export const requestWire = {
  showRequest: {
    params: { request_id: z.string().openapi({ description: 'The `x-request-id` of its answer.' }) },
    responses: ok(requestBody, 'Its receipt, or its refusal.'),
  },
};
