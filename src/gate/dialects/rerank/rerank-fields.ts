import { fieldTable } from '../../openai/known-fields.ts';
import { REFUSED_ANYWHERE, NO_MODELS } from '../../openai/server-fields.ts';

// The known fields of rerank requests, with a verdict for each: those of Cohere, Jina, vLLM, and servers that follow them.

export const RERANK_FIELDS = fieldTable(
  { verdict: 'priced', reason: 'what the hold goes by', names: ['model', 'query', 'documents', 'instruction'] },
  {
    verdict: 'priced',
    reason: 'checked before a provider is asked',
    names: ['top_n', 'return_documents', 'max_tokens_per_doc'],
  },
  {
    verdict: 'passes',
    reason: 'the form of the results',
    names: [
      'return_embeddings',
      'embedding_type',
      'raw_scores',
      'softmax',
      'activation',
      'use_activation',
      'rank_fields',
    ],
  },
  {
    verdict: 'passes',
    reason: 'how the input is cut',
    names: [
      'truncate',
      'truncation',
      'truncate_prompt_tokens',
      'truncation_side',
      'add_special_tokens',
      'max_chunks_per_doc',
      'max_doc_length',
      'max_query_length',
      'max_tokens_per_query',
    ],
  },
  { verdict: 'passes', reason: 'says nothing about the answer', names: ['user', 'user_id', 'metadata'] },
  {
    verdict: 'passes',
    reason: 'how a server runs the request',
    names: ['priority', 'request_id', 'cache_salt', 'keep_alive', 'ttl', 'session_id'],
  },
  { verdict: 'refused', reason: 'would count parts of documents twice', names: ['overlap_tokens'], values: [0] },
  NO_MODELS,
  ...REFUSED_ANYWHERE,
);

/** The members of a document that is an object. */
export const DOCUMENT_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'what the hold goes by', names: ['text'] },
  {
    verdict: 'refused',
    reason: 'is not text, and nothing bounds its tokens',
    names: ['image', 'image_url', 'video', 'multi_modal', 'content'],
  },
);
