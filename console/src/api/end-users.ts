import type { QueryClient } from '@tanstack/react-query';
import type { EndUserJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { callApi } from './client.ts';
import { pagedQuery } from './paged.ts';

const keyOf = (workspace: string, project: string) => ['workspace', workspace, 'project', project, 'end-users'];

/** End users of a project with limits of their own. */
export const endUsersQuery = (workspace: string, project: string) =>
  pagedQuery(keyOf(workspace, project), ({ signal, cursor }) =>
    callApi('GET /workspaces/{workspace}/projects/{project}/end-users', {
      workspace,
      project,
      signal,
      query: { cursor },
    }),
  );

export const reloadEndUsers = (queries: QueryClient, workspace: string, project: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: keyOf(workspace, project) });

/** The end user whom requests name so. */
export const findEndUser = (workspace: string, project: string, name: string) =>
  callApi('GET /workspaces/{workspace}/projects/{project}/end-user', { workspace, project, query: { name } });

export const setEndUserLimit = (
  workspace: string,
  project: string,
  body: { readonly name: string; readonly limit_usd: string | null },
) => callApi('PUT /workspaces/{workspace}/projects/{project}/end-users', { workspace, project, body });

export const removeEndUserLimit = (workspace: string, project: string, { id }: EndUserJson) =>
  callApi('DELETE /workspaces/{workspace}/projects/{project}/end-users/{endUser}', {
    workspace,
    project,
    endUser: id,
  });
