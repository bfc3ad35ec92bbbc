import type { RefusedRequest } from '../../domain/refused-request.ts';
import type { AttemptFault, Observer } from '../../gate/gateway/observer.ts';
import type { RouteName } from '../../gate/upstreams/health/health.ts';
import type { UpstreamFault } from '../../gate/upstreams/upstream.ts';
import type { Log } from './log.ts';

// The field `event` names lines that an operator may alert on; these names don't change.

/** Logs events of the request path: ids, codes and reasons, never content. */
export class LogObserver implements Partial<Observer> {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  refused({ requestId, principal, refusal }: RefusedRequest): void {
    this.#log.info(
      { requestId, keyId: principal?.keyId ?? null, code: refusal.code, param: refusal.param },
      'request refused',
    );
  }

  retried(): void {
    // Its receipt says so, or the line of its refusal.
  }

  ended(): void {
    // A request that reached an attempt has a receipt, which has more detail than a log line.
  }

  attemptFailed(requestId: string, provider: string, fault: AttemptFault): void {
    const status = 'status' in fault ? fault.status : undefined;
    const fields = { requestId, provider, fault: fault.kind, status, reason: fault.message };
    if (fault.kind === 'rejected_credentials')
      this.#log.error(
        { event: 'provider_key_refused', ...fields },
        'a provider rejects the configured API key: correct it, its routes are skipped until then',
      );
    else this.#log.warn(fields, 'attempt failed');
  }

  routeRests(route: RouteName, { kind, message }: UpstreamFault, forMs: number): void {
    const fields = { event: 'route_rests', ...route, fault: kind, reason: message, forMs: Math.round(forMs) };
    this.#log.warn(fields, 'a route rests: it is skipped for forMs milliseconds');
  }

  routeIsBack(route: RouteName): void {
    this.#log.info({ event: 'route_is_back', ...route }, 'a route is in service again');
  }

  settlementFailed(requestId: string, fault: unknown): void {
    this.#log.error(
      { requestId, err: fault },
      'a receipt could not be committed or journaled: the end of its answer is withheld',
    );
  }

  responseLost(requestId: string, reason: unknown): void {
    this.#log.warn(
      { event: 'response_lost', requestId, err: reason },
      'a response could not be kept: its caller has it, but no request can go on from it',
    );
  }

  failed(requestId: string, fault: unknown): void {
    this.#log.error(
      { requestId, err: fault },
      'a request failed because of a bug of this program: please report this line',
    );
  }
}
