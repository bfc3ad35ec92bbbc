import { queryOptions } from '@tanstack/react-query';
import type { ModelJson } from '../../../src/control/admin/catalogue/model-contract.ts';
import { callApi } from './client.ts';

// What an address may say of the list of models.

export const MODEL_KINDS = ['chat', 'embedding'] as const satisfies readonly ModelJson['kind'][];
export type ModelKind = (typeof MODEL_KINDS)[number];

export const MODEL_CAPABILITIES = ['reasoning', 'caching', 'audio'] as const;
export type Capability = (typeof MODEL_CAPABILITIES)[number];

export const MODEL_SORTS = ['id', 'context', 'input', 'output'] as const;
export type ModelSort = (typeof MODEL_SORTS)[number];

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
