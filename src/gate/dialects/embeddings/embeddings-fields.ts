import { fieldTable } from '../../openai/known-fields.ts';
import { REFUSED_ANYWHERE, NO_MODELS } from '../../openai/server-fields.ts';

// Each known field of an embeddings request, with its verdict.

export const EMBEDDINGS_FIELDS = fieldTable(
  {
    verdict: 'priced',
    reason: 'what the hold goes by',
    names: ['model', 'input', 'encoding_format', 'dimensions'],
  },
  {
    verdict: 'passes',
    reason: 'the form of the embeddings, or what they are for',
    names: [
      'input_type',
      'embedding_type',
      'embedding_types',
      'output_dimension',
      'output_dtype',
      'text_type',
      'task',
      'task_type',
      'late_chunking',
      'normalize',
      'normalized',
      'embed_dtype',
      'endianness',
    ],
  },
  {
    verdict: 'passes',
    reason: 'how the input is cut',
    names: ['truncate', 'truncation', 'truncate_prompt_tokens', 'truncation_side', 'add_special_tokens'],
  },
  { verdict: 'passes', reason: 'says nothing about the answer', names: ['user', 'user_id', 'metadata'] },
  {
    verdict: 'passes',
    reason: 'how a server runs the request',
    names: ['priority', 'request_id', 'cache_salt', 'keep_alive', 'ttl', 'session_id'],
  },
  NO_MODELS,
  ...REFUSED_ANYWHERE,
);
