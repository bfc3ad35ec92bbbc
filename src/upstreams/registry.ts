import type { ProviderConfig, ProviderKind, TimeoutConfig } from '../config/config.ts';
import { createOpenAiUpstream } from './openai/openai-upstream.ts';
import { createSandboxUpstream } from './sandbox/sandbox-upstream.ts';
import type { Upstream } from './upstream.ts';

type UpstreamFactory = (provider: ProviderConfig, timeouts: TimeoutConfig) => Upstream;

/** How an upstream of each kind is made: a new kind of provider is a line here. */
const FACTORIES: Readonly<Record<ProviderKind, UpstreamFactory>> = {
  openai: createOpenAiUpstream,
  sandbox: (provider) => createSandboxUpstream(provider.name),
};

/** One upstream for each configured provider, by its name. The caller closes them. */
export function createUpstreams(
  providers: readonly ProviderConfig[],
  timeouts: TimeoutConfig,
): ReadonlyMap<string, Upstream> {
  return new Map(providers.map((provider) => [provider.name, FACTORIES[provider.kind](provider, timeouts)]));
}
