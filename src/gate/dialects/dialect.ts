import type { ModelKind, ModelTerms, SoldTools } from '../../domain/model.ts';
import type { Dialect as DialectName } from '../../domain/receipt.ts';
import type { RequestedTier } from '../../domain/service-tier.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { ToolUses, UsesBound } from '../../domain/uses.ts';
import type { MaybeAsync } from '../../lib/maybe-async.ts';
import type { BodyFault, BodyResult } from '../openai/body-fault.ts';
import type { AudioFormat } from '../openai/chat-audio.ts';
import type { Choice } from '../openai/chat-choices.ts';
import type { ChatExtra } from '../openai/chat-extras.ts';
import type { ChatRequest, InputSize } from '../openai/chat-request.ts';
import type { JsonObject } from '../openai/json-edit.ts';
import type { ReportedUsage } from '../openai/usage.ts';
import type { UnknownField } from '../openai/unknown-fields.ts';
import type { Settled, UsageForm } from './usage-cost.ts';

// The port to the APIs by which callers request answers. The path of a request knows only this file; the form of
// bodies, events and refusals is up to the dialect. A route whose provider speaks the caller's dialect is sent the
// request unchanged, and its answer is passed on unchanged. Any other route is sent a chat request, and its answer is
// translated.

/** The APIs in which answers are requested, and paid for. */
export type CompletionEndpoint =
  | 'chat'
  | 'messages'
  | 'responses'
  | 'compact'
  | 'completions'
  | 'embeddings'
  | 'rerank'
  | 'moderations';

export interface Dialect {
  readonly endpoint: CompletionEndpoint;
  readonly path: string;
  /** As receipts, usage and the record of refusals name it. */
  readonly name: DialectName;
  /** The kind of the models that answer in it. */
  readonly modelKind: ModelKind;
  /** Reads a body: checks it as JSON, and the fields by which the gate goes. */
  read(body: Buffer, headers: DialectHeaders): BodyResult<CompletionRequest>;
  readonly replyForm: ReplyForm;
  /** The place of usage in its answers. */
  readonly usageForm: UsageForm;
  /** Names of chat's fields in this dialect, if different: refusals of translated requests use them. */
  readonly fieldNames: Readonly<Record<string, string>>;
  /** The fault of a request to a model without a provider that speaks the dialect; null if requests have a chat form. */
  readonly nativeOnly: BodyFault | null;
  /** How the input tokens of a request are counted; null if the API has no counting. */
  readonly counting: TokenCounting | null;
  /** A page of the items that a kept answer was made from; null if the API has no such list. */
  readonly listInput: ((inputs: readonly ListedInput[], query: URLSearchParams) => ListResult) | null;
  /** Converts a whole chat completion to the dialect, with its request's notes; null if that never takes a thread. */
  readonly answerFromChat: ((completion: Buffer, notes: string) => Buffer) | null;
  /** Converts answers of a provider of the dialect for review; null if none is by a schema. */
  readonly choiceReading: ChoiceReading | null;
}

/** Converts an answer in the dialect to chat's terms, so that chat's rules can review it. */
export interface ChoiceReading {
  /** The choice of a whole answer. */
  ofAnswer(answer: Buffer): Choice;
  /** That of a stream. */
  ofStream(): ChoiceGatherer;
}

export interface ChoiceGatherer {
  /** Reads the next event, which is one of an answer. */
  add(payload: Buffer): void;
  /** Each version that the stream has of its one choice: clients may use any of them. */
  choices(): readonly Choice[];
}

/** The items that one request has added to a conversation, and those of its answer if it was answered since. */
export interface ListedInput {
  readonly requestId: string;
  /** JSON values separated by commas, in pieces. */
  readonly pieces: readonly Buffer[];
}

/** A list in the form for its caller, or the fault of its query. */
export type ListResult =
  | { readonly ok: true; readonly body: Buffer }
  | { readonly ok: false; readonly fault: BodyFault };

