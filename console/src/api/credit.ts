import { queryOptions } from '@tanstack/react-query';
import type { RecurringGrantCreation } from '../../../src/control/admin/ledger/grant-contract.ts';
import type { PostingCreation } from '../../../src/control/admin/ledger/ledger-contract.ts';
import type {
  AutoTopUpUpdate,
  RefundCreation,
  TopUpCreation,
  TopUpJson,
} from '../../../src/control/admin/payments/payment-contract.ts';
import { addressOfApi, callApi } from './client.ts';
import { filteredQuery, pagedQuery } from './paged.ts';

// Credit: where it came from, what became of it, and how more of it is bought.

/** Live updates report payments; this is for what happens while no stream is open. */
const UNPAID_LOOK_MS = 20_000;

/** A month such as "2026-11"; null is the present one. */
export const statementQuery = (workspace: string, month: string | null) =>
  filteredQuery(['workspace', workspace, 'credit', 'statement', month], ({ signal, cursor }) =>
    callApi('GET /workspaces/{workspace}/statement', { workspace, signal, query: { month, cursor } }),
  );

/** Where a month of the statement is downloaded. */
export const statementFile = (workspace: string, month: string): string =>
  addressOfApi('GET /workspaces/{workspace}/statement/export', { workspace, query: { month } });

export const paymentSettingsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'credit', 'settings'],
    queryFn: ({ signal }) => callApi('GET /workspaces/{workspace}/payment-settings', { workspace, signal }),
  });

export const updateAutoTopUp = (workspace: string, version: number, body: AutoTopUpUpdate) =>
  callApi('PATCH /workspaces/{workspace}/payment-settings', { workspace, body, version });

export const topUpsQuery = (workspace: string) =>
  pagedQuery(['workspace', workspace, 'top-ups', 'list'], ({ signal, cursor }) =>
    callApi('GET /workspaces/{workspace}/top-ups', { workspace, signal, query: { cursor, limit: 50 } }),
  );

export const topUpQuery = (workspace: string, topUp: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'top-ups', topUp],
    queryFn: ({ signal }) =>
      callApi('GET /workspaces/{workspace}/top-ups/{top_up}', { workspace, top_up: topUp, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'pending' || data?.state === 'processing' ? UNPAID_LOOK_MS : false,
  });

export const startTopUp = (workspace: string, body: TopUpCreation) =>
  callApi('POST /workspaces/{workspace}/top-ups', { workspace, body });

export const refundTopUp = ({ workspace_id: workspace, id }: TopUpJson, body: RefundCreation) =>
  callApi('POST /workspaces/{workspace}/top-ups/{top_up}/refunds', { workspace, top_up: id, body });

export const redeemCode = (workspace: string, code: string) =>
  callApi('POST /workspaces/{workspace}/redemptions', { workspace, body: { code } });

export const postCredit = (workspace: string, body: PostingCreation) =>
  callApi('POST /workspaces/{workspace}/postings', { workspace, body });

export const expiringGrantsQuery = (workspace: string) =>
  pagedQuery(['workspace', workspace, 'credit', 'expiring'], ({ signal, cursor }) =>
    callApi('GET /workspaces/{workspace}/expiring-grants', { workspace, signal, query: { cursor, limit: 20 } }),
  );

export const recurringGrantsQuery = (workspace: string) =>
  pagedQuery(['workspace', workspace, 'credit', 'recurring'], ({ signal, cursor }) =>
    callApi('GET /workspaces/{workspace}/recurring-grants', { workspace, signal, query: { cursor, limit: 20 } }),
  );

export const createRecurringGrant = (workspace: string, body: RecurringGrantCreation) =>
  callApi('POST /workspaces/{workspace}/recurring-grants', { workspace, body });

export const endRecurringGrant = (workspace: string, grant: string) =>
  callApi('POST /workspaces/{workspace}/recurring-grants/{grant}/end', { workspace, grant });
