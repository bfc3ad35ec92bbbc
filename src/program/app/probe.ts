import type { Config, ProviderConfig } from '../../config/config.ts';
import { listModels, type ModelList, probeProvider, type ProviderProbe } from '../../gate/upstreams/probe.ts';

/** For all requests to one provider. */
const PROBE_MS = 15_000;

/**
 * Probes all configured providers concurrently: whether each is reachable, accepts the key and has the models of the
 * routes.
 */
export async function probeProviders({ providers, models }: Config): Promise<readonly ProviderProbe[]> {
  const routes = models.flatMap((model) => model.routes);
  return await Promise.all(
    providers.map((provider) => {
      const led = routes.filter((route) => route.provider === provider.name).map(({ upstreamModel }) => upstreamModel);
      return probeProvider(provider, [...new Set(led)], { timeoutMs: PROBE_MS });
    }),
  );
}

/** Lists a provider's models. */
export async function modelsAt(provider: ProviderConfig): Promise<ModelList> {
  return await listModels(provider, { timeoutMs: PROBE_MS });
}
