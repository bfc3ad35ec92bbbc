import { z } from '@hono/zod-openapi';
import { ok } from '../answers.ts';
import * as contract from './refusal-contract.ts';

const LISTED =
  'Refusals, newest first: of each workspace its last 1,000, for as long as `refusals.keep` says, in detail.';

/** Requests and answers of the operations on refused requests. */
export const refusalWire = {
  listRefusals: { query: contract.refusalQuery, responses: ok(contract.refusalList, LISTED) },
  showRefusal: {
    params: { request_id: z.string().openapi({ description: 'The `x-request-id` of the refusal.' }) },
    responses: ok(contract.refusal, 'The refusal.'),
  },
  listAllRefusals: { query: contract.allRefusalsQuery, responses: ok(contract.refusalList, LISTED) },
  countAllRefusals: {
    query: contract.refusalCountsQuery,
    responses: ok(contract.refusalCounts, 'The counts of the refusals that are kept.'),
  },
};
