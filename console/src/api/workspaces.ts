import { queryOptions } from '@tanstack/react-query';
import type {
  Suspension,
  WorkspaceCreation,
  WorkspaceJson,
  WorkspaceUpdate,
} from '../../../src/admin/account-contract.ts';
import type { UsageJson } from '../../../src/admin/usage-contract.ts';
import { pathOf } from '../paths.ts';
import { callApi } from './client.ts';

const BURN_DAYS = 7;
const DAY_MS = 86_400_000;

export const workspaceQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace],
    queryFn: ({ signal }) => callApi<WorkspaceJson>('GET', pathOf`/workspaces/${workspace}`, { signal }),
  });

/** What the last week cost by days, from which the runway is computed. */
export const burnQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'burn'],
    queryFn: ({ signal }) => {
      const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
      const from = new Date(hour - BURN_DAYS * DAY_MS).toISOString();
      return callApi<UsageJson>('GET', pathOf`/workspaces/${workspace}/usage`, {
        signal,
        query: { from, bucket: 'day' },
      });
    },
    staleTime: 300_000,
  });

export const createWorkspace = (body: WorkspaceCreation) => callApi<WorkspaceJson>('POST', '/workspaces', { body });

/** A workspace that is changed, as it was read. */
type Seen = Pick<WorkspaceJson, 'id' | 'version'>;

export const renameWorkspace = ({ id, version }: Seen, body: WorkspaceUpdate) =>
  callApi<WorkspaceJson>('PATCH', pathOf`/workspaces/${id}`, { body, version });

export const closeWorkspace = ({ id, version }: Seen) =>
  callApi<WorkspaceJson>('POST', pathOf`/workspaces/${id}/close`, { version });

export const suspendWorkspace = (id: string, body: Suspension) =>
  callApi<WorkspaceJson>('POST', pathOf`/workspaces/${id}/suspend`, { body });

export const resumeWorkspace = (id: string) => callApi<WorkspaceJson>('POST', pathOf`/workspaces/${id}/resume`);
