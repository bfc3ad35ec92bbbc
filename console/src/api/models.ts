import { queryOptions } from '@tanstack/react-query';
import type { ModelJson } from '../../../src/admin/model-contract.ts';
import { pathOf } from '../paths.ts';
import { callApi } from './client.ts';

/** All models that are on sale or were, at the workspace's prices. */
export const modelsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'models'],
    queryFn: ({ signal }) =>
      callApi<{ readonly data: readonly ModelJson[] }>('GET', pathOf`/workspaces/${workspace}/models`, { signal }),
    staleTime: 300_000,
  });
