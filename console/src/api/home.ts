import { queryOptions, skipToken } from '@tanstack/react-query';
import type { KeyJson } from '../../../src/admin/account-contract.ts';
import type { ReceiptSummaryJson } from '../../../src/admin/ledger-contract.ts';
import type { LiveEvent } from '../../../src/admin/live-contract.ts';
import type { RefusalListJson } from '../../../src/admin/refusal-contract.ts';
import { pathOf } from '../paths.ts';
import { callApi, type Page } from './client.ts';

// What the home page shows of a workspace.

const LATEST = 5;

/** The newest receipts. */
export const latestReceiptsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'receipts', 'latest'],
    queryFn: ({ signal }) =>
      callApi<Page<ReceiptSummaryJson>>('GET', pathOf`/workspaces/${workspace}/receipts`, {
        signal,
        query: { limit: LATEST },
      }),
  });

/** The refusal of the last 24 hours that came last. */
export const lastRefusalQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'refusals', 'last'],
    queryFn: ({ signal }) =>
      callApi<RefusalListJson>('GET', pathOf`/workspaces/${workspace}/refusals`, { signal, query: { limit: 1 } }),
  });

/** One key that works, if there is any. */
export const anyKeyQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'keys', 'any'],
    queryFn: ({ signal }) =>
      callApi<Page<KeyJson>>('GET', pathOf`/workspaces/${workspace}/keys`, {
        signal,
        query: { limit: 1, state: 'active' },
      }),
  });

type LastRequest = Extract<LiveEvent, { readonly name: 'request' }>['data'];

/** The request that was charged last. Live updates bring it; it is never asked for. */
export const lastRequestQuery = (workspace: string) =>
  queryOptions<LastRequest>({ queryKey: ['workspace', workspace, 'last-request'], queryFn: skipToken });
