import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

// Keys and projects by a part of their name, for the palette.

/** Of each kind, as many are listed. */
export const FOUND_MAX = 5;
const FRESH_MS = 10_000;

const named = (search: string) => ({ search, sort: 'name', limit: FOUND_MAX }) as const;

export const foundKeysQuery = (workspace: string, search: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'found', 'keys', search],
    queryFn: async ({ signal }) =>
      (await callApi('GET /workspaces/{workspace}/keys', { workspace, signal, query: named(search) })).data,
    staleTime: FRESH_MS,
  });

export const foundProjectsQuery = (workspace: string, search: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'found', 'projects', search],
    queryFn: async ({ signal }) =>
      (await callApi('GET /workspaces/{workspace}/projects', { workspace, signal, query: named(search) })).data,
    staleTime: FRESH_MS,
  });
