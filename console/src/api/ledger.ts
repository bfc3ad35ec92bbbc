import { queryOptions } from '@tanstack/react-query';
import type { LedgerReportJson } from '../../../src/admin/ledger-contract.ts';
import { callApi } from './client.ts';

/** A proof that was made from here, and when it was asked for. */
export interface Proof {
  readonly report: LedgerReportJson;
  readonly startedAt: string;
  readonly durationMs: number;
}

/** The last proof that was made since the page was loaded; null if there is none. Nothing but a new proof changes it. */
export const lastProofQuery = queryOptions({
  queryKey: ['operator', 'proof'],
  queryFn: (): Proof | null => null,
  staleTime: 'static',
  gcTime: Infinity,
});

/** Proves the whole ledger, which may take minutes. */
export async function proveLedger(): Promise<Proof> {
  const startedMs = Date.now();
  const report = await callApi<LedgerReportJson>('POST', '/ledger/verify');
  return { report, startedAt: new Date(startedMs).toISOString(), durationMs: Date.now() - startedMs };
}