/** References of a request to kept answers. */
export interface References {
  /** The response that it continues; null if there is none. */
  readonly previous: string | null;
  /** Items of earlier answers, and the fields that name them. */
  readonly items: readonly { readonly id: string; readonly param: string }[];
}

/** The items found for references. */
export interface FoundReferences {
  /** The items of the conversation until then, JSON with commas between its values, in pieces. */
  readonly chain: readonly Buffer[];
  /** Each item; empty if nothing of it can be sent again. */
  readonly items: ReadonlyMap<string, Buffer>;
}

/** The stored parts of a request and its answer. */
export interface ResponseEntry {
  readonly responseId: string;
  /** The request's own items, JSON with commas between its values, in pieces. */
  readonly input: readonly Buffer[];
  /** The answer's items in the same form, without those that no provider would accept back. */
  readonly output: Buffer;
  /** The position of each item of the answer in `output`; length zero if it isn't there. */
  readonly outputItems: readonly { readonly id: string; readonly start: number; readonly length: number }[];
  /** The whole answer. */
  readonly response: Buffer;
}

/** An answer in the form for its caller, and the stored parts; null if it has no id to find it by. */
export interface KeptAnswer {
  readonly answer: Buffer;
  /** The form of the answer if it could not be stored. */
  readonly unkept: () => Buffer;
  readonly entry: ResponseEntry | null;
}

/** A request whose input tokens are counted. */
export interface CountedRequest extends Pick<CompletionRequest, 'model' | 'unknown' | 'kept'> {
  readonly text: Pick<TextFacet, 'size'> | null;
  readonly native: CountedNative | null;
}

export interface TokenCounting {
  read(body: Buffer, headers: DialectHeaders): BodyResult<CountedRequest>;
  /** The answer's body. */
  answer(tokens: number): object;
}

/** Headers of a caller that belong to its dialect; undefined if it hasn't sent them. */
export interface DialectHeaders {
  readonly anthropicVersion?: string | undefined;
  readonly anthropicBeta?: string | undefined;
}

/** Headers, and refusals, of all answers in a dialect. Headers are names and values in turn. */
export interface ReplyForm {
  /** The headers that name the request. */
  idHeaders(requestId: string): readonly string[];
  refusalBody(refusal: Refusal, requestId: string): Buffer;
  /** The headers that say when to retry a refused request. */
  retryHeaders(refusal: Refusal): readonly string[];
}

/** The edits needed before a request can be sent to a provider of its dialect. */
export interface NativeEdit {
  readonly upstreamModel: string;
  /** The most output tokens; null if the request needs no other than its own. */
  readonly cap: number | null;
  /** Whether the model thinks before it answers. */
  readonly reasoning: boolean;
}

