import type { OfferedModel } from '../../catalogue/catalogue-diff.ts';
import {
  type CombinedProvider,
  type CombinedRoute,
  combinedHealth,
} from '../../../gate/upstreams/health/combined-health.ts';
import type { InstanceHealth } from '../../../gate/upstreams/health/standing.ts';
import { ATTEMPT_CLASSES_MS, quantileOf } from '../../../domain/duration-classes.ts';
import { addAttempts, type AttemptCounts, noAttempts, type RoutePlace } from '../../routes/route-counts.ts';
import type { RouteDay } from '../../routes/route-hours.ts';
import type {
  PROVIDER_STATES,
  ProviderJson,
  ProviderRouteJson,
  ProvidersJson,
  RouteDayJson,
} from './provider-contract.ts';

// The JSON of providers and their routes.

interface RoutedModels {
  readonly configured: readonly OfferedModel[];
  /** Those that can be called; also ones that are not in the config file any more. */
  readonly sold: readonly OfferedModel[];
  readonly day: RouteDay;
}

/** A route's place, without its health. */
type Place = Pick<ProviderRouteJson, 'model' | 'upstream_model' | 'position' | 'weight' | 'on_sale'>;

/** The counts of the day of a model's route; those of no attempt if it was not tried. */
type DayOf = (place: RoutePlace) => Readonly<AttemptCounts>;

export function providersJson(
  { processes, reports }: InstanceHealth,
  models: RoutedModels,
  nowMs: number,
): ProvidersJson {
  const places = placesByProvider(models);
  const dayOf = daysByRoute(models.day);
  return {
    processes,
    processes_answered: reports.length,
    window_ms: reports[0]?.windowMs ?? 0,
    day_since: models.day.since.toISOString(),
    data: combinedHealth(reports).map((provider) =>
      providerJson(provider, places.get(provider.name) ?? [], dayOf, nowMs),
    ),
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

function daysByRoute({ routes }: RouteDay): DayOf {
  const nameOf = ({ model, provider, upstreamModel }: RoutePlace): string =>
    JSON.stringify([model, provider, upstreamModel]);
  const byName = new Map(routes.map((counts) => [nameOf(counts), counts]));
  return (place) => byName.get(nameOf(place)) ?? noAttempts();
}

function providerJson(provider: CombinedProvider, places: readonly Place[], dayOf: DayOf, nowMs: number): ProviderJson {
  const all = noAttempts();
  const routes = places.map((place) => {
    const { model, upstream_model: upstreamModel } = place;
    const day = dayOf({ model, provider: provider.name, upstreamModel });
    addAttempts(all, day);
    return routeJson(place, { route: provider.route(upstreamModel), day, nowMs });
  });
  return {
    name: provider.name,
    kind: provider.kind,
    state: stateOf(provider, routes),
    attempts: provider.running,
    concurrency_max: provider.concurrencyMax,
    full_processes: provider.full,
    day: dayJson(all),
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

interface RouteFacts {
  readonly route: CombinedRoute;
  readonly day: Readonly<AttemptCounts>;
  readonly nowMs: number;
}

function routeJson(place: Place, { route, day, nowMs }: RouteFacts): ProviderRouteJson {
  const { state, processes, rest, answered, failed } = route;
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
    day: dayJson(day),
  };
}

function dayJson({ answered, rejected, abandoned, faults, ...counts }: Readonly<AttemptCounts>): RouteDayJson {
  const { firstEvent, whole, answeredAtMs, fault } = counts;
  const kinds = [...faults].map(([kind, attempts]) => ({ kind, attempts }));
  const failed = kinds.reduce((sum, { attempts }) => sum + attempts, 0);
  return {
    attempts: answered + failed + rejected + abandoned,
    answered,
    failed,
    rejected,
    abandoned,
    faults: kinds.toSorted((a, b) => b.attempts - a.attempts || (a.kind < b.kind ? -1 : 1)),
    first_event_ms: quantilesJson(firstEvent),
    whole_ms: quantilesJson(whole),
    last_answer_at: answeredAtMs === null ? null : new Date(answeredAtMs).toISOString(),
    last_fault:
      fault === null
        ? null
        : {
            at: new Date(fault.atMs).toISOString(),
            kind: fault.kind,
            status: fault.status,
            request_id: fault.requestId,
          },
  };
}

function quantilesJson(counts: readonly number[]): RouteDayJson['whole_ms'] {
  const atShare = (share: number): number | null => quantileOf(counts, share, ATTEMPT_CLASSES_MS)?.ms ?? null;
  const [p50, p99] = [atShare(0.5), atShare(0.99)];
  return p50 === null || p99 === null ? null : { p50: Math.round(p50), p99: Math.round(p99) };
}
