import type { ProviderConfig, ProviderKind, TimeoutConfig } from '../config/config.ts';
import { createAnthropicUpstream } from './anthropic/anthropic-upstream.ts';
import { createAzureUpstream } from './azure/azure-upstream.ts';
import { createGeminiUpstream } from './gemini/gemini-upstream.ts';
import { createOpenAiUpstream } from './openai/openai-upstream.ts';
import { createSandboxUpstream } from './sandbox/sandbox-upstream.ts';
import type { Upstream } from './upstream.ts';

type UpstreamFactory<Kind extends ProviderKind> = (
  provider: Extract<ProviderConfig, { kind: Kind }>,
  timeouts: TimeoutConfig,
) => Upstream;

/** How an upstream of each kind is made: a new kind of provider is a line here. */
const FACTORIES: { readonly [Kind in ProviderKind]: UpstreamFactory<Kind> } = {
  anthropic: createAnthropicUpstream,
  azure: createAzureUpstream,
  gemini: createGeminiUpstream,
  openai: createOpenAiUpstream,
  sandbox: (provider) => createSandboxUpstream(provider.name),
};

/** The upstream of one configured provider. The caller closes it. */
export function createUpstream(provider: ProviderConfig, timeouts: TimeoutConfig): Upstream {
  // That a kind's factory takes its providers is checked where the table is made; here they come together at run time.
  const create = FACTORIES[provider.kind] as UpstreamFactory<ProviderKind>;
  return create(provider, timeouts);
}
