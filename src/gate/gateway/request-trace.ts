import type { Route } from '../../domain/model.ts';
import type { RefusedRequest } from '../../domain/refused-request.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { UpstreamFault } from '../upstreams/upstream.ts';
import type { Caller } from './caller.ts';
import type { EndedRequest } from './observer.ts';

// The port to traces: what the path reports of a request while it runs. Without traces, or for a request that isn't
// sampled, all of it goes to UNTRACED, so the path asks nowhere whether there is a trace.

/** Begins the traces of requests; telemetry implements it. */
export interface Tracer {
  begin(
    caller: Pick<Caller, 'requestId' | 'traceParent' | 'traceState'>,
    dialect: Pick<Dialect, 'name' | 'path'>,
  ): RequestTrace;
}

/** One request, from its arrival to its settlement. It gets no bodies and no secrets, but for `finished`. */
export interface RequestTrace {
  /** From now on the request waits for its permit and its money. */
  admitting(): void;
  admitted(): void;
  /** The request was refused before any attempt. */
  refused(request: RefusedRequest): void;
  /** An attempt at this route begins. */
  attempt(route: Route): AttemptTrace;
  /**
   * A plain answer, or an event of a stream in which a choice ends. Only the reasons for which choices have ended are
   * read from it.
   */
  finished(payload: Buffer): void;
  /** The hold closes with this receipt. */
  settling(ended: EndedRequest): void;
  /** The receipt is durable, or was rejected for good. */
  settled(isDurable: boolean): void;
  /** The request is served, though it may not be settled. Called once, on every way out. */
  end(): void;
}

/** One attempt at a route. */
export interface AttemptTrace {
  /** Headers for the provider, by which its trace goes on from this attempt: names and values in turn; or none. */
  readonly headers: readonly string[];
  /** The whole answer is here, or the first data event of a stream. */
  begun(): void;
  failed(fault: UpstreamFault): void;
  /** Nothing of it is in progress any more. */
  over(): void;
}

const nothing = (): void => undefined;

export const UNTRACED_ATTEMPT: AttemptTrace = Object.freeze({
  headers: Object.freeze([]),
  begun: nothing,
  failed: nothing,
  over: nothing,
});

export const UNTRACED: RequestTrace = Object.freeze({
  admitting: nothing,
  admitted: nothing,
  refused: nothing,
  attempt: () => UNTRACED_ATTEMPT,
  finished: nothing,
  settling: nothing,
  settled: nothing,
  end: nothing,
});

/** Traces nothing. */
export const NO_TRACES: Tracer = Object.freeze({ begin: () => UNTRACED });
