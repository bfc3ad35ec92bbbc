import { type ChatTranslation, translateToChat } from '../dialects/translate-to-chat.ts';
import type { ChatRequest } from '../openai/chat-request.ts';
import { translateMessagesCall } from './anthropic/translate-messages-call.ts';
import type { MessagesCall } from './anthropic/messages-request.ts';
import { translateChat } from './gemini/chat-request.ts';
import { translateEmbeddings } from './gemini/embeddings.ts';
import type { TranslatedRequest } from './translated-request.ts';

/** A request whose body another API is to be sent, in plain values that a thread can be given. */
export type Translation =
  | { readonly to: 'anthropic'; readonly body: Buffer; readonly call: MessagesCall }
  | ({ readonly to: 'gemini'; readonly upstreamModel: string; readonly cap: number | null } & Pick<
      ChatRequest,
      'body' | 'maxTokens' | 'choices'
    >)
  | ({ readonly to: 'chat' } & ChatTranslation)
  | { readonly to: 'gemini_embeddings'; readonly body: Buffer; readonly resource: string };

/** Translates a request's body, in one piece: some 100 ms a megabyte at worst. */
export function translate(translation: Translation): TranslatedRequest {
  switch (translation.to) {
    case 'anthropic':
      return translateMessagesCall(translation.body, translation.call);
    case 'gemini':
      return translateChat(translation, translation.upstreamModel, translation.cap);
    case 'chat':
      return translateToChat(translation);
    case 'gemini_embeddings':
      return translateEmbeddings(translation, translation.resource);
  }
}
