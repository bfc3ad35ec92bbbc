import { queryOptions } from '@tanstack/react-query';
import type {
  Suspension,
  WorkspaceCreation,
  WorkspaceJson,
  WorkspaceUpdate,
} from '../../../src/control/admin/accounts/account-contract.ts';
import { callApi } from './client.ts';
import { burnSince } from './burn.ts';
import { figureOnItsWay, figureKeys } from './overview.ts';
import { filteredQuery } from './paged.ts';

const BURN_DAYS = 7;
const DAY_MS = 86_400_000;

export const workspaceQuery = (workspace: string) =>
  queryOptions({
    queryKey: figureKeys(workspace).workspace,
    queryFn: async ({ client, signal }) =>
      (await figureOnItsWay(client, workspace, 'workspace')) ??
      (await callApi('GET /workspaces/{workspace}', { workspace, signal })),
  });

/** What was spent today and in the seven days before, from which the runway is computed. */
export const burnQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'burn'],
    queryFn: async ({ client, signal }) => {
      const fromMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - BURN_DAYS * DAY_MS;
      const query = { from: new Date(fromMs).toISOString(), bucket: 'day' } as const;
      const usage =
        (await figureOnItsWay(client, workspace, 'days')) ??
        (await callApi('GET /workspaces/{workspace}/usage', { workspace, signal, query }));
      return burnSince(fromMs, usage);
    },
    staleTime: 300_000,
  });

export const WORKSPACE_SORTS = ['created', 'name', 'balance'] as const;
export type WorkspaceSort = (typeof WORKSPACE_SORTS)[number];

export const WORKSPACE_STATES = ['active', 'suspended', 'closing', 'closed'] as const;
export type WorkspaceState = (typeof WORKSPACE_STATES)[number];

/** Which workspaces of the instance are listed, and in which order; without a state all but closed ones. */
export interface WorkspaceListing {
  readonly search: string;
  readonly state: WorkspaceState | null;
  readonly sort: WorkspaceSort;
  readonly descending: boolean;
}

const PAGE_ROWS = 50;

/** The workspaces of the instance, for operators. */
export const workspacesQuery = (listing: WorkspaceListing) =>
  filteredQuery(
    ['operator', 'workspaces', listing],
    ({ signal, cursor }) => {
      const { search, state, sort, descending } = listing;
      const direction = descending ? 'desc' : 'asc';
      const query = { search, state, sort, direction, cursor, limit: PAGE_ROWS } as const;
      return callApi('GET /workspaces', { signal, query });
    },
    // Much of it changes in the workspaces' own pages.
    { staleTime: 0 },
  );

export const createWorkspace = (body: WorkspaceCreation) => callApi('POST /workspaces', { body });

/** A workspace that is changed, as it was read. */
type Seen = Pick<WorkspaceJson, 'id' | 'version'>;

export const changeWorkspace = ({ id, version }: Seen, body: WorkspaceUpdate) =>
  callApi('PATCH /workspaces/{workspace}', { workspace: id, body, version });

export const closeWorkspace = ({ id, version }: Seen) =>
  callApi('POST /workspaces/{workspace}/close', { workspace: id, version });

export const suspendWorkspace = (id: string, body: Suspension) =>
  callApi('POST /workspaces/{workspace}/suspend', { workspace: id, body });

export const resumeWorkspace = (id: string) => callApi('POST /workspaces/{workspace}/resume', { workspace: id });
