import type { ModelKind, ModelTerms, SoldTools } from '../../domain/model.ts';
import type { Dialect as DialectName } from '../../domain/receipt.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { ToolUses, UsesBound } from '../../domain/uses.ts';
import type { MaybeAsync } from '../../lib/maybe-async.ts';
import type { BodyFault, BodyResult } from '../openai/body-fault.ts';
import type { AudioFormat } from '../openai/chat-audio.ts';
import type { Choice } from '../openai/chat-choices.ts';
import type { ChatExtra } from '../openai/chat-extras.ts';
import type { ChatRequest, InputSize } from '../openai/chat-request.ts';
import type { ReportedUsage } from '../openai/usage.ts';
import type { UnknownField } from '../openai/unknown-fields.ts';
import type { Settled, UsageForm } from './usage-cost.ts';

// The port to the APIs by which callers request answers. The path of a request knows this file alone: what a body, an
// event or a refusal looks like is a dialect's matter. A route whose provider speaks the caller's dialect gets the
// request, and its answer the caller, as they are; every other route is sent a chat request, and its answer is
// translated.

/** The APIs in which answers are requested, and paid for. */
export type CompletionEndpoint = 'chat' | 'messages' | 'responses' | 'compact' | 'completions' | 'embeddings';

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
  /** Where its answers have their usage. */
  readonly usageForm: UsageForm;
  /** What chat's fields are called here, if otherwise: refusals of translated requests name these. */
  readonly fieldNames: Readonly<Record<string, string>>;
  /** The fault of a request to a model without a provider that speaks the dialect; null if requests have a chat form. */
  readonly nativeOnly: BodyFault | null;
  /** How the input tokens of a request are counted; null where the API has no such thing. */
  readonly counting: TokenCounting | null;
  /** A page of what a kept answer was made from; null where the API has no such thing. */
  readonly listInput: ((inputs: readonly ListedInput[], query: URLSearchParams) => ListResult) | null;
  /** A whole chat completion as an answer in the dialect, by the notes of its request; null if none is translated apart. */
  readonly answerFromChat: ((completion: Buffer, notes: string) => Buffer) | null;
  /** How answers of a provider that speaks the dialect are reviewed; null where none is by a schema. */
  readonly choiceReading: ChoiceReading | null;
}

/** Reads what an answer that passes as it is says, in chat's terms, so that it is reviewed by the rules of chat. */
export interface ChoiceReading {
  /** The choice of a whole answer. */
  ofAnswer(answer: Buffer): Choice;
  /** That of a stream. */
  ofStream(): ChoiceGatherer;
}

export interface ChoiceGatherer {
  /** Reads the next event, which is one of an answer. */
  add(payload: Buffer): void;
  /** The one choice, as often as the stream says it differently: clients go by any of its accounts. */
  choices(): readonly Choice[];
}

/** The items that one request has brought into a conversation, and those of its answer if it was answered since. */
export interface ListedInput {
  readonly requestId: string;
  /** JSON with commas between its values, in pieces. */
  readonly pieces: readonly Buffer[];
}

/** A list as its caller is sent it, or what is wrong with its query. */
export type ListResult =
  | { readonly ok: true; readonly body: Buffer }
  | { readonly ok: false; readonly fault: BodyFault };

/** What a request refers to by ids that are kept here. */
export interface References {
  /** The response that it goes on from; null if there is none. */
  readonly previous: string | null;
  /** Items of earlier answers, and the fields that name them. */
  readonly items: readonly { readonly id: string; readonly param: string }[];
}

/** What was found of it. */
export interface FoundReferences {
  /** The items of the conversation until then, JSON with commas between its values, in pieces. */
  readonly chain: readonly Buffer[];
  /** Each item; empty if nothing of it can be sent again. */
  readonly items: ReadonlyMap<string, Buffer>;
}

/** What is kept of a request and its answer. */
export interface ResponseEntry {
  readonly responseId: string;
  /** The request's own items, JSON with commas between its values, in pieces. */
  readonly input: readonly Buffer[];
  /** The answer's items likewise, without those that no provider would take back. */
  readonly output: Buffer;
  /** Where each item of the answer stands in `output`; a length of zero: it doesn't. */
  readonly outputItems: readonly { readonly id: string; readonly start: number; readonly length: number }[];
  /** The whole answer. */
  readonly response: Buffer;
}

