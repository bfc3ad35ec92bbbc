import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  ChangedProjectJson,
  KeyJson,
  ProjectCreation,
  ProjectJson,
  ProjectUpdate,
} from '../../../src/admin/account-contract.ts';
import { pathOf } from '../paths.ts';
import { callApi, type Page } from './client.ts';

/** Which projects of a workspace are listed. */
export interface ProjectFilter {
  readonly archived: boolean;
  readonly search: string;
}

export const projectsQuery = (workspace: string, { archived, search }: ProjectFilter) =>
  infiniteQueryOptions({
    queryKey: ['workspace', workspace, 'projects', { archived, search }],
    queryFn: ({ signal, pageParam }) =>
      callApi<Page<ProjectJson>>('GET', pathOf`/workspaces/${workspace}/projects`, {
        signal,
        query: { archived: archived || null, search, cursor: pageParam },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });

export const projectQuery = (workspace: string, project: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'projects', project],
    queryFn: ({ signal }) =>
      callApi<ProjectJson>('GET', pathOf`/workspaces/${workspace}/projects/${project}`, { signal }),
  });

export const projectKeysQuery = (workspace: string, project: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'keys', { project }],
    queryFn: ({ signal }) =>
      callApi<Page<KeyJson>>('GET', pathOf`/workspaces/${workspace}/projects/${project}/keys`, {
        signal,
        query: { limit: 10 },
      }),
  });

export const createProject = (workspace: string, body: ProjectCreation) =>
  callApi<ChangedProjectJson>('POST', pathOf`/workspaces/${workspace}/projects`, { body });

/** A project that is changed, as it was read. */
type Seen = Pick<ProjectJson, 'workspace_id' | 'id' | 'version'>;

export const updateProject = ({ workspace_id: workspace, id, version }: Seen, body: ProjectUpdate) =>
  callApi<ChangedProjectJson>('PATCH', pathOf`/workspaces/${workspace}/projects/${id}`, { body, version });

export const archiveProject = ({ workspace_id: workspace, id, version }: Seen) =>
  callApi<ProjectJson>('POST', pathOf`/workspaces/${workspace}/projects/${id}/archive`, { version });

export const restoreProject = ({ workspace_id: workspace, id, version }: Seen) =>
  callApi<ProjectJson>('POST', pathOf`/workspaces/${workspace}/projects/${id}/restore`, { version });
