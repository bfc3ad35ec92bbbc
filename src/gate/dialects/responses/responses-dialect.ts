import type { SoldTools } from '../../../domain/model.ts';
import { assert } from '../../../lib/assert.ts';
import type { BodyResult } from '../../openai/body-fault.ts';
import { readChatRequest } from '../../openai/chat-request.ts';
import type { JsonObject } from '../../openai/json-object.ts';
import { parseExactly } from '../../openai/exact-json.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import type {
  ChatFacet,
  ChatForm,
  ChatTarget,
  CompletionRequest,
  Dialect,
  FoundReferences,
  NativeFacet,
  TranslationNotes,
} from '../dialect.ts';
import { PromptInput } from '../request-input.ts';
import { RESPONSES_USAGE } from '../usage-cost.ts';
import { expandedBody, ownItems, referencesOf } from './expanded-request.ts';
import type { CarriedTool } from './carried-tools.ts';
import { responseOf, type ResponseContext } from './from-chat.ts';
import { leftOutReasoning } from './foreign-reasoning.ts';
import { faultOfSale, hasHostedTools, saleOf, type ToolSale } from './hosted-tools.ts';
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
  path: '/v1/responses',
  name: 'responses',
  modelKind: 'chat',
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
  nativeOnly: null,
  counting: { read, answer: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }) },
  listInput: listInputItems,
  answerFromChat: (completion, notes) => answerOf(completion, readContext(notes)),
  choiceReading: RESPONSE_CHOICE,
  read,
};

function read(body: Buffer): BodyResult<CompletionRequest> {
  const result = readResponsesRequest(body);
  return result.ok ? { ok: true, request: responsesCompletion(result.request, KEPT_NOTHING, {}) } : result;
}

/** What a running request has kept, and what it continues. */
interface Kept {
  readonly echo: Omit<Echo, 'isWished'>;
  /** Its own items; null unless its answer is kept. */
  readonly input: readonly Buffer[] | null;
}

const KEPT_NOTHING: Kept = { echo: { isKept: false, previous: null }, input: null };

/** The notes of a request that isn't translated. */
const NO_NOTES: CarriedNotes = { tools: new Map(), settings: settingsOf({}) };

const NO_EXTRAS: readonly never[] = Object.freeze([]);

/** `sold`: the tools that the model is sold with; none until they are known. */
function responsesCompletion(request: ResponsesRequest, kept: Kept, sold: SoldTools): CompletionRequest {
  const { body, model, stream, maxTokens, size, schema, layout, mayBeKept } = request;
  const sale = saleOf(request, sold);
  const echo = { ...kept.echo, isWished: mayBeKept };
  const chat = new ResponsesInChat(body, echo);
  return {
    dialect: RESPONSES_DIALECT,
    body,
    model,
    input: new PromptInput(size),
    unknown: request.unknown,
    leftOut: [...sale.leftOut, ...leftOutReasoning(request)],
    text: {
      stream,
      choices: 1,
      maxTokens,
      isCeiling: false,
      isUncapped: false,
      outputBeside: 0,
      size,
      layout,
      schemaSpan: schema === null ? null : { param: SCHEMA_PARAM, ...schema },
      openStream: (requestId) =>
        new NativeResponseStream(() => chat.contextOf(requestId), model, echo, sale.bound !== null),
    },
    chat,
    tools: hasHostedTools(request)
      ? {
          bound: sale.bound,
          usesOfAnswer: null,
          sell: (tools) => soldWith(request, kept, tools),
          usesIn: usesInResponse,
        }
      : null,
    kept: {
      mayBeKept,
      references: referencesOf(request),
      resolve: (found, isKept) => resolve(request, found, isKept),
      answerOf(answer) {
        assert(kept.input !== null, 'what is kept of a request is known if its answer is kept');
        return readKeptAnswer(answer, kept.input, echo);
      },
    },
    native: nativeFacet(request, sale, echo),
    audio: null,
    tier: request.tier,
    models: null,
  };
}

function soldWith(request: ResponsesRequest, kept: Kept, sold: SoldTools): BodyResult<CompletionRequest> {
  const fault = faultOfSale(request, sold);
  return fault === null ? { ok: true, request: responsesCompletion(request, kept, sold) } : { ok: false, fault };
}

function nativeFacet(request: ResponsesRequest, sale: ToolSale, echo: Echo): NativeFacet {
  const { isKept, isWished, previous } = echo;
  return {
    stream: request.stream,
    headers: {},
    unknownBetas: NO_EXTRAS,
    body: (edit) => nativeBody(request, edit, { isKept, sale }),
    countBody: (upstreamModel) => countedBody(request, upstreamModel, sale),
    editAnswer: !isKept && (isWished || previous !== null) ? (answer) => echoIn(answer, echo) : null,
  };
}

/** The chat form of a request, and the notes for its answer. */
class ResponsesInChat implements ChatFacet, TranslationNotes {
  readonly extras = NO_EXTRAS;
  readonly #body: Buffer;
  readonly #echo: Echo;
  readonly #createdAt = seconds();
  readonly #forms = new Map<ChatTarget['extensions'], ChatForm>();
  #notes: CarriedNotes | null = null;

  constructor(body: Buffer, echo: Echo) {
    this.#body = body;
    this.#echo = echo;
  }

  get notes(): TranslationNotes {
    return this;
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
      const { body, leftOut, notes } = carryToChat(this.#body, extensions);
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

  fromChat(completion: Buffer, requestId: string): Buffer {
    return answerOf(completion, this.contextOf(requestId));
  }

  /** Text keeps integers of any size; no other form of them could be passed on. */
  write(): string {
    const { tools, settings } = this.#notes ?? NO_NOTES;
    return JSON.stringify({ tools: [...tools], settings });
  }

  read(text: string): void {
    const { tools, settings } = parseExactly(text) as {
      readonly tools: readonly (readonly [string, CarriedTool])[];
      readonly settings: JsonObject;
    };
    this.#notes = { tools: new Map(tools), settings };
  }

  ofAnswer(requestId: string): string {
    const context = this.contextOf(requestId);
    return JSON.stringify({ ...context, tools: [...context.tools] });
  }

  contextOf(requestId: string): ResponseContext {
    const notes = this.#notes ?? NO_NOTES;
    return {
      key: requestId.replaceAll(/[^0-9a-zA-Z]/g, ''),
      createdAt: this.#createdAt,
      // Only translated answers repeat them: a body that passes unchanged isn't parsed to write a broken stream's end.
      settings: { ...notes.settings, ...settingsOfEcho(this.#echo) },
      tools: notes.tools,
    };
  }
}

/** The request with its references replaced. */
function resolve(
  request: ResponsesRequest,
  found: FoundReferences | null,
  isKept: boolean,
): BodyResult<CompletionRequest> {
  const own = ownItems(request, found?.items ?? null);
  const kept = { echo: { isKept, previous: request.previous }, input: isKept ? own : null };
  if (found === null) return { ok: true, request: responsesCompletion(request, kept, {}) };
  const result = readResponsesRequest(expandedBody(request, found.chain, own), { before: request });
  return result.ok ? { ok: true, request: responsesCompletion(result.request, kept, {}) } : result;
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
