import type { CodeBatchCreation } from '../../../src/control/admin/payments/payment-contract.ts';
import { callApi } from './client.ts';
import { pagedQuery } from './paged.ts';

/** The batches of redemption codes, newest first. */
export const codeBatchesQuery = pagedQuery(['operator', 'codes', 'batches'], ({ signal, cursor }) =>
  callApi('GET /code-batches', { signal, query: { cursor, limit: 50 } }),
);

/** The codes of a batch, by their last characters. */
export const codesQuery = (batch: string) =>
  pagedQuery(['operator', 'codes', 'of', batch], ({ signal, cursor }) =>
    callApi('GET /codes', { signal, query: { batch, cursor, limit: 50 } }),
  );

export const createCodeBatch = (body: CodeBatchCreation) => callApi('POST /code-batches', { body });

export const cancelCodeBatch = (batch: string) => callApi('POST /code-batches/{batch}/cancel', { batch });
