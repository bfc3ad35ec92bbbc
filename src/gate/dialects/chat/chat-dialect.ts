import type { SoldTools } from '../../../domain/model.ts';
import { NO_USES, type ToolUses, type UsesBound } from '../../../domain/uses.ts';
import type { BodyResult } from '../../openai/body-fault.ts';
import type { AudioFormat } from '../../openai/chat-audio.ts';
import type { ChatExtra } from '../../openai/chat-extras.ts';
import { type ChatRequest, type InputSize, readChatRequest } from '../../openai/chat-request.ts';
import type { UnknownField } from '../../openai/unknown-fields.ts';
import { CHAT_USAGE } from '../usage-cost.ts';
import type { AnswerStream, ChatForm, CompletionRequest, Dialect, SchemaSpan } from '../dialect.ts';
import { faultOfSearch, searchesOf } from './chat-search.ts';
import { CHAT_REPLY_FORM } from './chat-reply-form.ts';
import { ChatStream } from './chat-stream.ts';

// OpenAI's chat completions. Each kind of provider translates from and to them, so there is nothing to be translated
// here, and src/gate/openai/ reads them.

const SCHEMA_PARAM = 'response_format.json_schema.schema';

const NOTHING: readonly never[] = Object.freeze([]);

export const CHAT_DIALECT: Dialect = {
  endpoint: 'chat',
  replyForm: CHAT_REPLY_FORM,
  usageForm: CHAT_USAGE,
  read(body): BodyResult<CompletionRequest> {
    const result = readChatRequest(body);
    return result.ok ? { ok: true, request: new ChatCompletion(result.request, {}) } : result;
  },
};

class ChatCompletion implements CompletionRequest {
  readonly dialect = CHAT_DIALECT;
  readonly body: Buffer;
  readonly model: string;
  readonly stream: boolean;
  readonly choices: number;
  readonly maxTokens: number | null;
  readonly isCeiling = false;
  readonly size: InputSize;
  readonly unknown: readonly UnknownField[];
  readonly schemaSpan: SchemaSpan | null;
  readonly leftOut = NOTHING;
  readonly usesBound: UsesBound | null;
  readonly usesOfAnswer: ToolUses;
  readonly extras: readonly ChatExtra[];
  readonly audioFormat: AudioFormat | null;
  readonly outputBeside: number;
  readonly native = null;
  readonly #chat: ChatRequest;
  readonly #form: ChatForm;

  /** `sold`: the tools that its model is sold with; none as long as that isn't known. */
  constructor(chat: ChatRequest, sold: SoldTools) {
    const { body, model, stream, choices, maxTokens, size, schemaFormat } = chat;
    this.body = body;
    this.model = model;
    this.stream = stream;
    this.choices = choices;
    this.maxTokens = maxTokens;
    this.size = size;
    this.unknown = chat.unknown;
    this.schemaSpan = schemaFormat === null ? null : { param: SCHEMA_PARAM, ...schemaFormat };
    this.extras = chat.extras;
    this.audioFormat = chat.audioFormat;
    // Tokens of a prediction that the answer rejects are billed as output. None is shorter than a byte.
    this.outputBeside = chat.predictionBytes;
    this.usesOfAnswer = searchesOf(chat, sold);
    this.usesBound = this.usesOfAnswer === NO_USES ? null : { each: this.usesOfAnswer, total: choices };
    this.#chat = chat;
    this.#form = { ok: true, chat, leftOut: NOTHING };
  }

  get hasHostedTools(): boolean {
    return this.extras.includes('web_search_options');
  }

  withTools(sold: SoldTools): BodyResult<CompletionRequest> {
    const fault = faultOfSearch(this.#chat, sold);
    return fault === null ? { ok: true, request: new ChatCompletion(this.#chat, sold) } : { ok: false, fault };
  }

  toChat(): ChatForm {
    return this.#form;
  }

  fromChat(completion: Buffer): Buffer {
    return completion;
  }

  openStream(requestId: string): AnswerStream {
    return new ChatStream(requestId, this.#chat.includeUsage, this.usesOfAnswer);
  }
}
