import type { BodyResult } from '../../openai/body-fault.ts';
import { editChatBody } from '../../openai/chat-request-edit.ts';
import type { InputSize } from '../../openai/chat-request.ts';
import type { UnknownField } from '../../openai/unknown-fields.ts';
import { assert } from '../../../lib/assert.ts';
import { CHAT_REPLY_FORM } from '../chat/chat-reply-form.ts';
import { ChatStream } from '../chat/chat-stream.ts';
import { CHAT_USAGE } from '../usage-cost.ts';
import type { AnswerStream, ChatForm, CompletionRequest, Dialect, NativeRequest } from '../dialect.ts';
import { type CompletionsRequest, readCompletionsRequest } from './completions-request.ts';

// OpenAI's legacy completions, for providers that have them: a text is continued, without turns or templates, so no chat
// request says the same. Answers and chunks are chat's but for their choices, which hold a `text`.

const NOTHING: readonly never[] = Object.freeze([]);

const NO_CHAT: ChatForm = {
  ok: false,
  fault: {
    message: "The providers of this model don't continue texts; send messages to POST /v1/chat/completions.",
    param: 'model',
  },
};

export const COMPLETIONS_DIALECT: Dialect = {
  endpoint: 'completions',
  replyForm: CHAT_REPLY_FORM,
  usageForm: CHAT_USAGE,
  isNativeOnly: true,
  read(body): BodyResult<CompletionRequest> {
    const result = readCompletionsRequest(body);
    return result.ok ? { ok: true, request: new LegacyCompletion(result.request) } : result;
  },
};

class LegacyCompletion implements CompletionRequest {
  readonly dialect = COMPLETIONS_DIALECT;
  readonly body: Buffer;
  readonly model: string;
  readonly stream: boolean;
  readonly choices: number;
  readonly maxTokens: number | null;
  readonly isCeiling = false;
  readonly size: InputSize;
  readonly unknown: readonly UnknownField[];
  readonly schemaSpan = null;
  readonly leftOut = NOTHING;
  readonly usesBound = null;
  readonly hasHostedTools = false;
  readonly native: NativeRequest;
  readonly #includeUsage: boolean;

  constructor(request: CompletionsRequest) {
    const { body, model, stream, choices, maxTokens, size, includeUsage } = request;
    this.body = body;
    this.model = model;
    this.stream = stream;
    this.choices = choices;
    this.maxTokens = maxTokens;
    this.size = size;
    this.unknown = request.unknown;
    this.#includeUsage = includeUsage;
    const edited: NativeRequest['body'] = (edit) =>
      editChatBody(request, { ...edit, capField: 'max_tokens', includeUsage: true });
    this.native = {
      stream,
      headers: {},
      body: edited,
      countBody: (upstreamModel) => edited({ upstreamModel, cap: null, reasoning: false }),
    };
  }

  toChat(): ChatForm {
    return NO_CHAT;
  }

  fromChat(): Buffer {
    assert(false, 'a legacy completion is never translated');
  }

  openStream(requestId: string): AnswerStream {
    return new ChatStream(requestId, this.#includeUsage);
  }
}
