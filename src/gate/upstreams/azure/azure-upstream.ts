import type { AzureProviderConfig } from '../../../config/config.ts';
import { createWireUpstream, type Credentials, type WireSettings } from '../openai/wire-upstream.ts';
import { type ClientTimeouts, createProviderClient } from '../provider-client.ts';
import type { Upstream } from '../upstream.ts';
import { TokenFile } from './token-file.ts';
import { withoutTrailingSlashes } from '../../../lib/trailing-slashes.ts';

// OpenAI's models on Azure: OpenAI's bodies at Azure's URLs, with Azure's credentials. Additions in its answers pass:
// a first chunk without choices for the prompt's filtering, filter results next to the choices, another model's name
// if a router has chosen it.

/** The first dated version that accepts `stream_options`; earlier ones refuse the whole request. */
const STREAM_USAGE_SINCE = '2024-09-01';

const DATED = /^\d{4}-\d{2}-\d{2}/;

/** The API's own path below the resource's address, which may be given with or without it, and the query. */
export function apiOf(base: URL, apiVersion: string | null): { path: string; search: string; isDated: boolean } {
  const root = withoutTrailingSlashes(base.pathname).replace(/\/openai(\/v1)?$/, '');
  const query = new URLSearchParams(base.search);
  if (apiVersion !== null) query.set('api-version', apiVersion);
  const isDated = apiVersion !== null && DATED.test(apiVersion);
  return {
    path: isDated ? `${root}/openai` : `${root}/openai/v1`,
    search: query.size === 0 ? '' : `?${query.toString()}`,
    isDated,
  };
}

/** The paths of deployments. */
function targetOf(base: URL, apiVersion: string | null): WireSettings['target'] {
  const { path, search, isDated } = apiOf(base, apiVersion);
  if (!isDated) return (endpoint) => `${path}/${endpoint}${search}`;
  return (endpoint, deployment) => `${path}/deployments/${encodeURIComponent(deployment)}/${endpoint}${search}`;
}

/** The present credentials of a request. */
export function credentialsOf({ apiKey, tokenFile }: AzureProviderConfig): () => Credentials {
  if (tokenFile === null) {
    const headers = apiKey === null ? {} : { 'api-key': apiKey };
    const credentials: Credentials = { ok: true, headers, secret: apiKey };
    return () => credentials;
  }
  const file = new TokenFile(tokenFile);
  const missing: Credentials = {
    ok: false,
    fault: { kind: 'unreachable', message: "the token's file holds no token" },
  };
  let latest: Credentials = missing;
  let latestToken: string | null = null;
  return () => {
    const token = file.current();
    if (token === latestToken || token === null) return latest;
    latestToken = token;
    latest = { ok: true, headers: { authorization: `Bearer ${token}` }, secret: token };
    return latest;
  };
}

/** An upstream for one provider of kind `azure`. The upstream's name of a model is the name of a deployment. */
export function createAzureUpstream(provider: AzureProviderConfig, timeouts: ClientTimeouts): Upstream {
  const { name, baseUrl, apiVersion, capField } = provider;
  const base = new URL(baseUrl);
  // Dated versions have no Responses below a deployment.
  const hasResponses = !apiOf(base, apiVersion).isDated;
  const isOld = apiVersion !== null && DATED.test(apiVersion) && apiVersion < STREAM_USAGE_SINCE;
  return createWireUpstream(
    {
      name,
      needsCap: false,
      structuredSupport: 'strict',
      schemaProvider: 'openai',
      chatExtras: ['web_search_options', 'audio'],
      serviceTiers: ['flex', 'priority'],
      speaksResponses: hasResponses,
      compacts: hasResponses,
      // No model on sale there is only for legacy completions.
      hasCompletions: false,
      ...(provider.acceptFields && { acceptedFields: new Set(provider.acceptFields) }),
      target: targetOf(base, apiVersion),
      credentials: credentialsOf(provider),
      idHeader: 'x-ms-client-request-id',
      edit: { capField, includeUsage: !isOld, leaveOut: isOld ? ['stream_options'] : [] },
    },
    createProviderClient(provider, timeouts),
  );
}
