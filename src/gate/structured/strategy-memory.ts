import type { Clock } from '../../lib/clock.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import type { Strategy } from './strategy.ts';

/** How long a strategy that a route has rejected is skipped. */
const REMEMBERED_MS = 10 * 60_000;
const ENTRIES_MAX = 4_000;

/** An upstream's model at a provider. */
export interface AskedRoute {
  readonly provider: string;
  readonly upstreamModel: string;
}

/**
 * Strategies that routes rejected within the last ten minutes although a weaker one succeeded. A request that is passed
 * through is rejected for its own schema, which nothing has adapted, so that is remembered by the schema.
 */
export class StrategyMemory {
  readonly #clock: Clock;
  /** Until when a strategy is skipped, and until when one is doubted; monotonic milliseconds. */
  readonly #turnedDown = new RecentMap<string, number>(ENTRIES_MAX);
  readonly #doubted = new RecentMap<string, number>(ENTRIES_MAX);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The index of the first strategy that is worth trying with the route. `schema`: the schema's number. */
  firstOf(route: AskedRoute, strategies: readonly Strategy[], schema: number): number {
    const isWorthTrying = (strategy: Strategy): boolean =>
      !this.#holds(this.#turnedDown, keyOf(route, strategy, schema));
    return Math.max(0, strategies.findIndex(isWorthTrying));
  }

  /** Remembers that the route has turned these down, and served by a weaker one. */
  turnedDown(route: AskedRoute, strategies: readonly Strategy[], schema: number): void {
    const untilMs = this.#clock.monotonicMs() + REMEMBERED_MS;
    for (const strategy of strategies) this.#turnedDown.set(keyOf(route, strategy, schema), untilMs);
  }

  /**
   * Records that the route has answered a passed-through request with something other than JSON, and served by another
   * strategy. The second time it counts as a rejection: each time would cost two answers if it enforces no schema.
   */
  doubt(route: AskedRoute, schema: number): void {
    const key = keyOf(route, 'passthrough', schema);
    if (this.#holds(this.#doubted, key)) this.turnedDown(route, ['passthrough'], schema);
    this.#doubted.set(key, this.#clock.monotonicMs() + REMEMBERED_MS);
  }

  #holds(untilMs: RecentMap<string, number>, key: string): boolean {
    return (untilMs.get(key) ?? 0) > this.#clock.monotonicMs();
  }
}

function keyOf({ provider, upstreamModel }: AskedRoute, strategy: Strategy, schema: number): string {
  return `${provider} ${upstreamModel} ${strategy}${strategy === 'passthrough' ? ` ${schema}` : ''}`;
}
