import type { ModelKind } from '../../domain/model.ts';
import { CHAT_DIALECT } from './chat/chat-dialect.ts';
import { COMPLETIONS_DIALECT } from './completions/completions-dialect.ts';
import { COMPACTION_DIALECT } from './responses/compaction-dialect.ts';
import { RESPONSES_DIALECT } from './responses/responses-dialect.ts';
import { EMBEDDINGS_DIALECT } from './embeddings/embeddings-dialect.ts';
import type { CompletionEndpoint, Dialect } from './dialect.ts';
import { MESSAGES_DIALECT } from './messages/messages-dialect.ts';
import { MODERATIONS_DIALECT } from './moderations/moderations-dialect.ts';
import { RERANK_DIALECT } from './rerank/rerank-dialect.ts';

/** All dialects, by their endpoint, in the order in which refusals list their paths. */
export const DIALECTS: Readonly<Record<CompletionEndpoint, Dialect>> = {
  chat: CHAT_DIALECT,
  responses: RESPONSES_DIALECT,
  compact: COMPACTION_DIALECT,
  completions: COMPLETIONS_DIALECT,
  embeddings: EMBEDDINGS_DIALECT,
  rerank: RERANK_DIALECT,
  moderations: MODERATIONS_DIALECT,
  messages: MESSAGES_DIALECT,
};

/** The default dialect for each kind of model. */
export const FIRST_DIALECT: Readonly<Record<ModelKind, Dialect>> = {
  chat: CHAT_DIALECT,
  embedding: EMBEDDINGS_DIALECT,
  rerank: RERANK_DIALECT,
  moderation: MODERATIONS_DIALECT,
};
