import type { Clock } from '../lib/clock.ts';
import { RecentMap } from '../lib/recent-map.ts';
import type { Strategy } from './strategy.ts';

/** For how long a route isn't asked again in a way that it has turned down. */
const REMEMBERED_MS = 10 * 60_000;
const ROUTES_MAX = 1_000;

/** A way to an upstream's model. */
export interface AskedRoute {
  readonly provider: string;
  readonly upstreamModel: string;
}

/** Strategies that routes rejected within the last ten minutes although a weaker one succeeded. */
export class StrategyMemory {
  readonly #clock: Clock;
  readonly #turnedDown = new RecentMap<string, { readonly strategies: readonly Strategy[]; readonly untilMs: number }>(
    ROUTES_MAX,
  );

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The index of the first strategy that is worth trying with the route. */
  firstOf(route: AskedRoute, strategies: readonly Strategy[]): number {
    const known = this.#turnedDown.get(keyOf(route));
    if (known === undefined || known.untilMs <= this.#clock.monotonicMs()) return 0;
    return Math.max(
      0,
      strategies.findIndex((strategy) => !known.strategies.includes(strategy)),
    );
  }

  /** Remembers that the route has turned these down, and served by a weaker one. */
  turnedDown(route: AskedRoute, strategies: readonly Strategy[]): void {
    this.#turnedDown.set(keyOf(route), { strategies, untilMs: this.#clock.monotonicMs() + REMEMBERED_MS });
  }
}

function keyOf({ provider, upstreamModel }: AskedRoute): string {
  return `${provider} ${upstreamModel}`;
}
