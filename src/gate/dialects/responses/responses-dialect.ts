import type { SoldTools } from '../../../domain/model.ts';
import type { ToolUses, UsesBound } from '../../../domain/uses.ts';
import { assert } from '../../../lib/assert.ts';
import type { BodyResult } from '../../openai/body-fault.ts';
import { readChatRequest, type InputSize } from '../../openai/chat-request.ts';
import type { JsonObject } from '../../openai/json-object.ts';
import { parseExactly } from '../../openai/exact-json.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import type { UnknownField } from '../../openai/unknown-fields.ts';
import type {
  AnswerStream,
  ChatForm,
  ChatTarget,
  CompletionRequest,
  Dialect,
  FoundReferences,
  KeptAnswer,
  NativeRequest,
  RequestState,
  SchemaSpan,
} from '../dialect.ts';
import { RESPONSES_USAGE } from '../usage-cost.ts';
import { expandedBody, ownItems, referencesOf } from './expanded-request.ts';
import type { CarriedTool } from './carried-tools.ts';
import { responseOf, type ResponseContext } from './from-chat.ts';
import { leftOutReasoning } from './foreign-reasoning.ts';
import { faultOfSale, hasHostedTools, saleOf } from './hosted-tools.ts';
import { listInputItems } from './input-items.ts';
import { countedBody, nativeBody } from './native-body.ts';
import { RESPONSE_CHOICE } from './response-choice.ts';
import { echoIn, readKeptAnswer, type Echo } from './response-entry.ts';
import { settingsOf } from './response-object.ts';
import { RESPONSES_REPLY_FORM } from './responses-reply-form.ts';
import { readResponsesRequest, type ResponsesRequest } from './responses-request.ts';
import { NativeResponseStream } from './responses-stream.ts';
import { type CarriedNotes, carryToChat } from './to-chat.ts';
import { usesInResponse } from './tool-uses.ts';

// OpenAI's Responses.

const SCHEMA_PARAM = 'text.format.schema';

export const RESPONSES_DIALECT: Dialect = {
  endpoint: 'responses',
  replyForm: RESPONSES_REPLY_FORM,
  usageForm: RESPONSES_USAGE,
  fieldNames: {
    messages: 'input',
    logprobs: 'top_logprobs',
    max_tokens: 'max_output_tokens',
    max_completion_tokens: 'max_output_tokens',
    reasoning_effort: 'reasoning.effort',
    response_format: 'text.format',
    verbosity: 'text.verbosity',
  },
  counting: { read, answer: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }) },
  listInput: listInputItems,
  answerFromChat: (completion, notes) => answerOf(completion, readContext(notes)),
  isTranslatedApart: true,
  choiceReading: RESPONSE_CHOICE,
  read,
};

function read(body: Buffer): BodyResult<CompletionRequest> {
  const result = readResponsesRequest(body);
  return result.ok ? { ok: true, request: new ResponsesCompletion(result.request) } : result;
}

/** What a request that runs has kept, and goes on from. */
interface Kept {
  readonly echo: Omit<Echo, 'isWished'>;
  /** Its own items; null unless its answer is kept. */
  readonly input: readonly Buffer[] | null;
}

const KEPT_NOTHING: Kept = { echo: { isKept: false, previous: null }, input: null };

/** What is known of a request that isn't translated. */
const NO_NOTES: CarriedNotes = { tools: new Map(), settings: settingsOf({}) };

class ResponsesCompletion implements CompletionRequest {
  readonly dialect = RESPONSES_DIALECT;
  readonly body: Buffer;
  readonly model: string;
  readonly stream: boolean;
  readonly choices = 1;
  readonly maxTokens: number | null;
  readonly isCeiling = false;
  readonly size: InputSize;
  readonly unknown: readonly UnknownField[];
  readonly schemaSpan: SchemaSpan | null;
  readonly leftOut: readonly string[];
  readonly usesBound: UsesBound | null;
  readonly native: NativeRequest;
  readonly state: RequestState;
  readonly editAnswer?: (answer: Buffer) => Buffer;
  readonly #kept: Kept;
  readonly #echo: Echo;
  readonly #createdAt = seconds();
  readonly #forms = new Map<ChatTarget['extensions'], ChatForm>();
  readonly #request: ResponsesRequest;
  #notes: CarriedNotes | null = null;

