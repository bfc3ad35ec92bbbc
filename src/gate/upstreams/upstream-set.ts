import { isDeepStrictEqual } from 'node:util';
import type { ProviderConfig, TimeoutConfig } from '../../config/config.ts';
import type { Route } from '../../domain/model.ts';
import type { Clock } from '../../lib/clock.ts';
import { createUpstream } from './registry.ts';
import type { Upstream } from './upstream.ts';

/** The settings of upstreams, and the routes that lead to them. */
export interface Sources {
  readonly providers: readonly ProviderConfig[];
  readonly models: readonly { readonly routes: readonly Route[] }[];
  readonly timeouts: TimeoutConfig;
}

interface Member {
  readonly provider: ProviderConfig;
  readonly timeouts: TimeoutConfig;
  readonly upstream: Upstream;
}

/**
 * The upstreams of all configured providers. A route is bound to its upstream as an object, not by the provider's
 * name: so a request that began with an earlier configuration ends with it, even if the name has changed meaning.
 */
export class UpstreamSet {
  readonly #clock: Clock;
  readonly #onFault: (fault: unknown) => void;
  #members: ReadonlyMap<string, Member> = new Map();
  readonly #byRoute = new WeakMap<Route, Upstream>();
  /** Upstreams with only earlier routes, until they are closed. */
  readonly #former = new Set<Upstream>();

  /** `onFault` is called for an upstream that can't be closed. */
  constructor(clock: Clock, onFault: (fault: unknown) => void) {
    this.#clock = clock;
    this.#onFault = onFault;
  }

  /** The upstream that the route leads to; undefined if its provider isn't configured. */
  of(route: Route): Upstream | undefined {
    return this.#byRoute.get(route);
  }

  /**
   * Adopts a new configuration. Upstreams with the same settings continue; the others stay open for their earlier
   * routes, until `closeFormer`.
   */
  configure({ providers, models, timeouts }: Sources): void {
    const before = this.#members;
    const members = providers.map((provider): [string, Member] => {
      const known = before.get(provider.name);
      const isSame = isDeepStrictEqual([known?.provider, known?.timeouts], [provider, timeouts]);
      const upstream = known !== undefined && isSame ? known.upstream : createUpstream(provider, timeouts);
      return [provider.name, { provider, timeouts, upstream }];
    });
    this.#members = new Map(members);
    const current = new Set(members.map(([, { upstream }]) => upstream));
    for (const { upstream } of before.values()) if (!current.has(upstream)) this.#former.add(upstream);
    for (const route of models.flatMap(({ routes }) => routes)) {
      const member = this.#members.get(route.provider);
      if (member !== undefined) this.#byRoute.set(route, member.upstream);
    }
  }

  /**
   * Closes the upstreams that only earlier routes lead to: `afterMs` from now, when no request begins an attempt by
   * those any more, and then only as their attempts end.
   */
  closeFormer(afterMs: number): void {
    const leaving = [...this.#former];
    if (leaving.length === 0) return;
    this.#clock.after(afterMs, () => {
      for (const upstream of leaving) {
        upstream.close().then(() => this.#former.delete(upstream), this.#onFault);
      }
    });
  }

  /** Closes all of them as their attempts end; those that still run after `withinMs` fail. */
  async close(withinMs: number): Promise<void> {
    const all = [...[...this.#members.values()].map(({ upstream }) => upstream), ...this.#former];
    await Promise.all(all.map((upstream) => upstream.close(withinMs)));
  }
}
