import { queryOptions } from '@tanstack/react-query';
import { addressOfApi, callApi } from './client.ts';
import { filteredQuery } from './paged.ts';

/** Which changes are listed; what is left out lets all through. */
export interface AuditFilter {
  readonly action: string | undefined;
  /** The id of what was changed. */
  readonly target: string | undefined;
  readonly user: string | undefined;
  /** Moments of ISO 8601: from the first, before the second. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export const auditQuery = (workspace: string, filter: AuditFilter) =>
  filteredQuery(['workspace', workspace, 'audit', filter], ({ signal, cursor }) =>
    callApi('GET /workspaces/{workspace}/audit', { workspace, signal, query: { ...filter, cursor } }),
  );

export const auditEventQuery = (workspace: string, event: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'audit-event', event],
    queryFn: ({ signal }) => callApi('GET /workspaces/{workspace}/audit/{event}', { workspace, event, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The address of the file with all of these changes. */
export function auditExportUrl(workspace: string, filter: AuditFilter, format: 'csv' | 'ndjson'): string {
  return addressOfApi('GET /workspaces/{workspace}/audit/export', { workspace, query: { ...filter, format } });
}
