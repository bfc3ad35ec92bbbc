import type { SoldTools } from '../../../domain/model.ts';
import type { ToolUses, UsesBound } from '../../../domain/uses.ts';
import type { BodyResult } from '../../openai/body-fault.ts';
import type { InputSize } from '../../openai/chat-request.ts';
import type { UnknownField } from '../../openai/unknown-fields.ts';
import type {
  AnswerStream,
  ChatForm,
  ChatTarget,
  CompletionRequest,
  CountedRequest,
  Dialect,
  DialectHeaders,
  NativeRequest,
  SchemaSpan,
} from '../dialect.ts';
import { MESSAGES_USAGE } from '../usage-cost.ts';
import { FOREIGN_THOUGHTS } from './foreign-thoughts.ts';
import { unknownBetasIn } from './known-betas.ts';
import { faultOfSale, NOTHING_CHANGED, saleOf, type ToolSale } from './hosted-tools.ts';
import { MESSAGE_CHOICE } from './message-choice.ts';
import { MESSAGES_REPLY_FORM } from './messages-reply-form.ts';
import { type MessagesRequest, readCountedRequest, readMessagesRequest } from './messages-request.ts';
import { MessagesStream } from './messages-stream.ts';
import { nativeMessagesBody } from './native-body.ts';
import { messagesToChat } from './to-chat.ts';
import { usesInMessage } from './tool-uses.ts';
import { messageOf } from './translated-message.ts';

// Anthropic's Messages API.

/**
 * The largest `max_tokens` that is held as it is named. It is mandatory, and agents ask for as much as the model can
 * write, which a small balance would not cover: above this, the money may lower it.
 */
const FIRM_TOKENS_MAX = 8_192;

export const MESSAGES_DIALECT: Dialect = {
  endpoint: 'messages',
  replyForm: MESSAGES_REPLY_FORM,
  usageForm: MESSAGES_USAGE,
  fieldNames: {
    stop: 'stop_sequences',
    max_completion_tokens: 'max_tokens',
    reasoning_effort: 'output_config.effort',
    response_format: 'output_config.format',
  },
  counting: { read: readCounted, answer: (tokens) => ({ input_tokens: tokens }) },
  answerFromChat: (completion, requestId) => messageOf(completion, requestId),
  isTranslatedApart: true,
  choiceReading: MESSAGE_CHOICE,
  read(body, headers): BodyResult<CompletionRequest> {
    const result = readMessagesRequest(body);
    return result.ok ? { ok: true, request: new MessagesCompletion(result.request, headers, {}) } : result;
  },
};

/** Reads a request whose tokens shall be counted. */
function readCounted(body: Buffer, headers: DialectHeaders): BodyResult<CountedRequest> {
  const result = readCountedRequest(body);
  if (!result.ok) return result;
  const { model, size, unknown } = result.request;
  return {
    ok: true,
    request: { model, size, unknown, native: nativeRequest(result.request, NOTHING_CHANGED, headers) },
  };
}

function nativeRequest(
  request: MessagesRequest,
  sale: ToolSale,
  { anthropicVersion, anthropicBeta }: DialectHeaders,
): NativeRequest {
  return {
    stream: request.stream,
    headers: {
      ...(anthropicVersion === undefined ? {} : { 'anthropic-version': anthropicVersion }),
      ...(anthropicBeta === undefined ? {} : { 'anthropic-beta': anthropicBeta }),
    },
    body: (edit) => nativeMessagesBody(request, sale, edit),
    countBody: (upstreamModel) => nativeMessagesBody(request, NOTHING_CHANGED, { upstreamModel, cap: null }),
  };
}

class MessagesCompletion implements CompletionRequest {
  readonly dialect = MESSAGES_DIALECT;
  readonly body: Buffer;
  readonly model: string;
  readonly stream: boolean;
  readonly choices = 1;
  readonly maxTokens: number;
  readonly isCeiling: boolean;
  readonly size: InputSize;
  readonly unknown: readonly UnknownField[];
  readonly unknownBetas: readonly string[];
  readonly schemaSpan: SchemaSpan | null;
  readonly leftOut: readonly string[];
  readonly usesBound: UsesBound | null;
  readonly hasHostedTools: boolean;
  readonly native: NativeRequest;
  readonly #request: MessagesRequest;
  readonly #headers: DialectHeaders;
  readonly #forms = new Map<string, ChatForm>();

  /** `sold`: the tools that its model is sold with; none as long as that isn't known. */
  constructor(request: MessagesRequest, headers: DialectHeaders, sold: SoldTools) {
    const { body, model, stream, maxTokens, size, schemaSpan } = request;
    const sale = saleOf(request, sold);
    this.body = body;
    this.model = model;
    this.stream = stream;
    this.maxTokens = maxTokens;
    this.isCeiling = maxTokens > FIRM_TOKENS_MAX;
    this.size = size;
    this.unknown = request.unknown;
    this.unknownBetas = unknownBetasIn(headers.anthropicBeta);
    this.schemaSpan = schemaSpan;
    this.leftOut = [...sale.leftOut, ...(request.carriedThoughts.length === 0 ? [] : [FOREIGN_THOUGHTS])];
    this.usesBound = sale.bound;
    this.hasHostedTools = request.tools.some(({ hosted }) => hosted !== null);
    this.#request = request;
    this.#headers = headers;
    this.native = nativeRequest(request, sale, headers);
  }

  withTools(sold: SoldTools): BodyResult<CompletionRequest> {
    const fault = faultOfSale(this.#request, sold);
    if (fault !== null) return { ok: false, fault };
    return { ok: true, request: new MessagesCompletion(this.#request, this.#headers, sold) };
  }

  usesIn(answer: Buffer): ToolUses {
    return usesInMessage(answer);
  }

  toChat(target: ChatTarget): ChatForm {
    const key = `${target.extensions} ${target.reasoning}`;
    const known = this.#forms.get(key);
    if (known !== undefined) return known;
    const form = messagesToChat(this.#request, target);
    this.#forms.set(key, form);
    return form;
  }

  fromChat(completion: Buffer, requestId: string): Buffer {
    return messageOf(completion, requestId);
  }

  answerNotes(requestId: string): string {
    return requestId;
  }

  openStream(requestId: string, inputEstimate = 0): AnswerStream {
    const { model, usesBound } = this;
    return new MessagesStream(requestId, { model, inputEstimate, hasTools: usesBound !== null });
  }
}
