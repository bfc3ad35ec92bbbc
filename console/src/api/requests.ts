import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ReceiptQuery, ReceiptSummaryJson } from '../../../src/control/admin/ledger/ledger-contract.ts';
import type { RefusalChoice, RefusalQuery } from '../../../src/control/admin/requests/refusal-contract.ts';
import { addressOfApi, callApi, type Page } from './client.ts';
import { filteredQuery } from './paged.ts';

// Requests that were served, which have receipts, and those that were refused.

/** Which receipts are wanted. */
export type ReceiptFilter = Omit<ReceiptQuery, 'cursor' | 'limit'>;
export type RefusalFilter = Omit<RefusalQuery, 'cursor' | 'limit'>;

/** A page of a search, which may end before it has found enough: `searched_until` says how far it has come. */
export type ReceiptPage = Page<ReceiptSummaryJson> & { readonly searched_until: string | null };

/** How many rows a page of either list has. */
export const REQUESTS_A_PAGE = 50;

export const receiptsQuery = (workspace: string, filter: ReceiptFilter) =>
  filteredQuery(
    ['workspace', workspace, 'receipts', 'list', filter],
    ({ signal, cursor }) => {
      const query = { ...filter, limit: REQUESTS_A_PAGE, cursor };
      return callApi('GET /workspaces/{workspace}/receipts', { workspace, signal, query });
    },
    // Beyond its first page, a list is not read again by itself: that would repeat the whole search.
    { staleTime: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? 'static' : 15_000) },
  );

export const refusalsQuery = (workspace: string, filter: RefusalFilter) =>
  filteredQuery(['workspace', workspace, 'refusals', 'list', filter], ({ signal, cursor }) => {
    const query = { ...filter, limit: REQUESTS_A_PAGE, cursor };
    return callApi('GET /workspaces/{workspace}/refusals', { workspace, signal, query });
  });

/** The refused requests of all workspaces, for operators. */
export const allRefusalsQuery = (choice: RefusalChoice) =>
  filteredQuery(['operator', 'refusals', 'list', choice], ({ signal, cursor }) =>
    callApi('GET /refusals', { signal, query: { ...choice, limit: REQUESTS_A_PAGE, cursor } }),
  );

export const refusalCountsQuery = (choice: RefusalChoice) =>
  queryOptions({
    queryKey: ['operator', 'refusals', 'counts', choice],
    queryFn: ({ signal }) => callApi('GET /refusals/counts', { signal, query: { ...choice } }),
    placeholderData: keepPreviousData,
  });

/** A request by its id: its receipt, or why it was refused. */
export const requestQuery = (workspace: string, request: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'receipts', 'one', request],
    queryFn: ({ signal }) =>
      callApi('GET /workspaces/{workspace}/requests/{request_id}', { workspace, request_id: request, signal }),
  });

/** The workspace of a request, for operators: any workspace's. */
export const requestPlaceQuery = (request: string) =>
  queryOptions({
    queryKey: ['operator', 'request-place', request],
    queryFn: ({ signal }) => callApi('GET /look-up', { signal, query: { request_id: request } }),
  });

/** Where the receipts are downloaded as CSV. */
export const receiptsCsv = (workspace: string, filter: ReceiptFilter): string =>
  addressOfApi('GET /workspaces/{workspace}/export/{what}', { workspace, what: 'receipts', query: filter });
