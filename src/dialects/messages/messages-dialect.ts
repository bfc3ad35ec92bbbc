import type { BodyResult } from '../../openai/body-fault.ts';
import type { InputSize } from '../../openai/chat-request.ts';
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
import { MESSAGES_REPLY_FORM } from './messages-reply-form.ts';
import { type MessagesRequest, readCountedRequest, readMessagesRequest } from './messages-request.ts';
import { MessagesStream } from './messages-stream.ts';
import { nativeMessagesBody } from './native-body.ts';
import { messagesToChat } from './to-chat.ts';
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
  fieldNames: {
    stop: 'stop_sequences',
    max_completion_tokens: 'max_tokens',
    reasoning_effort: 'output_config.effort',
    response_format: 'output_config.format',
  },
  counting: { read: readCounted, answer: (tokens) => ({ input_tokens: tokens }) },
  answerFromChat: (completion, requestId) => messageOf(completion, requestId),
  isTranslatedApart: true,
  read(body, headers): BodyResult<CompletionRequest> {
    const result = readMessagesRequest(body);
    return result.ok ? { ok: true, request: new MessagesCompletion(result.request, headers) } : result;
  },
};

/** Reads a request whose tokens shall be counted. */
function readCounted(body: Buffer, headers: DialectHeaders): BodyResult<CountedRequest> {
  const result = readCountedRequest(body);
  if (!result.ok) return result;
  const { model, size } = result.request;
  return { ok: true, request: { model, size, native: nativeRequest(result.request, headers) } };
}

function nativeRequest(request: MessagesRequest, { anthropicVersion, anthropicBeta }: DialectHeaders): NativeRequest {
  return {
    stream: request.stream,
    headers: {
      ...(anthropicVersion === undefined ? {} : { 'anthropic-version': anthropicVersion }),
      ...(anthropicBeta === undefined ? {} : { 'anthropic-beta': anthropicBeta }),
    },
    body: (edit) => nativeMessagesBody(request, edit),
    countBody: (upstreamModel) => nativeMessagesBody(request, { upstreamModel, cap: null }),
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
  readonly schemaSpan: SchemaSpan | null;
  readonly leftOut: readonly string[];
  readonly native: NativeRequest;
  readonly #request: MessagesRequest;
  readonly #forms = new Map<string, ChatForm>();

  constructor(request: MessagesRequest, headers: DialectHeaders) {
    const { body, model, stream, maxTokens, size, schemaSpan, hosted } = request;
    this.body = body;
    this.model = model;
    this.stream = stream;
    this.maxTokens = maxTokens;
    this.isCeiling = maxTokens > FIRM_TOKENS_MAX;
    this.size = size;
    this.schemaSpan = schemaSpan;
    this.leftOut = hosted;
    this.#request = request;
    this.native = nativeRequest(request, headers);
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

  openStream(requestId: string): AnswerStream {
    return new MessagesStream(requestId, this.model);
  }
}
