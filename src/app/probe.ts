import type { Config } from '../config/config.ts';
import { probeProvider, type ProviderProbe } from '../upstreams/probe.ts';

/** For all questions to one provider. */
const PROBE_MS = 15_000;

/**
 * Asks all configured providers concurrently whether they can be reached, take the key and have the models of the
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
