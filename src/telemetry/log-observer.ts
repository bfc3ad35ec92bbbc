import type { Refusal } from '../domain/refusals.ts';
import type { Observer } from '../gateway/observer.ts';
import type { UpstreamFault } from '../upstreams/upstream.ts';
import type { Log } from './log.ts';

/** Tells the log what happens on the request path: ids, codes and reasons, never what was said. */
export class LogObserver implements Observer {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  refused(requestId: string, keyId: string | null, refusal: Refusal): void {
    this.#log.info({ requestId, keyId, code: refusal.code, param: refusal.param }, 'request refused');
  }

  ended(): void {
    // A request that reached an attempt leaves a receipt, which says more than a line could.
  }

  attemptFailed(requestId: string, provider: string, fault: UpstreamFault): void {
    const status = 'status' in fault ? fault.status : undefined;
    const fields = { requestId, provider, fault: fault.kind, status, reason: fault.message };
    if (fault.kind === 'rejected_credentials') this.#log.error(fields, 'the provider refuses the configured API key');
    else this.#log.warn(fields, 'attempt failed');
  }

  settlementFailed(requestId: string, fault: unknown): void {
    this.#log.error({ requestId, err: fault }, 'a receipt could not be made durable');
  }

  failed(requestId: string, fault: unknown): void {
    this.#log.error({ requestId, err: fault }, 'a request failed where it must not');
  }
}
