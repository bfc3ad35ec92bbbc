import type { Dialect } from '../../../src/domain/receipt.ts';

export const DIALECT_WORDS: Readonly<Record<Dialect, string>> = {
  chat_completions: 'Chat completions',
  embeddings: 'Embeddings',
  rerank: 'Rerank',
  messages: 'Messages',
  responses: 'Responses',
  completions: 'Legacy completions',
};
