import type { OfferedModel } from '../../catalogue/catalogue-diff.ts';
import {
  type CombinedProvider,
  type CombinedRoute,
  combinedHealth,
} from '../../../gate/upstreams/health/combined-health.ts';
import type { InstanceHealth } from '../../../gate/upstreams/health/standing.ts';
import type { PROVIDER_STATES, ProviderJson, ProviderRouteJson, ProvidersJson } from './provider-contract.ts';

// The JSON of providers and their routes.

interface RoutedModels {
  readonly configured: readonly OfferedModel[];
  /** Those that can be called; also ones that are not in the config file any more. */
  readonly sold: readonly OfferedModel[];
}

/** A route's place, without its health. */
type Place = Pick<ProviderRouteJson, 'model' | 'upstream_model' | 'position' | 'weight' | 'on_sale'>;

export function providersJson(
  { processes, reports }: InstanceHealth,
  models: RoutedModels,
  nowMs: number,
): ProvidersJson {
  const places = placesByProvider(models);
  return {
    processes,
    processes_answered: reports.length,
    window_ms: reports[0]?.windowMs ?? 0,
    data: combinedHealth(reports).map((provider) => providerJson(provider, places.get(provider.name) ?? [], nowMs)),
  };
}

function placesByProvider({ configured, sold }: RoutedModels): ReadonlyMap<string, readonly Place[]> {
  const onSale = new Set(sold.map(({ id }) => id));
  const listed = new Set(configured.map(({ id }) => id));
  const all = [...configured, ...sold.filter(({ id }) => !listed.has(id))].flatMap(({ id, routes }) =>
    routes.map(({ provider, upstreamModel, weight = null }, index) => ({
      provider,
      place: { model: id, upstream_model: upstreamModel, position: index + 1, weight, on_sale: onSale.has(id) },
    })),
  );
  const byProvider = Map.groupBy(all, ({ provider }) => provider);
  return new Map([...byProvider].map(([provider, routes]) => [provider, routes.map(({ place }) => place)]));
}

function providerJson(provider: CombinedProvider, places: readonly Place[], nowMs: number): ProviderJson {
  const routes = places.map((place) => routeJson(place, provider.route(place.upstream_model), nowMs));
  return {
    name: provider.name,
    kind: provider.kind,
    state: stateOf(provider, routes),
    attempts: provider.running,
    concurrency_max: provider.concurrencyMax,
    full_processes: provider.full,
    routes,
  };
}

function stateOf(
  { isKeyRefused, full }: CombinedProvider,
  routes: readonly ProviderRouteJson[],
): (typeof PROVIDER_STATES)[number] {
  if (isKeyRefused) return 'key_refused';
  if (routes.length > 0 && routes.every(restsEverywhere)) return 'resting';
  if (routes.some(({ state }) => state !== 'answering' && state !== 'idle')) return 'degraded';
  if (full > 0) return 'full';
  return routes.some(({ state }) => state === 'answering') ? 'answering' : 'idle';
}

function restsEverywhere({ processes: { resting, ...others } }: ProviderRouteJson): boolean {
  return resting > 0 && Object.values(others).every((count) => count === 0);
}

function routeJson(
  place: Place,
  { state, processes, rest, answered, failed }: CombinedRoute,
  nowMs: number,
): ProviderRouteJson {
  return {
    ...place,
    state,
    processes,
    rest:
      rest === null
        ? null
        : {
            cause: rest.cause,
            fault: rest.fault,
            status: rest.status,
            until: new Date(nowMs + rest.forMs).toISOString(),
          },
    answered,
    failed,
  };
}
