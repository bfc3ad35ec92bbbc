import type { SoldTools } from '../../../domain/model.ts';
import { NO_USES } from '../../../domain/uses.ts';
import type { BodyResult } from '../../openai/body-fault.ts';
import { type ChatRequest, readChatRequest } from '../../openai/chat-request.ts';
import { CHAT_USAGE } from '../usage-cost.ts';
import type { ChatForm, CompletionRequest, Dialect } from '../dialect.ts';
import { PromptInput } from '../request-input.ts';
import { faultOfSearch, searchesOf } from './chat-search.ts';
import { CHAT_REPLY_FORM } from './chat-reply-form.ts';
import { ChatStream } from './chat-stream.ts';

// OpenAI's chat completions. Each kind of provider translates from and to them, so nothing is translated here;
// src/gate/openai/ parses them.

const SCHEMA_PARAM = 'response_format.json_schema.schema';

const NOTHING: readonly never[] = Object.freeze([]);

export const CHAT_DIALECT: Dialect = {
  endpoint: 'chat',
  path: '/v1/chat/completions',
  name: 'chat_completions',
  modelKind: 'chat',
  replyForm: CHAT_REPLY_FORM,
  usageForm: CHAT_USAGE,
  fieldNames: {},
  nativeOnly: null,
  counting: null,
  listInput: null,
  answerFromChat: null,
  choiceReading: null,
  read(body): BodyResult<CompletionRequest> {
    const result = readChatRequest(body);
    return result.ok ? { ok: true, request: chatCompletion(result.request, {}) } : result;
  },
};

/** `sold`: the tools that the model is sold with; none until they are known. */
function chatCompletion(chat: ChatRequest, sold: SoldTools): CompletionRequest {
  const { body, model, stream, choices, maxTokens, size, schemaFormat, extras, layout } = chat;
  const uses = searchesOf(chat, sold);
  const form: ChatForm = { ok: true, chat, leftOut: NOTHING };
  return {
    dialect: CHAT_DIALECT,
    body,
    model,
    input: new PromptInput(size),
    unknown: chat.unknown,
    leftOut: NOTHING,
    text: {
      stream,
      choices,
      maxTokens,
      isCeiling: false,
      isUncapped: false,
      // Rejected tokens of a prediction are billed as output. A token has at least one byte.
      outputBeside: chat.predictionBytes,
      size,
      layout,
      schemaSpan: schemaFormat === null ? null : { param: SCHEMA_PARAM, ...schemaFormat },
      openStream: (requestId) => new ChatStream(requestId, chat.includeUsage, uses),
    },
    chat: { extras, toChat: () => form, fromChat: (completion) => completion, notes: null },
    tools: extras.includes('web_search_options')
      ? {
          bound: uses === NO_USES ? null : { each: uses, total: choices },
          usesOfAnswer: uses,
          sell: (tools) => soldWith(chat, tools),
          usesIn: () => uses,
        }
      : null,
    kept: null,
    native: null,
    audio: chat.audioFormat,
    tier: chat.tier,
    models: chat.models,
  };
}

function soldWith(chat: ChatRequest, sold: SoldTools): BodyResult<CompletionRequest> {
  const fault = faultOfSearch(chat, sold);
  return fault === null ? { ok: true, request: chatCompletion(chat, sold) } : { ok: false, fault };
}
