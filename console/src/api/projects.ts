import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  ProjectCreation,
  ProjectJson,
  ProjectUpdate,
} from '../../../src/control/admin/accounts/account-contract.ts';
import { callApi, type Page } from './client.ts';
import { filteredQuery } from './paged.ts';

/** Which projects of a workspace are listed. */
export interface ProjectFilter {
  readonly archived: boolean;
  readonly search: string;
}

export const projectsQuery = (workspace: string, { archived, search }: ProjectFilter) =>
  filteredQuery(['workspace', workspace, 'projects', { archived, search }], ({ signal, cursor }) =>
    callApi('GET /workspaces/{workspace}/projects', {
      workspace,
      signal,
      query: { archived: archived || null, search, cursor },
    }),
  );

export const projectQuery = (workspace: string, project: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'project', project],
    queryFn: ({ signal }) => callApi('GET /workspaces/{workspace}/projects/{project}', { workspace, project, signal }),
  });

/** Reads lists of projects, and single ones, again. */
export async function reloadProjects(queries: QueryClient, workspace: string): Promise<void> {
  await Promise.all(
    ['project', 'projects'].map((area) => queries.invalidateQueries({ queryKey: ['workspace', workspace, area] })),
  );
}

const CHOICES_MAX = 2_000;
const PAGE_MAX = 200;

async function firstProjects(workspace: string, signal: AbortSignal): Promise<readonly ProjectJson[]> {
  const all: ProjectJson[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<ProjectJson> = await callApi('GET /workspaces/{workspace}/projects', {
      workspace,
      signal,
      query: { sort: 'name', limit: PAGE_MAX, cursor },
    });
    all.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && all.length < CHOICES_MAX);
  return all;
}

/** Projects to choose from: all, unless they are thousands, and the one that is chosen in any case. */
export const projectChoicesQuery = (workspace: string, chosen: string | null) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'projects', 'choices', chosen],
    queryFn: async ({ signal }): Promise<readonly ProjectJson[]> => {
      const data = await firstProjects(workspace, signal);
      if (chosen === null || data.some(({ id }) => id === chosen)) return data;
      return [
        await callApi('GET /workspaces/{workspace}/projects/{project}', { workspace, project: chosen, signal }),
        ...data,
      ];
    },
  });

export const createProject = (workspace: string, body: ProjectCreation) =>
  callApi('POST /workspaces/{workspace}/projects', { workspace, body });

/** A project that is changed, as it was read. */
type Seen = Pick<ProjectJson, 'workspace_id' | 'id' | 'version'>;

export const updateProject = ({ workspace_id: workspace, id, version }: Seen, body: ProjectUpdate) =>
  callApi('PATCH /workspaces/{workspace}/projects/{project}', { workspace, project: id, body, version });

export const archiveProject = ({ workspace_id: workspace, id, version }: Seen) =>
  callApi('POST /workspaces/{workspace}/projects/{project}/archive', { workspace, project: id, version });

export const restoreProject = ({ workspace_id: workspace, id, version }: Seen) =>
  callApi('POST /workspaces/{workspace}/projects/{project}/restore', { workspace, project: id, version });
