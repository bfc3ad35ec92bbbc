import type { OpenAiProviderConfig } from '../../../config/config.ts';
import { type ClientTimeouts, createProviderClient } from '../provider-client.ts';
import type { Upstream } from '../upstream.ts';
import { profileOf } from './profiles.ts';
import { createWireUpstream, type Credentials } from './wire-upstream.ts';
import { withoutTrailingSlashes } from '../../../lib/trailing-slashes.ts';

/** An upstream for one provider of kind `openai`: any server that implements OpenAI's API. */
export function createOpenAiUpstream(provider: OpenAiProviderConfig, timeouts: ClientTimeouts): Upstream {
  const base = new URL(provider.baseUrl);
  const path = withoutTrailingSlashes(base.pathname);
  const { search } = base;
  const { apiKey } = provider;
  const headers = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  const credentials: Credentials = { ok: true, headers, secret: apiKey };
  const profile = profileOf(provider);
  const { capField, needsCap, padsStreams, structuredSupport, schemaProvider, speaksResponses, unread } = profile;
  return createWireUpstream(
    {
      name: provider.name,
      needsCap,
      structuredSupport,
      ...(schemaProvider && { schemaProvider }),
      speaksResponses,
      chatExtras: profile.chatExtras,
      serviceTiers: profile.serviceTiers,
      compacts: profile.compacts === true,
      ...(profile.readsReasoning && { chatExtensions: 'reasoning' as const }),
      countsTokens: profile.countsTokens === true,
      hasCompletions: profile.hasCompletions,
      ...(provider.acceptFields && { acceptedFields: new Set(provider.acceptFields) }),
      target: (endpoint) => `${path}/${endpoint}${search}`,
      credentials: () => credentials,
      // OpenAI and others log this header; `x-request-id` would be taken for their own, and refused if repeated.
      idHeader: 'x-client-request-id',
      edit: { capField, includeUsage: true, omitObfuscation: padsStreams, leaveOut: unread },
    },
    createProviderClient(provider, timeouts),
  );
}
