import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

/** All models that are on sale or were, at the workspace's prices. */
export const modelsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'models'],
    queryFn: ({ signal }) => callApi('GET /workspaces/{workspace}/models', { workspace, signal }),
    staleTime: 300_000,
  });

/** A model with all prices that the workspace has paid. */
export const modelQuery = (workspace: string, model: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'models', model],
    queryFn: ({ signal }) => callApi('GET /workspaces/{workspace}/models/{model}', { workspace, model, signal }),
  });
