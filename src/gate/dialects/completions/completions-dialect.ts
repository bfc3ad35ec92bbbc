import type { BodyFault, BodyResult } from '../../openai/body-fault.ts';
import { editChatBody } from '../../openai/chat-request-edit.ts';
import { CHAT_REPLY_FORM } from '../chat/chat-reply-form.ts';
import { ChatStream } from '../chat/chat-stream.ts';
import { CHAT_USAGE } from '../usage-cost.ts';
import type { CompletionRequest, Dialect, NativeFacet } from '../dialect.ts';
import { NATIVE_ALONE } from '../native-request.ts';
import { PromptInput } from '../request-input.ts';
import { type CompletionsRequest, readCompletionsRequest } from './completions-request.ts';

// OpenAI's legacy completions, for providers that have them: a text is continued, without turns or templates, so it
// has no equivalent chat request. Answers and chunks are chat's except for their choices, which have a `text`.

const NOTHING: readonly never[] = Object.freeze([]);

const NOT_SPOKEN: BodyFault = {
  message: "The providers of this model don't continue texts; send messages to POST /v1/chat/completions.",
  param: 'model',
};

export const COMPLETIONS_DIALECT: Dialect = {
  endpoint: 'completions',
  path: '/v1/completions',
  name: 'completions',
  modelKind: 'chat',
  replyForm: CHAT_REPLY_FORM,
  usageForm: CHAT_USAGE,
  ...NATIVE_ALONE,
  nativeOnly: NOT_SPOKEN,
  read(body): BodyResult<CompletionRequest> {
    const result = readCompletionsRequest(body);
    return result.ok ? { ok: true, request: legacyCompletion(result.request) } : result;
  },
};

function legacyCompletion(request: CompletionsRequest): CompletionRequest {
  const { body, model, stream, choices, maxTokens, size, includeUsage, layout } = request;
  const edited: NativeFacet['body'] = (edit) =>
    editChatBody(request, { ...edit, capField: 'max_tokens', includeUsage: true });
  return {
    dialect: COMPLETIONS_DIALECT,
    body,
    model,
    input: new PromptInput(size),
    unknown: request.unknown,
    leftOut: NOTHING,
    text: {
      stream,
      choices,
      maxTokens,
      isCeiling: false,
      isUncapped: false,
      outputBeside: 0,
      size,
      layout,
      schemaSpan: null,
      openStream: (requestId) => new ChatStream(requestId, includeUsage),
    },
    chat: null,
    tools: null,
    kept: null,
    native: {
      stream,
      headers: {},
      unknownBetas: NOTHING,
      body: edited,
      countBody: (upstreamModel) => edited({ upstreamModel, cap: null, reasoning: false }),
      editAnswer: null,
    },
    audio: null,
    tier: request.tier,
    models: null,
  };
}