/** An answer as its caller is sent it, and what is kept of it; null if it has no id to be found by. */
export interface KeptAnswer {
  readonly answer: Buffer;
  /** The answer as its caller is sent it if it could not be kept. */
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

/** Headers of a caller that belong to its dialect; undefined where it hasn't sent them. */
export interface DialectHeaders {
  readonly anthropicVersion?: string | undefined;
  readonly anthropicBeta?: string | undefined;
}

/** Headers, and refusals, of all answers in a dialect. Headers are names and values in turn. */
export interface ReplyForm {
  /** The headers that name the request. */
  idHeaders(requestId: string): readonly string[];
  refusalBody(refusal: Refusal, requestId: string): Buffer;
  /** When to send a refused request again. */
  retryHeaders(refusal: Refusal): readonly string[];
}

/** The edits without which a request can't be sent to a provider as it is. */
export interface NativeEdit {
  readonly upstreamModel: string;
  /** The most output tokens; null if the request needs no other than its own. */
  readonly cap: number | null;
  /** Whether the model thinks before it answers. */
  readonly reasoning: boolean;
}

/** A request for a provider that speaks its dialect, of which tokens are counted. */
export interface CountedNative {
  /** What of the caller's body is counted, in pieces. */
  countBody(upstreamModel: string): readonly Buffer[];
  /** What the caller's headers say to the provider. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The extensions of chat that an upstream understands, beyond what OpenAI defines: of content blocks that may be cached
 * and of signed thoughts, as Anthropic has them, of Gemini's signatures, or of `reasoning_content` in the model's messages.
 */
export type ChatExtensions = 'anthropic' | 'gemini' | 'reasoning' | 'none';

/** What a chat request for a certain upstream depends on. */
export interface ChatTarget {
  readonly extensions: ChatExtensions;
  /** Whether the model thinks before it answers. */
  readonly reasoning: boolean;
}

/**
 * A request for an answer: what all have in common, and its facets. A facet that it doesn't have is null, so that the path
 * asks for a facet and never for a dialect. Dialects make it as a literal with all members in this order: then all
 * requests have one shape.
 */
export interface CompletionRequest {
  readonly dialect: Dialect;
  readonly body: Buffer;
  readonly model: string;
  readonly input: RequestInput;
  /** Fields without a verdict: only a provider that is configured to accept them is sent the request. */
  readonly unknown: readonly UnknownField[];
  /** What is taken out of the body before it is sent anywhere, by the caller's names. */
  readonly leftOut: readonly string[];
  /** Its answer is text that a model writes. */
  readonly text: TextFacet | null;
  /** It has a chat form, for providers that don't speak its dialect. */
  readonly chat: ChatFacet | null;
  /** It names tools that its provider would run. */
  readonly tools: ToolsFacet | null;
  /** Its answer may be kept, or it refers to answers that are. */
  readonly kept: KeptFacet | null;
  /** It can be sent as it is to a provider that speaks its dialect; null of chat, whose requests upstreams edit themselves. */
  readonly native: NativeFacet | null;
  /** It asks for an answer in audio, in this form. */
  readonly audio: AudioFormat | null;
}

/** How much input a request has. */
export interface RequestInput {
  /** Bytes of its text, by which its tokens are estimated if nobody counts them. */
  readonly bytes: number;
  /** The most tokens that it can count for. */
  tokensMax(terms: ModelTerms): number;
}

/** A request for text. */
export interface TextFacet {
  readonly stream: boolean;
  readonly choices: number;
  /** The most output tokens of one choice that the caller named; null if it named none. */
  readonly maxTokens: number | null;
  /** Whether the money may lower `maxTokens`, as it does where none is named. */
  readonly isCeiling: boolean;
  /** Whether nothing in the request can bound its output: as much as the model can write is held. */
  readonly isUncapped: boolean;
  /** Output tokens that one choice may be billed for beside its cap. */
  readonly outputBeside: number;
  readonly size: InputSize;
  /** Where the JSON schema stands in the body to which the answer is to conform; null if the caller gave none. */
  readonly schemaSpan: SchemaSpan | null;
  /**
   * The caller's side of its stream, for events as a provider that speaks the dialect sends them. `inputEstimate`: its input
   * tokens, for an API that names them before a provider has counted any; left out where nothing is written.
   */
  openStream(requestId: string, inputEstimate?: number): AnswerStream;
}

/** A request that can be said in chat, and whose answer can be translated from chat. */
export interface ChatFacet {
  /** Fields that ask for more than text, which not every provider reads. */
  readonly extras: readonly ChatExtra[];
  /** The same as a chat request, or the part of it that no chat request can say. The result is kept for further calls. */
  toChat(target: ChatTarget): ChatForm;
  /** A whole chat completion as an answer in the dialect. */
  fromChat(completion: Buffer, requestId: string): Buffer;
  /** For a thread that translates a large request or answer; null of chat, whose own are never translated. */
  readonly notes: TranslationNotes | null;
}

/** What translations in another thread, by the body alone, must know besides, as texts. */
export interface TranslationNotes {
  /** What the translation of the answer must know of the chat form. */
  write(): string;
  /** Takes what a thread that has made the chat form has written of it. */
  read(text: string): void;
  /** What a whole answer depends on besides. */
  ofAnswer(requestId: string): string;
}

/** A request that names tools which its provider would run. */
export interface ToolsFacet {
  /** How often those that are on offer may be used; null if none is. */
  readonly bound: UsesBound | null;
  /** What each answer uses by itself, in APIs whose answers don't say. */
  readonly usesOfAnswer: ToolUses | null;
  /**
   * The same request with the tools that its model is sold with, until when all of them are left out; the fault of a
   * request that depends on another.
   */
  sell(sold: SoldTools): BodyResult<CompletionRequest>;
  /** Their uses in a whole answer in the dialect. */
  usesIn(answer: Buffer): ToolUses;
}

/** A request that has to do with answers that are kept here. */
export interface KeptFacet {
  /** Whether the caller lets its answer be kept. */
  readonly mayBeKept: boolean;
  readonly references: References | null;
  /**
   * The request as it runs: with what it refers to in its place, and an answer that says whether it is kept. Null: it
   * refers to nothing.
   */
  resolve(found: FoundReferences | null, isKept: boolean): BodyResult<CompletionRequest>;
  /** What is to be kept of a whole answer; asked for only if the answer is kept. */
  answerOf(answer: Buffer): KeptAnswer;
}

/** A request for a provider that speaks its dialect. */
export interface NativeFacet extends CountedNative {
  readonly stream: boolean;
  /** The caller's body with these edits, in pieces. */
  body(edit: NativeEdit): readonly Buffer[];
  /** Betas of the caller's headers without a verdict, which are left out unless a provider is configured to accept them. */
  readonly unknownBetas: readonly string[];
  /** A whole answer that isn't kept, as its caller is sent it; null if that is as its provider wrote it. */
  readonly editAnswer: ((answer: Buffer) => MaybeAsync<Buffer>) | null;
}

export interface SchemaSpan {
  /** The field that holds the schema, as refusals name it. */
  readonly param: string;
  readonly schemaStart: number;
  readonly schemaEnd: number;
}

/** A chat request and what of the caller's it leaves out, by the caller's names; or why there is none. */
export type ChatForm =
  | {
      readonly ok: true;
      readonly chat: ChatRequest;
      readonly leftOut: readonly string[];
    }
  | { readonly ok: false; readonly fault: BodyFault };

/** What the path needs to know of one event of a stream. */
export interface EventFacts {
  /** Whether the payload is an event of an answer. The rest says nothing if it isn't. */
  readonly valid: boolean;
  readonly error: object | null;
  readonly usage: ReportedUsage | null;
  /** The index of the event's choice, if it comes with usage and has just one; else null. */
  readonly usageChoice: number | null;
  /** Whether the usage is that of a single choice. */
  readonly isUsageInChoice: boolean;
  readonly choices: 'none' | 'some';
  /** Indices of the choices that end here. */
  readonly finishedChoices: readonly number[];
  readonly hasContent: boolean;
  /** Bytes of UTF-8 that the model wrote. */
  readonly contentBytes: number;
  /** Bytes of base64 of what it spoke. */
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
  /** Takes the event that was inspected last for `end`, in the place of `write`: it is not sent before the charge is known. */
  withhold(payload: Buffer): void;
  /** The end of a whole answer: all events that were withheld, with the charge. May be asked for more than once. */
  end(settled: Settled): string;
  /** The end of an answer that breaks off. */
  broken(refusal: Refusal): string;
  /** For answers that are kept; null where none is. */
  readonly kept: KeptStream | null;
  /** The same stream for events that are chunks of a chat completion, to be called before the first. */
  fromChat(): AnswerStream;
}

export interface KeptStream {
  /** The answer as a whole, once it is; asked for only if it is kept. */
  whole(): Buffer | null;
  /** From then on its end says that the answer isn't kept. */
  unkept(): void;
}
