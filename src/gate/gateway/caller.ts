import type { Principal } from '../../domain/principal.ts';
import type { ReplyForm } from '../dialects/dialect.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { GatherFault } from '../../lib/gathered-bytes.ts';

// The port to the connection of a request; http/ implements it.

/** The header with a caller's bound on the cost of its request, in USD. */
export const MAX_COST_HEADER = 'x-faregate-max-cost';

/** The header that sets whether the usage of the answer includes its charge: `true` or `false`. */
export const REPORT_COST_HEADER = 'x-faregate-report-cost';

/** The header by which repeats get the first request's answer, and the header that marks a repeated answer. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
export const REPLAYED_HEADER = 'x-faregate-replayed';

/** The header that marks a request that other cells have forwarded, with their shards, the first one first. */
export const FORWARDED_HEADER = 'x-faregate-forwarded';

/** Headers of an answer: names and values in turn. */
export type ReplyHeaders = readonly string[];

/** The reason why a body could not be read. */
export type ReadFailure = GatherFault | 'gone';

export interface Caller {
  readonly requestId: string;
  readonly method: string;
  /** The target of the request line: a path with its query, or a whole URL. */
  readonly target: string;
  readonly authorization: string | undefined;
  /** The caller, if it is known without a key; null: `authorization` identifies it. */
  readonly principal: Principal | null;
  /** The address at the other end of the connection. */
  readonly peerAddress: string;
  /** The header X-Forwarded-For, as it was sent. */
  readonly forwardedFor: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** A key in the header of Anthropic's clients; used if there is no `authorization`. */
  readonly apiKey: string | undefined;
  /** The headers anthropic-version and anthropic-beta, as they were sent. */
  readonly anthropicVersion: string | undefined;
  readonly anthropicBeta: string | undefined;
  /** The header x-faregate-max-cost, as it was sent. */
  readonly maxCost: string | undefined;
  /** The header x-faregate-report-cost, as it was sent. */
  readonly reportCost: string | undefined;
  /** The header x-faregate-forwarded, as it was sent. */
  readonly forwardedBy: string | undefined;
  /** The header Idempotency-Key, as it was sent. */
  readonly idempotencyKey: string | undefined;
  /** The caller's own id for this request, for the receipt; null if it sent none. */
  readonly clientRequestId: string | null;
  /** The headers traceparent and tracestate, as they were sent. */
  readonly traceParent: string | undefined;
  readonly traceState: string | undefined;
  /** The agent's session as named by its client, for the receipt; null if it names none. */
  readonly session: string | null;
  /** Whether the caller has left. */
  readonly isGone: boolean;
  /** Calls back once if the caller leaves before its answer is complete; synchronously if it has left already. */
  onGone(callback: () => void): void;
  /**
   * Whether the caller has closed its side of the connection. It may have left or still wait for its answer. Only
   * sending shows which: if it has left, bytes sent a moment after the first ones fail.
   */
  readonly isHalfClosed: boolean;
  /** Calls back once when that happens before the answer is complete; synchronously if it has happened already. */
  onHalfClosed(callback: () => void): void;
  /** The length of the body; null if it isn't announced. */
  readonly bodyBytes: number | null;
  /** The largest body that is read. */
  readonly bodyBytesMax: number;
  /** The body; synchronous if it is complete. Called once. */
  readBody(): Buffer | ReadFailure | Promise<Buffer | ReadFailure>;
  /**
   * Reserves additional bytes of the memory shared by all requests, until the answer has ended; false if there aren't
   * enough.
   */
  reserve(bytes: number): boolean;
  /** Sets the form of all answers; OpenAI's until then. */
  answerIn(form: ReplyForm): void;
  refuse(refusal: Refusal): void;
  /** Sends a whole JSON answer with status 200. */
  answer(body: Buffer, headers: ReplyHeaders): void;
  /** Sends the 200 of an event stream. */
  startStream(headers: ReplyHeaders): void;
  readonly hasStarted: boolean;
  /** Sends the status and headers of an answer that another server gives; its body follows as that of a stream. */
  startRelayed(status: number, headers: ReplyHeaders): void;
  /** Sends latin1 text of a started stream; returns false to request a pause until `onDrain` calls back. */
  write(text: string): boolean;
  onDrain(callback: () => void): void;
  end(): void;
  /** Breaks the connection, unless the answer is complete: the caller sees that it is not whole. */
  destroy(): void;
}
