import { queryOptions } from '@tanstack/react-query';
import type { KeyJson, ProjectJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { pathOf } from '../paths.ts';
import { callApi, type Page } from './client.ts';

// Keys and projects by a part of their name, for the palette.

/** Of each kind, as many are listed. */
export const FOUND_MAX = 5;
const FRESH_MS = 10_000;

const found = <Thing>(workspace: string, of: 'keys' | 'projects', search: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'found', of, search],
    queryFn: async ({ signal }): Promise<readonly Thing[]> => {
      const query = { search, sort: 'name', limit: FOUND_MAX };
      return (await callApi<Page<Thing>>('GET', pathOf`/workspaces/${workspace}` + `/${of}`, { signal, query })).data;
    },
    staleTime: FRESH_MS,
  });

export const foundKeysQuery = (workspace: string, search: string) => found<KeyJson>(workspace, 'keys', search);
export const foundProjectsQuery = (workspace: string, search: string) =>
  found<ProjectJson>(workspace, 'projects', search);
