import type { ExportQuery } from '../ledger/ledger-contract.ts';
import type { UsageExportQueryInput } from '../usage/usage-contract.ts';
import type { AuditQuery } from './account-calls.ts';
import { path, queryOf } from './call.ts';

/** The calls whose answers are read as they arrive, as bytes. Each @throws AdminRefused, AdminUnreachable */
export function streamCalls(open: (at: string) => Promise<ReadableStream<Uint8Array>>) {
  return {
    exportAuditEvents: (workspace: string, query: AuditQuery & { readonly format?: 'csv' | 'ndjson' } = {}) =>
      open(path`/workspaces/${workspace}/audit/export` + queryOf(query)),
    exportRecords: (what: 'receipts' | 'entries', workspace: string, query: ExportQuery = {}) =>
      open(path`/workspaces/${workspace}/export/${what}` + queryOf(query)),
    exportUsage: (workspace: string, query: UsageExportQueryInput = {}) =>
      open(path`/workspaces/${workspace}/usage/export` + queryOf(query)),
    exportStatement: (workspace: string, query: { readonly month?: string } = {}) =>
      open(path`/workspaces/${workspace}/statement/export` + queryOf(query)),
    backup: () => open('/backup'),
  };
}
