import type { AzureProviderConfig } from '../../../config/config.ts';
import type { ModelSource } from '../model-source.ts';
import { readModelIds } from '../openai/openai-models.ts';
import { apiOf, credentialsOf } from './azure-upstream.ts';

/**
 * Lists the models of a resource. The list has the models that could be deployed; the names of deployments, which
 * routes use, are only available from Azure's management API.
 */
export function azureModels(provider: AzureProviderConfig): ModelSource {
  const base = new URL(provider.baseUrl);
  const { path, search } = apiOf(base, provider.apiVersion);
  const credentials = credentialsOf(provider)();
  return {
    origin: base.origin,
    headers: {},
    credentials: credentials.ok ? credentials.headers : null,
    list: `${path}/models${search}`,
    readPage: readModelIds,
    one: () => null,
  };
}
