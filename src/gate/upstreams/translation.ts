import type { CompletionEndpoint } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/dialects.ts';
import { type ChatTranslation, translateToChat } from '../dialects/translate-to-chat.ts';
import { assert } from '../../lib/assert.ts';
import type { ChatRequest } from '../openai/chat-request.ts';
import { translateMessagesCall } from './anthropic/translate-messages-call.ts';
import type { MessagesCall } from './anthropic/messages-request.ts';
import { translateChat } from './gemini/chat-request.ts';
import { translateEmbeddings } from './gemini/embeddings.ts';
import type { TranslatedRequest } from './translated-request.ts';

/** A request body for another API, or an answer of chat, in plain values that can be sent to a thread. */
export type Translation =
  | { readonly to: 'anthropic'; readonly body: Buffer; readonly call: MessagesCall }
  | ({ readonly to: 'gemini'; readonly upstreamModel: string; readonly cap: number | null } & Pick<
      ChatRequest,
      'body' | 'maxTokens' | 'choices'
    >)
  | ({ readonly to: 'chat' } & ChatTranslation)
  | { readonly to: 'caller'; readonly endpoint: CompletionEndpoint; readonly body: Buffer; readonly notes: string }
  | { readonly to: 'gemini_embeddings'; readonly body: Buffer; readonly resource: string };

/** Translates a body, in one piece: some 100 ms a megabyte at worst. */
export function translate(translation: Translation): TranslatedRequest {
  switch (translation.to) {
    case 'anthropic':
      return translateMessagesCall(translation.body, translation.call);
    case 'gemini':
      return translateChat(translation, translation.upstreamModel, translation.cap);
    case 'chat':
      return translateToChat(translation);
    case 'caller':
      return translateToCaller(translation);
    case 'gemini_embeddings':
      return translateEmbeddings(translation, translation.resource);
  }
}

/** A whole chat completion as the caller's dialect has it. */
function translateToCaller({ endpoint, body, notes }: Extract<Translation, { to: 'caller' }>): TranslatedRequest {
  const made = DIALECTS[endpoint].answerFromChat?.(body, notes) ?? null;
  assert(made !== null, 'a dialect whose answers are translated can translate one');
  return { ok: true, made };
}
