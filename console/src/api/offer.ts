import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

// Providers and models that the config file and the database declare.

/** All of them, and what of them does not count. */
export const offerQuery = queryOptions({
  queryKey: ['operator', 'offer'],
  queryFn: ({ signal }) => callApi('GET /offer', { signal }),
});

/** The models that a provider lists now. */
export const providerModelsQuery = (provider: string) =>
  queryOptions({
    queryKey: ['operator', 'provider-models', provider],
    queryFn: ({ signal }) => callApi('POST /offer/providers/{provider}/probe', { provider, signal }),
    gcTime: 0,
  });

/** A provider or a model in the form of the config file. */
export type Declaration = Readonly<Record<string, unknown>>;

/** Makes or changes a provider; version 0: there is none yet. Without a key it keeps the one that it has. */
export const storeProvider = (
  { provider, version }: { readonly provider: string; readonly version: number },
  declaration: Declaration,
  key: string,
) =>
  callApi('PUT /offer/providers/{provider}', {
    provider,
    version,
    body: { declaration: { ...declaration }, ...(key === '' ? {} : { api_key: key }) },
  });

/** Makes or changes a model; version 0: there is none yet. */
export const storeModel = (model: string, version: number, declaration: Declaration) =>
  callApi('PUT /offer/models/{model}', { model, version, body: { declaration: { ...declaration } } });

export const deleteProvider = (provider: string, version: number) =>
  callApi('DELETE /offer/providers/{provider}', { provider, version });

export const deleteModel = (model: string, version: number) =>
  callApi('DELETE /offer/models/{model}', { model, version });

/** Reads again all that is shown of providers, models and prices. Resolves when it is done. */
export async function reloadOffer(queries: QueryClient): Promise<void> {
  await queries.invalidateQueries({ queryKey: ['operator'] });
}
