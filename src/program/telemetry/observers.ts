import type { Dialect } from '../../domain/receipt.ts';
import type { RefusedRequest } from '../../domain/refused-request.ts';
import type { AttemptFault, EndedRequest, Observer } from '../../gate/gateway/observer.ts';
import type { Failure } from '../../gate/gateway/recent-failures.ts';
import type { RouteName } from '../../gate/upstreams/health/health.ts';
import type { UpstreamFault } from '../../gate/upstreams/upstream.ts';

/** Passes events on to several observers, each of some of them. */
export class Observers implements Observer {
  readonly #all: readonly Partial<Observer>[];

  constructor(...all: readonly Partial<Observer>[]) {
    this.#all = all;
  }

  refused(request: RefusedRequest): void {
    for (const observer of this.#all) observer.refused?.(request);
  }

  retried(dialect: Dialect, how: Failure): void {
    for (const observer of this.#all) observer.retried?.(dialect, how);
  }

  ended(request: EndedRequest, settlementMs: number): void {
    for (const observer of this.#all) observer.ended?.(request, settlementMs);
  }

  forwarded(shard: string, status: number | null): void {
    for (const observer of this.#all) observer.forwarded?.(shard, status);
  }

  attemptFailed(requestId: string, provider: string, fault: AttemptFault): void {
    for (const observer of this.#all) observer.attemptFailed?.(requestId, provider, fault);
  }

  routeRests(route: RouteName, fault: UpstreamFault, forMs: number): void {
    for (const observer of this.#all) observer.routeRests?.(route, fault, forMs);
  }

  routeIsBack(route: RouteName): void {
    for (const observer of this.#all) observer.routeIsBack?.(route);
  }

  settlementFailed(requestId: string, fault: unknown): void {
    for (const observer of this.#all) observer.settlementFailed?.(requestId, fault);
  }

  responseLost(requestId: string, reason: unknown): void {
    for (const observer of this.#all) observer.responseLost?.(requestId, reason);
  }

  failed(requestId: string, fault: unknown): void {
    for (const observer of this.#all) observer.failed?.(requestId, fault);
  }
}
