import type { Config, ModelConfig, ProviderConfig, TimeoutConfig } from '../../config/config.ts';
import { providersOfKeys } from '../../config/known-providers.ts';
import { discoverLocalServers } from '../../gate/upstreams/discovery.ts';
import { SANDBOX_MODELS, SANDBOX_PROVIDER } from '../../gate/upstreams/sandbox/models.ts';
import type { Sources } from '../../gate/upstreams/upstream-set.ts';
import type { BannerFacts } from './banner.ts';

const PROBE_MS = 300;

/** The models that this process can sell, and the discovered local servers. */
export interface Offer {
  /** Includes the providers that `kept` needs. */
  readonly providers: readonly ProviderConfig[];
  readonly models: readonly ModelConfig[];
  /** Models of an earlier file that stay on sale until an operator accepts their removal. */
  readonly kept: readonly ModelConfig[];
  /** Whether the offer is from a config file. */
  readonly isConfigured: boolean;
  readonly found: Pick<BannerFacts, 'servers' | 'unusedKeys'>;
}

/** The file's providers and models. Without a file: the sandbox, and discovered servers on this machine. */
export async function readOffer(config: Config): Promise<Offer> {
  if (config.file !== null) {
    const { providers, models } = config;
    return { providers, models, kept: [], isConfigured: true, found: { servers: [], unusedKeys: [] } };
  }
  const local = await discoverLocalServers({ fetchTimeoutMs: PROBE_MS, ownPort: config.server.port });
  return {
    providers: [SANDBOX_PROVIDER, ...local.providers],
    models: [...SANDBOX_MODELS, ...local.models],
    kept: [],
    isConfigured: false,
    found: { servers: local.providers, unusedKeys: providersOfKeys(config.providerKeyVariables) },
  };
}

/** The parameters of the upstreams. */
export function sourcesOf({ providers, models, kept }: Offer, timeouts: TimeoutConfig): Sources {
  return { providers, models: [...models, ...kept], timeouts };
}
