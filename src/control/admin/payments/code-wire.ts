import { createdOrRepeated, json, ok } from '../answers.ts';
import * as contract from './payment-contract.ts';
import { pageOf, pageQuery } from '../pages.ts';

/** Requests and answers of the operations on redemption codes. */
export const codeWire = {
  createCodeBatch: {
    body: json(contract.codeBatchCreation, {
      count: 10,
      amount_usd: '25.00',
      expires_at: '2099-12-31',
      reason: 'conference',
    }),
    responses: createdOrRepeated(contract.createdCodeBatch, 'The batch, with its codes; without them on a repeat.'),
  },
  listCodeBatches: { query: pageQuery, responses: ok(pageOf(contract.codeBatch), 'Batches, newest first.') },
  cancelCodeBatch: { responses: ok(contract.codeBatch, 'The batch. One that has expired stays as it is.') },
  listCodes: {
    query: contract.codeQuery,
    responses: ok(pageOf(contract.redemptionCode), 'Codes, oldest first, by their last four characters.'),
  },
};
