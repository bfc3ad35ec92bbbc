import type { SoldTools } from '../../../domain/model.ts';
import type { BodyResult } from '../../openai/body-fault.ts';
import type {
  ChatFacet,
  ChatForm,
  CompletionRequest,
  CountedRequest,
  Dialect,
  DialectHeaders,
  NativeFacet,
  TranslationNotes,
} from '../dialect.ts';
import { PromptInput } from '../request-input.ts';
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
 * The largest `max_tokens` that is held in full. The field is mandatory, and agents ask for as much as the model can
 * write, which a small balance would not cover: above this, the available money may lower it.
 */
const FIRM_TOKENS_MAX = 8_192;

const NO_EXTRAS: readonly never[] = Object.freeze([]);

export const MESSAGES_DIALECT: Dialect = {
  endpoint: 'messages',
  path: '/v1/messages',
  name: 'messages',
  modelKind: 'chat',
  replyForm: MESSAGES_REPLY_FORM,
  usageForm: MESSAGES_USAGE,
  fieldNames: {
    stop: 'stop_sequences',
    max_completion_tokens: 'max_tokens',
    reasoning_effort: 'output_config.effort',
    response_format: 'output_config.format',
  },
  nativeOnly: null,
  counting: { read: readCounted, answer: (tokens) => ({ input_tokens: tokens }) },
  listInput: null,
  answerFromChat: (completion, requestId) => messageOf(completion, requestId),
  choiceReading: MESSAGE_CHOICE,
  read(body, headers): BodyResult<CompletionRequest> {
    const result = readMessagesRequest(body);
    return result.ok ? { ok: true, request: messagesCompletion(result.request, headers, {}) } : result;
  },
};

/** Reads a request whose tokens are to be counted. */
function readCounted(body: Buffer, headers: DialectHeaders): BodyResult<CountedRequest> {
  const result = readCountedRequest(body);
  if (!result.ok) return result;
  const { model, size, unknown } = result.request;
  return {
    ok: true,
    request: {
      model,
      unknown,
      kept: null,
      text: { size },
      native: nativeFacet(result.request, NOTHING_CHANGED, headers),
    },
  };
}

function nativeFacet(
  request: MessagesRequest,
  sale: ToolSale,
  { anthropicVersion, anthropicBeta }: DialectHeaders,
): NativeFacet {
  return {
    stream: request.stream,
    headers: {
      ...(anthropicVersion === undefined ? {} : { 'anthropic-version': anthropicVersion }),
      ...(anthropicBeta === undefined ? {} : { 'anthropic-beta': anthropicBeta }),
    },
    unknownBetas: unknownBetasIn(anthropicBeta),
    body: (edit) => nativeMessagesBody(request, sale, edit),
    countBody: (upstreamModel) => nativeMessagesBody(request, NOTHING_CHANGED, { upstreamModel, cap: null }),
    editAnswer: null,
  };
}

/** `sold`: the tools that the model is sold with; none until they are known. */
function messagesCompletion(request: MessagesRequest, headers: DialectHeaders, sold: SoldTools): CompletionRequest {
  const { body, model, stream, maxTokens, size, schemaSpan, layout } = request;
  const sale = saleOf(request, sold);
  return {
    dialect: MESSAGES_DIALECT,
    body,
    model,
    input: new PromptInput(size),
    unknown: request.unknown,
    leftOut: [...sale.leftOut, ...(request.carriedThoughts.length === 0 ? [] : [FOREIGN_THOUGHTS])],
    text: {
      stream,
      choices: 1,
      maxTokens,
      isCeiling: maxTokens > FIRM_TOKENS_MAX,
      isUncapped: false,
      outputBeside: 0,
      size,
      layout,
      schemaSpan,
      openStream: (requestId, inputEstimate = 0) =>
        new MessagesStream(requestId, { model, inputEstimate, hasTools: sale.bound !== null }),
    },
    chat: chatFacet(request),
    tools: request.tools.some(({ hosted }) => hosted !== null)
      ? {
          bound: sale.bound,
          usesOfAnswer: null,
          sell: (tools) => soldWith(request, headers, tools),
          usesIn: usesInMessage,
        }
      : null,
    kept: null,
    native: nativeFacet(request, sale, headers),
    audio: null,
    tier: request.tier,
    models: null,
  };
}

function soldWith(request: MessagesRequest, headers: DialectHeaders, sold: SoldTools): BodyResult<CompletionRequest> {
  const fault = faultOfSale(request, sold);
  return fault === null ? { ok: true, request: messagesCompletion(request, headers, sold) } : { ok: false, fault };
}

/** A translation depends on the bodies only. */
const NOTES: TranslationNotes = { write: () => '', read: () => undefined, ofAnswer: (requestId) => requestId };

function chatFacet(request: MessagesRequest): ChatFacet {
  const forms = new Map<string, ChatForm>();
  return {
    extras: NO_EXTRAS,
    toChat(target) {
      const key = `${target.extensions} ${target.reasoning}`;
      const form = forms.get(key) ?? messagesToChat(request, target);
      forms.set(key, form);
      return form;
    },
    fromChat: messageOf,
    notes: NOTES,
  };
}
