import type { Model } from '../../domain/model.ts';
import type { Dialect } from '../../domain/receipt.ts';
import type { RefusalCode } from '../../domain/refusals.ts';
import type { RefusedRequest } from '../../domain/refused-request.ts';
import type { HealthWatcher } from '../upstreams/health/health.ts';
import type { ReceiptDraft } from '../purses/leases/hold.ts';
import type { UpstreamFault } from '../upstreams/upstream.ts';
import type { Failure } from './recent-failures.ts';

/** An upstream's fault, or its answer that does not conform to the caller's schema. */
export type AttemptFault = UpstreamFault | { readonly kind: 'not_conforming'; readonly message: string };

/** A request that was admitted, and has ended. */
export interface EndedRequest {
  readonly receipt: ReceiptDraft;
  readonly model: Model;
  /** The error that its caller got, maybe as the last event of a stream; null: none. */
  readonly code: RefusalCode | null;
}

/**
 * Receives events of the request path and of route health; telemetry implements it. Events contain no bodies and no
 * secrets.
 */
export interface Observer extends HealthWatcher {
  /** A request was refused before any attempt. It has a receipt only if it had a hold, and no route could be tried. */
  refused(request: RefusedRequest): void;
  /** A request repeats one of the same key that had failed within the minute before; `how` is how that one failed. */
  retried(dialect: Dialect, how: Failure): void;
  /** A request's receipt is durable, after so many milliseconds. */
  ended(request: EndedRequest, settlementMs: number): void;
  /** A request was forwarded to another cell, whose answer had this status; null: none has begun. */
  forwarded(shard: string, status: number | null): void;
  /** An attempt failed. */
  attemptFailed(requestId: string, provider: string, fault: AttemptFault): void;
  /** A request's receipt could not be made durable. */
  settlementFailed(requestId: string, fault: unknown): void;
  /** The response to a request is not kept, although its caller asked for it. */
  responseLost(requestId: string, reason: unknown): void;
  /** A request failed because of a bug in the program. */
  failed(requestId: string, fault: unknown): void;
}
