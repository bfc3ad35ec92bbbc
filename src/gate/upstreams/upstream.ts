import type { ServiceTier } from '../../domain/service-tier.ts';
import type { ChatExtensions, CompletionEndpoint, CountedNative, NativeFacet } from '../dialects/dialect.ts';
import type { AnswerFacts } from '../openai/chat-answer.ts';
import type { ChatExtra } from '../openai/chat-extras.ts';
import type { ChatRequest } from '../openai/chat-request.ts';
import type { ReportedUsage } from '../openai/usage.ts';

// The port through which the gateway calls any provider. Each kind translates to and from OpenAI's chat, into which
// every dialect can be translated; a request in a dialect of the provider may be sent unchanged.

/** Why an attempt failed. `message` is for the operator; `callerMessage` is safe for the caller. */
export type UpstreamFault =
  | { readonly kind: 'unreachable'; readonly message: string }
  | {
      readonly kind: 'timeout';
      readonly phase: 'connect' | 'first_byte' | 'first_event' | 'idle' | 'deadline';
      readonly message: string;
    }
  | {
      readonly kind: 'broken';
      readonly message: string;
      /**
       * A kept-alive connection broke within a moment after the request was written and before a byte of its answer:
       * most likely the server had closed it before the request arrived.
       */
      readonly isRepeatable?: true;
    }
  | { readonly kind: 'malformed'; readonly status: number; readonly message: string }
  | {
      readonly kind: 'rejected_request';
      readonly status: number;
      readonly callerMessage: string;
      /** The provider's own code, or OpenAI's equivalent; null if there is none. */
      readonly code: string | null;
      readonly param: string | null;
      readonly message: string;
      /** The provider's API has no words for the request, and was sent nothing: another provider's may have them. */
      readonly isUnsayable?: true;
    }
  | { readonly kind: 'rejected_credentials'; readonly status: number; readonly message: string }
  | {
      readonly kind: 'overloaded';
      readonly status: number;
      readonly retryAfterMs: number | null;
      readonly message: string;
    }
  | { readonly kind: 'failed'; readonly status: number; readonly message: string };

/**
 * Receives one attempt's answer. Ends with exactly one of `answer`, `end` or `fault`, unless the attempt is aborted.
 */
export interface AnswerSink {
  /** A plain call's whole answer: JSON of a 2xx in the form of the call, and the facts that the gate needs. */
  answer(body: Buffer, facts: AnswerFacts): void;
  /** The payload of one data event of a stream, without framing, never `[DONE]`. Returning false requests a pause. */
  event(payload: Buffer): boolean;
  /** The stream has ended; `done` is whether the upstream announced the end. */
  end(done: boolean): void;
  fault(fault: UpstreamFault): void;
}

/** Usage reported before the end of a stream. */
export interface UsageSoFar {
  readonly tokens: ReportedUsage;
  /** Whether the output so far is counted; if not, only the input is known. */
  readonly countsOutput: boolean;
}

/** A running attempt. After `abort` the sink is not called any more. */
export interface RunningAttempt {
  pause(): void;
  resume(): void;
  abort(): void;
  /** Usage that the upstream has reported so far outside of events; absent if events report everything. */
  usageSoFar?(): UsageSoFar | null;
}

/** The common part of all calls. */
export interface CallBasics {
  readonly upstreamModel: string;
  readonly requestId: string;
  /** Headers by which the provider's trace goes on from this attempt: names and values in turn; absent: none. */
  readonly traceHeaders?: readonly string[];
}

export interface ChatCall extends CallBasics {
  readonly request: ChatRequest;
  /**
   * The most output tokens of one choice, to be written in the field that this upstream obeys, with no other cap field
   * left; null if the request needs no cap.
   */
  readonly cap: number | null;
}

/** A request in a dialect that the upstream implements. */
export interface NativeCall extends CallBasics {
  readonly request: NativeFacet;
  /** The most output tokens; null if the request needs no other than its own. */
  readonly cap: number | null;
  /** The most tokens of input and output with which the model is sold. */
  readonly contextWindow: number;
  /** Whether it is a reasoning model. */
  readonly reasoning: boolean;
}

/** Sends an unchanged request. The sink gets the answer in the same dialect. */
export type SendNative = (call: NativeCall, sink: AnswerSink) => RunningAttempt;

/** Counts the input tokens of an unchanged request; null if the provider doesn't count. */
export type CountNative = (
  call: Omit<NativeCall, 'request' | 'cap' | 'reasoning'> & { request: CountedNative },
) => Promise<number | null>;

/**
 * An upstream's support of a JSON schema in `response_format`: `strict` enforces it, `json_mode` has only JSON mode,
 * `tool` ignores both but calls a forced tool, `none` supports none of these.
 */
export type StructuredSupport = 'strict' | 'json_mode' | 'tool' | 'none';

/** One configured provider. */
export interface Upstream {
  readonly name: string;
  /** Whether the upstream runs on without end unless it is sent a cap. */
  readonly needsCap: boolean;
  readonly structuredSupport: StructuredSupport;
  /**
   * The provider whose part of JSON Schema its structured output accepts, so that schemas are rewritten beforehand;
   * absent if it accepts any, or adapts them itself.
   */
  readonly schemaProvider?: 'openai' | 'gemini';
  /** The dialects that it implements, by endpoint; others are translated to chat, if possible. */
  readonly natives?: Readonly<Partial<Record<CompletionEndpoint, SendNative>>>;
  /** Its extensions of chat beyond OpenAI's fields; absent if there are none. */
  readonly chatExtensions?: ChatExtensions;
  /** The fields for more than text that it supports in a chat request; absent if there are none. */
  readonly chatExtras?: readonly ChatExtra[];
  /** The service tiers that a request to it may name; absent if there are none. */
  readonly serviceTiers?: readonly ServiceTier[];
  /** Unknown fields and betas that the operator allows for it; absent if there are none. */
  readonly acceptedFields?: ReadonlySet<string>;
  /** Counts the input tokens of requests in its dialects, if it can. */
  readonly counts?: Readonly<Partial<Record<CompletionEndpoint, CountNative>>>;
  chat(call: ChatCall, sink: AnswerSink): RunningAttempt;
  /**
   * Closes connections once running attempts have ended. With `withinMs`, attempts that still run after this many
   * milliseconds fail.
   */
  close(withinMs?: number): Promise<void>;
}
