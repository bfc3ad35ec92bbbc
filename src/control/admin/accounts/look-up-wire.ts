import { z } from '@hono/zod-openapi';
import { ok } from '../answers.ts';
import * as contract from './account-contract.ts';

const ONE_HELP = 'must be one of project, key and request_id';
export const lookUpQuery = z
  .strictObject({
    project: z
      .string()
      .optional()
      .openapi({ description: 'Its id, `workspace/project` by their names, or its name if no other has it.' }),
    key: z
      .string()
      .optional()
      .openapi({ description: 'Its id, or the part between `fg_live_` and `…` in its masked form.' }),
    request_id: z.string().optional().openapi({
      description: 'The `x-request-id` of a request with a receipt, or of one whose refusal is recorded.',
    }),
  })
  .refine((given) => Object.values(given).filter((value) => value !== undefined).length === 1, ONE_HELP);

/** Requests and answers of the operations on the look-up of things by id or name. */
export const lookUpWire = {
  lookUp: {
    query: lookUpQuery,
    responses: ok(contract.location, 'The ids by which the routes of that workspace take it.'),
  },
};
