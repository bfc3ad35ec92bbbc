import type { Dialect } from '../../../src/domain/receipt.ts';

export const DIALECT_WORDS: Readonly<Record<Dialect, string>> = {
  chat_completions: 'Chat completions',
  embeddings: 'Embeddings',
  rerank: 'Rerank',
  moderations: 'Moderations',
  messages: 'Messages',
  responses: 'Responses',
  completions: 'Legacy completions',
};
