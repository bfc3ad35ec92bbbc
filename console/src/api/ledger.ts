import { queryOptions } from '@tanstack/react-query';
import type { LedgerReportJson } from '../../../src/control/admin/ledger/ledger-contract.ts';
import { addressOfApi, callApi } from './client.ts';
import { pagedQuery } from './paged.ts';

const ROWS = 20;
const PROGRESS_MS = 1_000;
const PROOFS_MS = 30_000;

/** The last proofs, and the progress of a running one, which any user may have started. */
export const proofsQuery = queryOptions({
  queryKey: ['operator', 'proofs'],
  queryFn: ({ signal }) => callApi('GET /ledger/proofs', { signal }),
  refetchInterval: ({ state: { data } }) => (data === undefined || data.running === null ? PROOFS_MS : PROGRESS_MS),
  staleTime: 0,
});

export interface MadeProof {
  /** The id of the proof, as it is stored. */
  readonly proof: string;
  readonly report: LedgerReportJson;
}

/** The proof that was made from this page last, with its totals, which are not stored; null if none was. */
export const reportQuery = queryOptions({
  queryKey: ['operator', 'proof-report'],
  queryFn: (): MadeProof | null => null,
  staleTime: 'static',
  gcTime: Infinity,
});

/** Proves the whole ledger, which may take minutes. */
export const proveLedger = () => callApi('POST /ledger/verify');

export const sealsQuery = pagedQuery(['operator', 'seals'], ({ signal, cursor }) =>
  callApi('GET /ledger/seals', { signal, query: { cursor, limit: ROWS } }),
);

export const correctionsQuery = pagedQuery(['operator', 'corrections'], ({ signal, cursor }) =>
  callApi('GET /ledger/corrections', { signal, query: { cursor, limit: ROWS } }),
);

export const EXPORTS = ['receipts', 'entries', 'usage'] as const;
export type ExportKind = (typeof EXPORTS)[number];

export interface ExportChoice {
  readonly what: ExportKind;
  /** Moments; undefined: no bound. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly format: 'csv' | 'ndjson';
}

/** Where a workspace's records are downloaded. */
export function exportFile(workspace: string, { what, ...query }: ExportChoice): string {
  return what === 'usage'
    ? addressOfApi('GET /workspaces/{workspace}/usage/export', { workspace, query })
    : addressOfApi('GET /workspaces/{workspace}/export/{what}', { workspace, what, query });
}