  /** `sold`: the tools that its model is sold with; none as long as that isn't known. */
  constructor(request: ResponsesRequest, kept: Kept = KEPT_NOTHING, sold: SoldTools = {}) {
    const { body, model, stream, maxTokens, size, schema } = request;
    const sale = saleOf(request, sold);
    this.#request = request;
    this.body = body;
    this.model = model;
    this.stream = stream;
    this.maxTokens = maxTokens;
    this.size = size;
    this.unknown = request.unknown;
    this.schemaSpan = schema === null ? null : { param: SCHEMA_PARAM, ...schema };
    this.leftOut = [...sale.leftOut, ...leftOutReasoning(request)];
    this.usesBound = sale.bound;
    this.native = {
      body: (edit) => nativeBody(request, edit, { isKept: kept.echo.isKept, sale }),
      countBody: (upstreamModel) => countedBody(request, upstreamModel, sale),
      headers: {},
      stream,
    };
    this.#kept = kept;
    const echo = { ...kept.echo, isWished: request.mayBeKept };
    this.#echo = echo;
    if (!echo.isKept && (echo.isWished || echo.previous !== null)) this.editAnswer = (answer) => echoIn(answer, echo);
    this.state = {
      mayBeKept: request.mayBeKept,
      references: referencesOf(request),
      resolve: (found, isKept) => resolve(request, found, isKept),
    };
  }

  get hasHostedTools(): boolean {
    return hasHostedTools(this.#request);
  }

  withTools(sold: SoldTools): BodyResult<CompletionRequest> {
    const fault = faultOfSale(this.#request, sold);
    if (fault !== null) return { ok: false, fault };
    return { ok: true, request: new ResponsesCompletion(this.#request, this.#kept, sold) };
  }

  usesIn(answer: Buffer): ToolUses {
    return usesInResponse(answer);
  }

  keptAnswer(answer: Buffer): KeptAnswer {
    const { input } = this.#kept;
    assert(input !== null, 'what is kept of a request is known if its answer is kept');
    return readKeptAnswer(answer, input, this.#echo);
  }

  toChat({ extensions }: ChatTarget): ChatForm {
    let form = this.#forms.get(extensions);
    if (form === undefined) {
      form = this.#makeForm(extensions);
      this.#forms.set(extensions, form);
    }
    return form;
  }

  #makeForm(extensions: ChatTarget['extensions']): ChatForm {
    try {
      const { body, leftOut, notes } = carryToChat(this.body, extensions);
      const reading = readChatRequest(body);
      if (!reading.ok) return reading;
      // They are the same for all targets.
      this.#notes = notes;
      return { ok: true, chat: reading.request, leftOut };
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      return { ok: false, fault: { message: error.message, param: error.param } };
    }
  }

  /** Whole numbers of any size stay what they are in a text; no other form of theirs can be passed on. */
  writeNotes(): string {
    const { tools, settings } = this.#notes ?? NO_NOTES;
    return JSON.stringify({ tools: [...tools], settings });
  }

  readNotes(text: string): void {
    const { tools, settings } = parseExactly(text) as {
      readonly tools: readonly (readonly [string, CarriedTool])[];
      readonly settings: JsonObject;
    };
    this.#notes = { tools: new Map(tools), settings };
  }

  fromChat(completion: Buffer, requestId: string): Buffer {
    return answerOf(completion, this.#contextOf(requestId));
  }

  answerNotes(requestId: string): string {
    const context = this.#contextOf(requestId);
    return JSON.stringify({ ...context, tools: [...context.tools] });
  }

  openStream(requestId: string): AnswerStream {
    const hasTools = this.usesBound !== null;
    return new NativeResponseStream(() => this.#contextOf(requestId), this.model, this.#echo, hasTools);
  }

  #contextOf(requestId: string): ResponseContext {
    const notes = this.#notes ?? NO_NOTES;
    return {
      key: requestId.replaceAll(/[^0-9a-zA-Z]/g, ''),
      createdAt: this.#createdAt,
      // Only what is translated repeats them: a body that passes as it is isn't parsed for the event that breaks it off.
      settings: { ...notes.settings, ...settingsOfEcho(this.#echo) },
      tools: notes.tools,
    };
  }
}

/** The request with what it refers to in its place. */
function resolve(
  request: ResponsesRequest,
  found: FoundReferences | null,
  isKept: boolean,
): BodyResult<CompletionRequest> {
  const own = ownItems(request, found?.items ?? null);
  const kept = { echo: { isKept, previous: request.previous }, input: isKept ? own : null };
  if (found === null) return { ok: true, request: new ResponsesCompletion(request, kept) };
  const result = readResponsesRequest(expandedBody(request, found.chain, own), { before: request });
  return result.ok ? { ok: true, request: new ResponsesCompletion(result.request, kept) } : result;
}

function settingsOfEcho({ isKept, previous }: Echo): JsonObject {
  return { store: isKept, previous_response_id: previous };
}

function seconds(): number {
  return Math.floor(Date.now() / 1_000);
}

function answerOf(completion: Buffer, context: ResponseContext): Buffer {
  const response = responseOf(completion, context, seconds());
  assert(response !== null, 'an answer of chat that has been read has a choice');
  return response;
}

function readContext(notes: string): ResponseContext {
  const { tools, ...context } = parseExactly(notes) as Omit<ResponseContext, 'tools'> & {
    readonly tools: readonly (readonly [string, CarriedTool])[];
  };
  return { ...context, tools: new Map(tools) };
}
