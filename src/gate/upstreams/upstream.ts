import type { ChatExtensions, CompletionEndpoint, CountedNative, NativeFacet } from '../dialects/dialect.ts';
import type { AnswerFacts } from '../openai/chat-answer.ts';
import type { ChatExtra } from '../openai/chat-extras.ts';
import type { ChatRequest } from '../openai/chat-request.ts';
import type { ReportedUsage } from '../openai/usage.ts';

// The port through which the gateway speaks to any provider. Each kind translates to and from OpenAI's chat, into which
// every dialect can be translated; what a provider speaks itself may be sent to it as it is.

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
       * A kept connection broke within a moment of the request's writing and before a byte of its answer: most likely
       * it had been closed before the request came.
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
  /** A plain call's whole answer: JSON of a 2xx in the shape of the call, and what the gate must know of it. */
  answer(body: Buffer, facts: AnswerFacts): void;
  /** The payload of one data event of a stream, without framing, never `[DONE]`. False asks for a pause. */
  event(payload: Buffer): boolean;
  /** The stream has ended; `done` is whether the upstream announced the end. */
  end(done: boolean): void;
  fault(fault: UpstreamFault): void;
}

/** Usage as it is reported before a stream has ended. */
export interface UsageSoFar {
  readonly tokens: ReportedUsage;
  /** Whether the output is counted up to here; if it isn't, only the input is known. */
  readonly countsOutput: boolean;
}

/** A running attempt. After `abort` the sink is not called any more. */
export interface RunningAttempt {
  pause(): void;
  resume(): void;
  abort(): void;
  /**
   * Usage that the upstream has reported so far outside of events; absent if events have all
   * that is known.
   */
  usageSoFar?(): UsageSoFar | null;
}

interface CallBasics {
  readonly upstreamModel: string;
  readonly requestId: string;
}

export interface ChatCall extends CallBasics {
  readonly request: ChatRequest;
  /**
   * The most output tokens of one choice, to be written in the field that this upstream obeys with every other cap
   * field saying no more; null if the request needs none.
   */
  readonly cap: number | null;
}

/** A request in a dialect that the upstream speaks itself. */
export interface NativeCall extends CallBasics {
  readonly request: NativeFacet;
  /** The most output tokens; null if the request needs no other than its own. */
  readonly cap: number | null;
  /** The most tokens of input and output with which the model is sold. */
  readonly contextWindow: number;
  /** Whether the model thinks before it answers. */
  readonly reasoning: boolean;
}

/** Sends a request as it is. The sink gets the answer in the same dialect. */
export type SendNative = (call: NativeCall, sink: AnswerSink) => RunningAttempt;

/** Counts the input tokens of a request as it is; null if the provider doesn't say. */
export type CountNative = (
  call: Omit<NativeCall, 'request' | 'cap' | 'reasoning'> & { request: CountedNative },
) => Promise<number | null>;

/**
 * An upstream's support of a JSON schema in `response_format`: `strict` enforces it, `json_mode` knows JSON mode alone,
 * `tool` heeds neither but calls a forced tool, `none` does none of it.
 */
export type StructuredSupport = 'strict' | 'json_mode' | 'tool' | 'none';

/** One configured provider. */
export interface Upstream {
  readonly name: string;
  /** Whether the upstream runs on without end unless it is sent a cap. */
  readonly needsCap: boolean;
  readonly structuredSupport: StructuredSupport;
  /**
   * Whose part of JSON Schema its structured output takes, so that a schema is rewritten for it beforehand; absent
   * where it takes any, or adapts it by itself.
   */
  readonly schemaProvider?: 'openai' | 'gemini';
  /** The dialects that it speaks itself, by their endpoint; others are translated to chat, if they can be. */
  readonly natives?: Readonly<Partial<Record<CompletionEndpoint, SendNative>>>;
  /** What it takes of a chat request beyond OpenAI's fields; absent where it takes no more. */
  readonly chatExtensions?: ChatExtensions;
  /** Which fields of a chat request it reads that ask for more than text; absent where it reads none. */
  readonly chatExtras?: readonly ChatExtra[];
  /** Fields without a verdict, and betas, that the operator lets it have; absent where there are none. */
  readonly acceptedFields?: ReadonlySet<string>;
  /** Counts the input tokens of requests in dialects that it speaks, where it can. */
  readonly counts?: Readonly<Partial<Record<CompletionEndpoint, CountNative>>>;
  chat(call: ChatCall, sink: AnswerSink): RunningAttempt;
  /**
   * Closes connections once running attempts have ended. With `withinMs`, those that still run after so many
   * milliseconds fail.
   */
  close(withinMs?: number): Promise<void>;
}
