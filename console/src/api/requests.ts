import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ReceiptQuery, ReceiptSummaryJson } from '../../../src/control/admin/ledger/ledger-contract.ts';
import type { RefusalChoice, RefusalQuery } from '../../../src/control/admin/requests/refusal-contract.ts';
import { addressOfApi, callApi, type Page } from './client.ts';

// Requests that were served, which have receipts, and those that were refused.

/** Which receipts are wanted. */
export type ReceiptFilter = Omit<ReceiptQuery, 'cursor' | 'limit'>;
export type RefusalFilter = Omit<RefusalQuery, 'cursor' | 'limit'>;

/** A page of a search, which may end before it has found enough: `searched_until` says how far it has come. */
export type ReceiptPage = Page<ReceiptSummaryJson> & { readonly searched_until: string | null };

/** How many rows a page of either list has. */
export const REQUESTS_A_PAGE = 50;

export const receiptsQuery = (workspace: string, filter: ReceiptFilter) =>
  infiniteQueryOptions({
    queryKey: ['workspace', workspace, 'receipts', 'list', filter],
    queryFn: ({ signal, pageParam }) =>
      callApi('GET /workspaces/{workspace}/receipts', {
        workspace,
        signal,
        query: { ...filter, limit: REQUESTS_A_PAGE, cursor: pageParam },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    // Beyond its first page, a list is not read again by itself: that would repeat the whole search.
    staleTime: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? 'static' : 15_000),
  });

export const refusalsQuery = (workspace: string, filter: RefusalFilter) =>
  infiniteQueryOptions({
    queryKey: ['workspace', workspace, 'refusals', 'list', filter],
    queryFn: ({ signal, pageParam }) =>
      callApi('GET /workspaces/{workspace}/refusals', {
        workspace,
        signal,
        query: { ...filter, limit: REQUESTS_A_PAGE, cursor: pageParam },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });

/** Statuses that refusals of all workspaces are chosen by. */
export const REFUSAL_STATUSES = ['4xx', '402', '429', '5xx'] as const;

/** The refused requests of all workspaces, for operators. */
export const allRefusalsQuery = (choice: RefusalChoice) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'refusals', 'list', choice],
    queryFn: ({ signal, pageParam }) =>
      callApi('GET /refusals', { signal, query: { ...choice, limit: REQUESTS_A_PAGE, cursor: pageParam } }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });

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

/** Where the receipts are downloaded as CSV. */
export const receiptsCsv = (workspace: string, filter: ReceiptFilter): string =>
  addressOfApi('GET /workspaces/{workspace}/export/{what}', { workspace, what: 'receipts', query: filter });
