import type { ProviderKind } from '../../../config/config.ts';
import type { ServiceTier } from '../../../domain/service-tier.ts';
import type { UpstreamFault } from '../upstream.ts';
import { type HealthSettings, type ProviderLoad, RouteHealth } from './route-health.ts';
import type { HealthReport, ProviderStanding } from './standing.ts';

/** Settings of a provider that health depends on. */
export interface ProviderLimits {
  readonly name: string;
  readonly kind: ProviderKind;
  /** The most attempts that this process may have in progress there; null: unbounded. */
  readonly concurrencyMax: number | null;
  readonly drains: boolean;
}

/** A route's target: a provider's name and the model's id there. */
export interface RouteName {
  readonly provider: string;
  readonly upstreamModel: string;
}

/** Called when a route rests, and when it is back. */
export interface HealthWatcher {
  routeRests(route: RouteName, fault: UpstreamFault, forMs: number): void;
  routeIsBack(route: RouteName): void;
}

interface ProviderHealth {
  /** Null: it is not in the file. */
  readonly kind: ProviderKind | null;
  readonly load: ProviderLoad;
  readonly drains: boolean;
  readonly routes: Map<string, RouteHealth>;
}

/**
 * This process's route health, from its own attempts only. It has one entry for each route that was ever tried, and
 * routes come from the config file, so it doesn't grow.
 */
export class Health {
  readonly #watcher: HealthWatcher;
  #settings: HealthSettings;
  #providers = new Map<string, ProviderHealth>();

  constructor(settings: HealthSettings, watcher: HealthWatcher) {
    this.#settings = settings;
    this.#watcher = watcher;
  }

  /**
   * Applies new settings and providers. What was known of their routes is dropped, because the change may have fixed
   * what was wrong; attempts in progress still count.
   */
  configure(settings: HealthSettings, providers: readonly ProviderLimits[]): void {
    const former = this.#providers;
    this.#settings = settings;
    this.#providers = new Map(
      providers.map(({ name, kind, concurrencyMax, drains }) => {
        const load = former.get(name)?.load ?? { canRest: true, running: 0, concurrencyMax };
        load.canRest = kind !== 'sandbox';
        load.concurrencyMax = concurrencyMax;
        return [name, { kind, load, drains, routes: new Map<string, RouteHealth>() }];
      }),
    );
  }

  /** The health of a route. Requests that began before their provider was removed from the file may still need it. */
  of(route: RouteName): RouteHealth {
    const provider = this.#providers.get(route.provider) ?? this.#addProvider(route.provider);
    return provider.routes.get(route.upstreamModel) ?? this.#addRoute(provider, route);
  }

  /** The same for requests in a service tier, whose lack of capacity says nothing about other requests. */
  inTier({ provider, upstreamModel }: RouteName, tier: ServiceTier): RouteHealth {
    return this.of({ provider, upstreamModel: `${upstreamModel} as ${tier}` });
  }

  /** Whether a stream is read to its end at this provider after its caller has left. */
  drains(provider: string): boolean {
    return this.#providers.get(provider)?.drains ?? false;
  }

  /** This process's report on the providers at this monotonic time. */
  report(nowMs: number): HealthReport {
    return { windowMs: this.#settings.windowMs, providers: [...this.standings(nowMs)] };
  }

  /** The state of each provider at this monotonic time. */
  *standings(nowMs: number): Generator<ProviderStanding> {
    for (const [name, { kind, load, routes }] of this.#providers) {
      const tried = [...routes];
      yield {
        name,
        kind,
        running: load.running,
        concurrencyMax: load.concurrencyMax,
        isKeyRefused: tried.some(([, route]) => route.isKeyRefused),
        routes: tried.map(([upstreamModel, route]) => ({ upstreamModel, ...route.standing(nowMs) })),
      };
    }
  }

  #addProvider(name: string): ProviderHealth {
    const load = { canRest: true, running: 0, concurrencyMax: null };
    const provider = { kind: null, load, drains: false, routes: new Map() };
    this.#providers.set(name, provider);
    return provider;
  }

  #addRoute({ load, routes }: ProviderHealth, { provider, upstreamModel }: RouteName): RouteHealth {
    const name = { provider, upstreamModel };
    const health = new RouteHealth(this.#settings, load, {
      rests: (fault, forMs) => this.#watcher.routeRests(name, fault, forMs),
      isBack: () => this.#watcher.routeIsBack(name),
    });
    routes.set(upstreamModel, health);
    return health;
  }
}
