import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { AccessJson, AccessUpdate } from '../../../src/control/admin/identity/access-contract.ts';
import { callApi } from './client.ts';

// How the people of a workspace sign in, and from where it may be used.

export const accessQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'access'],
    queryFn: ({ signal }) => callApi('GET /workspaces/{workspace}/access', { workspace, signal }),
  });

export const domainsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'access', 'domains'],
    queryFn: ({ signal }) => callApi('GET /workspaces/{workspace}/domains', { workspace, signal }),
  });

/** Reads all of it again. */
export const reloadAccess = (workspace: string) => (queries: QueryClient) =>
  queries.invalidateQueries({ queryKey: ['workspace', workspace, 'access'] });

export const changeAccess = ({ workspace_id: workspace, version }: AccessJson, body: AccessUpdate) =>
  callApi('PATCH /workspaces/{workspace}/access', { workspace, body, version });

export const addDomain = (workspace: string, domain: string) =>
  callApi('POST /workspaces/{workspace}/domains', { workspace, body: { domain } });

export const proveDomain = (workspace: string, domain: string) =>
  callApi('POST /workspaces/{workspace}/domains/{domain}/prove', { workspace, domain });

export const approveDomain = (workspace: string, domain: string) =>
  callApi('POST /workspaces/{workspace}/domains/{domain}/approve', { workspace, domain });

export const removeDomain = (workspace: string, domain: string) =>
  callApi('DELETE /workspaces/{workspace}/domains/{domain}', { workspace, domain });

export const directoryQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'access', 'directory'],
    queryFn: ({ signal }) => callApi('GET /workspaces/{workspace}/directory', { workspace, signal }),
  });

export const makeDirectoryToken = (workspace: string) =>
  callApi('POST /workspaces/{workspace}/directory/token', { workspace });

export const endDirectoryToken = (workspace: string) =>
  callApi('DELETE /workspaces/{workspace}/directory/token', { workspace });
