import { infiniteQueryOptions } from '@tanstack/react-query';
import type { PriceAdjustmentChange } from '../../../src/control/admin/catalogue/price-contract.ts';
import { callApi } from './client.ts';

/** By how much a workspace's prices differ from the list's, now and formerly, the newest first. */
export const adjustmentsQuery = (workspace: string) =>
  infiniteQueryOptions({
    queryKey: ['workspace', workspace, 'prices'],
    queryFn: ({ signal, pageParam }) =>
      callApi('GET /workspaces/{workspace}/prices', { workspace, signal, query: { cursor: pageParam, limit: 200 } }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

export const adjustPrices = (workspace: string, body: PriceAdjustmentChange) =>
  callApi('POST /workspaces/{workspace}/prices', { workspace, body });
