import { infiniteQueryOptions } from '@tanstack/react-query';
import type { CodeBatchCreation } from '../../../src/control/admin/payments/payment-contract.ts';
import { callApi } from './client.ts';

/** The batches of redemption codes, newest first. */
export const codeBatchesQuery = infiniteQueryOptions({
  queryKey: ['operator', 'codes', 'batches'],
  queryFn: ({ signal, pageParam }) => callApi('GET /code-batches', { signal, query: { cursor: pageParam, limit: 50 } }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

/** The codes of a batch, by their last characters. */
export const codesQuery = (batch: string) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'codes', 'of', batch],
    queryFn: ({ signal, pageParam }) =>
      callApi('GET /codes', { signal, query: { batch, cursor: pageParam, limit: 50 } }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

export const createCodeBatch = (body: CodeBatchCreation) => callApi('POST /code-batches', { body });

export const cancelCodeBatch = (batch: string) => callApi('POST /code-batches/{batch}/cancel', { batch });
