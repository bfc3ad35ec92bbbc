import { CHAT_DIALECT } from './chat/chat-dialect.ts';
import { COMPLETIONS_DIALECT } from './completions/completions-dialect.ts';
import { COMPACTION_DIALECT } from './responses/compaction-dialect.ts';
import { RESPONSES_DIALECT } from './responses/responses-dialect.ts';
import type { CompletionEndpoint, Dialect } from './dialect.ts';
import { MESSAGES_DIALECT } from './messages/messages-dialect.ts';

/** All dialects, by their endpoint. */
export const DIALECTS: Readonly<Record<CompletionEndpoint, Dialect>> = {
  chat: CHAT_DIALECT,
  completions: COMPLETIONS_DIALECT,
  messages: MESSAGES_DIALECT,
  responses: RESPONSES_DIALECT,
  compact: COMPACTION_DIALECT,
};
