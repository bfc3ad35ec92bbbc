import { z } from '@hono/zod-openapi';
import { ok } from '../answers.ts';
import * as contract from './model-contract.ts';

/** Requests and answers of the operations on models and what they cost. */
export const modelWire = {
  listModels: { responses: ok(contract.models, 'Models in the order of their ids, without history.') },
  showModel: { responses: ok(contract.model, 'The model, with its history.') },
  listCatalogue: {
    query: z.strictObject({
      history: z
        .enum(['true', 'false'], { error: 'must be true or false' })
        .optional()
        .openapi({ description: 'Whether to list former prices and costs, too.' }),
    }),
    responses: ok(contract.catalogueModels, 'Models in the order of their ids.'),
  },
};
