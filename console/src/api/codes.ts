import { infiniteQueryOptions } from '@tanstack/react-query';
import type {
  CodeBatchCreation,
  CodeBatchJson,
  CreatedCodeBatchJson,
  RedemptionCodeJson,
} from '../../../src/control/admin/payments/payment-contract.ts';
import { pathOf } from '../paths.ts';
import { callApi, type Page } from './client.ts';

/** The batches of redemption codes, newest first. */
export const codeBatchesQuery = infiniteQueryOptions({
  queryKey: ['operator', 'codes', 'batches'],
  queryFn: ({ signal, pageParam }) =>
    callApi<Page<CodeBatchJson>>('GET', '/code-batches', { signal, query: { cursor: pageParam, limit: 50 } }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

/** The codes of a batch, by their last characters. */
export const codesQuery = (batch: string) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'codes', 'of', batch],
    queryFn: ({ signal, pageParam }) =>
      callApi<Page<RedemptionCodeJson>>('GET', '/codes', { signal, query: { batch, cursor: pageParam, limit: 50 } }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

export const createCodeBatch = (body: CodeBatchCreation) =>
  callApi<CreatedCodeBatchJson>('POST', '/code-batches', { body });

export const cancelCodeBatch = (batch: string) => callApi<CodeBatchJson>('POST', pathOf`/code-batches/${batch}/cancel`);
