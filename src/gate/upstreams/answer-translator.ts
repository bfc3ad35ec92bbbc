import type { AnswerFacts } from '../openai/chat-answer.ts';
import type { PassedValues } from '../openai/json-scan.ts';
import type { ResponseHeaders } from './http/response-head.ts';
import type { UpstreamFault, UsageSoFar } from './upstream.ts';

// The meaning of a provider kind's bodies and events; answer-reader.ts reads them.

/** Receives the output of a translator for a stream's events. Once the stream is over, calls are ignored. */
export interface StreamOutlet {
  /** One event of the answer: the payload of an OpenAI chunk, without framing. */
  pass(payload: Buffer): void;
  /** The provider has announced the end. */
  done(): void;
  /** The provider reports an error: the attempt's fault before anything was passed, a broken stream after. */
  error(fault: UpstreamFault): void;
  /** The provider's answer can't be parsed. */
  malformed(message: string): void;
}

/** A plain answer in OpenAI's JSON with the facts that the gate needs, or the fault. */
export type AnswerResult =
  | { readonly ok: true; readonly body: Buffer; readonly facts: AnswerFacts }
  | { readonly ok: false; readonly fault: UpstreamFault };

/** The most bytes that a translator parses in one piece, which takes time: more than any normal answer has. */
export interface ParsedLimits {
  readonly bodyBytesMax: number;
  readonly eventBytesMax: number;
  /** Of a body, as counted by `json-grammar.ts`. */
  readonly structureMax: number;
}

/** Translates one answer of one kind of provider. It may keep state: each exchange has its own. */
export interface AnswerTranslator {
  /** Reads the body that came with a status other than 2xx; it is empty if it was too large. */
  refused(status: number, headers: ResponseHeaders, body: Buffer): UpstreamFault;
  /** Null if it reads only parts of the input. */
  readonly parsedLimits: ParsedLimits | null;
  /**
   * Reads the whole body of a 2xx, which may still be an error. `passed`: the ends of the large values of a large
   * body.
   */
  answer(status: number, body: Buffer, passed: PassedValues | null): AnswerResult;
  /** Translates the data of one server-sent event into any number of calls of `outlet`. */
  event(payload: Buffer, outlet: StreamOutlet): void;
  /** Called when a stream's body ends without an announced end; returns the events that are still to be sent. */
  end(outlet: StreamOutlet): void;
  /** Usage in a stream's events that no chunk has reported yet; absent if there is none. */
  usageSoFar?(): UsageSoFar | null;
}