/** A request whose tokens a provider of its dialect is to count. */
export interface CountedNative {
  /** The part of the caller's body that is counted, in pieces. */
  countBody(upstreamModel: string): readonly Buffer[];
  /** The caller's headers for the provider. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The extensions of chat that an upstream understands, beyond what OpenAI defines: of content blocks that may be cached
 * and of signed thoughts, as Anthropic has them, of Gemini's signatures, or of `reasoning_content` in the model's messages.
 */
export type ChatExtensions = 'anthropic' | 'gemini' | 'reasoning' | 'none';

/** The properties of an upstream and model that a chat request depends on. */
export interface ChatTarget {
  readonly extensions: ChatExtensions;
  /** Whether the model thinks before it answers. */
  readonly reasoning: boolean;
}

/**
 * A request for an answer: the members that all requests have, and its facets. A missing facet is null, so that the
 * path checks for a facet and never for a dialect. Dialects create it as a literal with all members in this order, so
 * that all requests have one shape.
 */
export interface CompletionRequest {
  readonly dialect: Dialect;
  readonly body: Buffer;
  readonly model: string;
  readonly input: RequestInput;
  /** Fields unknown to the gateway: only a provider that is configured to accept them is sent the request. */
  readonly unknown: readonly UnknownField[];
  /** Parts removed from the body before it is sent anywhere, by the caller's names. */
  readonly leftOut: readonly string[];
  /** Its answer is text that a model writes. */
  readonly text: TextFacet | null;
  /** It has a chat form, for providers of other dialects. */
  readonly chat: ChatFacet | null;
  /** It names tools that its provider would run. */
  readonly tools: ToolsFacet | null;
  /** Its answer may be kept, or it refers to answers that are. */
  readonly kept: KeptFacet | null;
  /** It can be sent unchanged to a provider of its dialect; null for chat, which upstreams edit themselves. */
  readonly native: NativeFacet | null;
  /** It requests an answer in audio, in this format. */
  readonly audio: AudioFormat | null;
  /** The service tier that it names. */
  readonly tier: RequestedTier;
  /** The models that may answer if the requested one can't, in order; null if it names none. */
  readonly models: readonly string[] | null;
}

/** The size of a request's input. */
export interface RequestInput {
  /** Bytes of its text, for an estimate of its tokens if no provider counts them. */
  readonly bytes: number;
  /** The most requests that a provider may bill it as, each for the fee of a request; 1 in most APIs. */
  readonly requestsMax: number;
  /** The most tokens that it may be counted as. */
  tokensMax(terms: ModelTerms): number;
}

/** A request for text. */
export interface TextFacet {
  readonly stream: boolean;
  readonly choices: number;
  /** The caller's maximum of output tokens per choice; null if it sets none. */
  readonly maxTokens: number | null;
  /** Whether the available money may lower `maxTokens`, as it does if no maximum is set. */
  readonly isCeiling: boolean;
  /** Whether nothing in the request can bound its output: as much as the model can write is held. */
  readonly isUncapped: boolean;
  /** Output tokens that one choice may be billed for in addition to its cap. */
  readonly outputBeside: number;
  readonly size: InputSize;
  /** The positions of the body's members. */
  readonly layout: JsonObject;
  /** The position of the JSON schema for the answer in the body; null if the caller gave none. */
  readonly schemaSpan: SchemaSpan | null;
  /**
   * The caller's side of its stream, for events of a provider of the dialect. `inputEstimate`: its input tokens, for
   * an API that reports them before a provider has counted any; absent if nothing is written.
   */
  openStream(requestId: string, inputEstimate?: number): AnswerStream;
}

/** A request with a chat form, whose answer can be translated from chat. */
export interface ChatFacet {
  /** Fields that request more than text, which not every provider supports. */
  readonly extras: readonly ChatExtra[];
  /** The chat form of the request, or the fault if there is none. The result is cached. */
  toChat(target: ChatTarget): ChatForm;
  /** A whole chat completion as an answer in the dialect. */
  fromChat(completion: Buffer, requestId: string): Buffer;
  /** For a thread that translates a large request or answer; null for chat, which is never translated. */
  readonly notes: TranslationNotes | null;
}

/** Facts, as text, that a translation in another thread needs in addition to the body. */
export interface TranslationNotes {
  /** What the translation of the answer needs to know of the chat form. */
  write(): string;
  /** Reads what the thread that made the chat form has written about it. */
  read(text: string): void;
  /** What the translation of a whole answer depends on. */
  ofAnswer(requestId: string): string;
}

/** A request that names tools which its provider would run. */
export interface ToolsFacet {
  /** Bounds the uses of the offered tools; null if none is offered. */
  readonly bound: UsesBound | null;
  /** Uses of each answer, in APIs whose answers don't report them. */
  readonly usesOfAnswer: ToolUses | null;
  /**
   * The same request with only the tools that its model is sold with; until this call, all of them are left out.
   * Returns the fault of a request that depends on another tool.
   */
  sell(sold: SoldTools): BodyResult<CompletionRequest>;
  /** Their uses in a whole answer in the dialect. */
  usesIn(answer: Buffer): ToolUses;
}

/** A request that refers to kept answers, or whose own answer may be kept. */
export interface KeptFacet {
  /** Whether the caller allows its answer to be kept. */
  readonly mayBeKept: boolean;
  readonly references: References | null;
  /**
   * The request to run: with its references replaced, and an answer that says whether it is kept. Null: it has no
   * references.
   */
  resolve(found: FoundReferences | null, isKept: boolean): BodyResult<CompletionRequest>;
  /** The stored parts of a whole answer; called only if the answer is kept. */
  answerOf(answer: Buffer): KeptAnswer;
}

/** A request for a provider that speaks its dialect. */
export interface NativeFacet extends CountedNative {
  readonly stream: boolean;
  /** The caller's body with these edits, in pieces. */
  body(edit: NativeEdit): readonly Buffer[];
  /** Unknown betas of the caller's headers, which are left out unless a provider is configured to accept them. */
  readonly unknownBetas: readonly string[];
  /** Edits a whole answer that isn't kept, for its caller; null if the provider's form is right. */
  readonly editAnswer: ((answer: Buffer) => MaybeAsync<Buffer>) | null;
}

export interface SchemaSpan {
  /** The field that holds the schema, as refusals name it. */
  readonly param: string;
  readonly schemaStart: number;
  readonly schemaEnd: number;
}

/** A chat request, and the left-out parts of the caller's by the caller's names; or why there is none. */
export type ChatForm =
  | {
      readonly ok: true;
      readonly chat: ChatRequest;
      readonly leftOut: readonly string[];
    }
  | { readonly ok: false; readonly fault: BodyFault };

/** What the request path needs to know of one event of a stream. */
export interface EventFacts {
  /** Whether the payload is an event of an answer. If not, the other members are meaningless. */
  readonly valid: boolean;
  readonly error: object | null;
  readonly usage: ReportedUsage | null;
  /** The index of the event's choice, if the event has usage and exactly one choice; else null. */
  readonly usageChoice: number | null;
  /** Whether the usage is that of a single choice. */
  readonly isUsageInChoice: boolean;
  readonly choices: 'none' | 'some';
  /** Indices of the choices that end with this event. */
  readonly finishedChoices: readonly number[];
  readonly hasContent: boolean;
  /** UTF-8 bytes of the model's text. */
  readonly contentBytes: number;
  /** Base64 bytes of its audio. */
  readonly audioBytes: number;
  /** Nothing that matters follows: usage has been reported and every choice has ended. */
  readonly isLast: boolean;
}

/**
 * One stream, from the provider's events to the caller's text. Text is what goes over the wire, framed, each byte a
 * character of latin1.
 */
export interface AnswerStream {
  /** Reads the next event. */
  inspect(payload: Buffer): EventFacts;
  /** Uses of the provider's tools in all events until now. */
  readonly uses: ToolUses;
  /** The text for the event that was inspected last; empty if none of it is for the caller. */
  write(payload: Buffer): string;
  /** The text that keeps a silent connection open. */
  ping(): string;
  /** Keeps the event last inspected for `end`, instead of `write`: it is sent after settlement. */
  withhold(payload: Buffer): void;
  /** The end of a whole answer: all withheld events, with the charge. May be called more than once. */
  end(settled: Settled): string;
  /** The end of an answer that breaks off. */
  broken(refusal: Refusal): string;
  /** For kept answers; null if none is kept. */
  readonly kept: KeptStream | null;
  /** The same stream, for events that are chunks of a chat completion. Called before the first event. */
  fromChat(): AnswerStream;
}

export interface KeptStream {
  /** The whole answer, once it is complete; called only if it is kept. */
  whole(): Buffer | null;
  /** From now on, the stream's end says that the answer isn't kept. */
  unkept(): void;
}
