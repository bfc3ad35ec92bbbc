import type { Config, ModelConfig, ProviderConfig } from '../config/config.ts';
import { discoverLocalServers } from '../upstreams/discovery.ts';
import { nameProviderKeys } from '../upstreams/provider-keys.ts';
import { SANDBOX_MODELS, SANDBOX_PROVIDER } from '../upstreams/sandbox/models.ts';
import type { BannerFacts } from './banner.ts';

const PROBE_MS = 300;

/** What this process can sell, and what it found on the way. */
export interface Offer {
  readonly providers: readonly ProviderConfig[];
  readonly models: readonly ModelConfig[];
  readonly found: Pick<BannerFacts, 'servers' | 'unusedKeys'>;
}

/** The file's providers and models. Without a file: the sandbox, and the local servers that run on this machine. */
export async function readOffer(config: Config): Promise<Offer> {
  if (config.file !== null) {
    return { providers: config.providers, models: config.models, found: { servers: [], unusedKeys: [] } };
  }
  const local = await discoverLocalServers({ fetchTimeoutMs: PROBE_MS, ownPort: config.server.port });
  return {
    providers: [SANDBOX_PROVIDER, ...local.providers],
    models: [...SANDBOX_MODELS, ...local.models],
    found: { servers: local.providers, unusedKeys: nameProviderKeys(config.providerKeyVariables) },
  };
}
