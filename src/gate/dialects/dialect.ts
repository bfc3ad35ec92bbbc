import type { SoldTools } from '../../domain/model.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { ToolUses, UsesBound } from '../../domain/uses.ts';
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

/** The APIs that are answered by models of chat. */
export type CompletionEndpoint = 'chat' | 'messages' | 'responses' | 'compact' | 'completions';

export interface Dialect {
  readonly endpoint: CompletionEndpoint;
  /** Reads a body: checks it as JSON, and the fields by which the gate goes. */
  read(body: Buffer, headers: DialectHeaders): BodyResult<CompletionRequest>;
  readonly replyForm: ReplyForm;
  /** Where its answers have their usage. */
  readonly usageForm: UsageForm;
  /** Whether its requests have no chat form: a model without a provider that speaks the dialect isn't there for it. */
  readonly isNativeOnly?: true;
  /** What chat's fields are called here, if otherwise: refusals of translated requests name these. */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /** How the input tokens of a request are counted; absent where the API has no such thing. */
  readonly counting?: TokenCounting;
  /** A page of what a kept answer was made from; absent where the API has no such thing. */
  readonly listInput?: (inputs: readonly ListedInput[], query: URLSearchParams) => ListResult;
  /** A whole chat completion as an answer in the dialect, by the notes of its request. */
  answerFromChat?(completion: Buffer, notes: string): Buffer;
  /** Whether a request's chat form depends on its body alone, so that a thread can translate a large one. */
  readonly isTranslatedApart?: true;
  /** How answers of a provider that speaks the dialect are reviewed; absent where none is by a schema. */
  readonly choiceReading?: ChoiceReading;
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

/** What a request has to do with answers that are kept here. */
export interface RequestState {
  /** Whether the caller lets its answer be kept. */
  readonly mayBeKept: boolean;
  readonly references: References | null;
  /**
   * The request as it runs: with what it refers to in its place, and an answer that says whether it is kept. Null: it
   * refers to nothing.
   */
  resolve(found: FoundReferences | null, isKept: boolean): BodyResult<CompletionRequest>;
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
export interface CountedRequest extends Pick<CompletionRequest, 'model' | 'size' | 'state' | 'unknown'> {
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

/** The same for an answer. */
export interface NativeRequest extends CountedNative {
  /** The caller's body with these edits, in pieces. */
  body(edit: NativeEdit): readonly Buffer[];
  readonly stream: boolean;
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

/** What the path needs to know of a request for an answer. */
export interface CompletionRequest {
  readonly dialect: Dialect;
  readonly body: Buffer;
  readonly model: string;
  readonly stream: boolean;
  readonly choices: number;
  /** The most output tokens of one choice that the caller named; null if it named none. */
  readonly maxTokens: number | null;
  /** Whether the money may lower `maxTokens`, as it does where none is named. */
  readonly isCeiling: boolean;
  /** Whether nothing in the request can bound its output: as much as the model can write is held. Absent if a cap can. */
  readonly isUncapped?: true;
  readonly size: InputSize;
  /** Fields without a verdict: only a provider that is configured to accept them is sent the request. */
  readonly unknown: readonly UnknownField[];
  /** Betas of the caller's headers without a verdict, which are left out likewise; absent from dialects without betas. */
  readonly unknownBetas?: readonly string[];
  /** Where the JSON schema stands in the body to which the answer is to conform; null if the caller gave none. */
  readonly schemaSpan: SchemaSpan | null;
  /** What is taken out of the body before it is sent anywhere, by the caller's names. */
  readonly leftOut: readonly string[];
  /** How often the provider's tools that are on offer may be used; null if none is. */
  readonly usesBound: UsesBound | null;
  /** Whether it names tools that its provider would run, of which `withTools` says what becomes. */
  readonly hasHostedTools: boolean;
  /**
   * The same request with the tools that its model is sold with, until when all that a provider would run are left out;
   * the fault of a request that depends on another. Absent from dialects without such tools.
   */
  withTools?(sold: SoldTools): BodyResult<CompletionRequest>;
  /** Output tokens that one choice may be billed for beside its cap; absent if there are none. */
  readonly outputBeside?: number;
  /** What each answer uses by itself of the provider's tools, where no answer says; absent if it is nothing. */
  readonly usesOfAnswer?: ToolUses;
  /** Fields that ask for more than text, which not every provider reads; absent from dialects without such fields. */
  readonly extras?: readonly ChatExtra[];
  /** In what it is to be answered in audio; null if it asks for text alone, absent from dialects that can't ask for more. */
  readonly audioFormat?: AudioFormat | null;
  /** Uses of the provider's tools in a whole answer in the dialect; absent likewise. */
  usesIn?(answer: Buffer): ToolUses;
  /** The request for a provider that speaks the dialect; null of chat, whose requests upstreams edit themselves. */
  readonly native: NativeRequest | null;
  /** What it has to do with answers that are kept; absent from dialects that keep none. */
  readonly state?: RequestState;
  /**
   * A whole answer in the dialect that isn't kept, as its caller is sent it; absent if that is as its provider wrote it.
   */
  readonly editAnswer?: (answer: Buffer) => Buffer;
  /** What is to be kept of a whole answer; asked for only if the answer is kept. */
  keptAnswer?(answer: Buffer): KeptAnswer;
  /** The same as a chat request, or the part of it that no chat request can say. The result is kept for further calls. */
  toChat(target: ChatTarget): ChatForm;
  /** What the translation of the answer must know of the chat form, as a text for another thread; absent if nothing. */
  writeNotes?(): string;
  /** Takes what a thread that has made the chat form has written of it. */
  readNotes?(text: string): void;
  /** A whole chat completion as an answer in the dialect. */
  fromChat(completion: Buffer, requestId: string): Buffer;
  /** What that depends on besides, as a text for another thread; absent from dialects whose answers aren't translated. */
  answerNotes?(requestId: string): string;
  /**
   * The caller's side of its stream, for events as a provider that speaks the dialect sends them. `inputEstimate`: its input
   * tokens, for an API that names them before a provider has counted any; left out where nothing is written.
   */
  openStream(requestId: string, inputEstimate?: number): AnswerStream;
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
  /** Bytes of base64 of what it spoke; absent from dialects without audio. */
  readonly audioBytes?: number;
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
  /** Uses of the provider's tools in all events until now; absent where none can be. */
  readonly uses?: ToolUses;
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
  /** The answer as a whole, once it is; asked for only if it is kept. */
  whole?(): Buffer | null;
  /** From then on its end says that the answer isn't kept. */
  unkept?(): void;
  /** The same stream for events that are chunks of a chat completion, to be called before the first. */
  fromChat(): AnswerStream;
}
