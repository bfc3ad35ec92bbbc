import { OF_EITHER_COMPLETION } from '../../openai/chat-fields.ts';
import { fieldTable } from '../../openai/known-fields.ts';
import { FEE, NO_MODELS } from '../../openai/server-fields.ts';

// Each known field of a legacy completion request, with its verdict.

export const COMPLETIONS_FIELDS = fieldTable(
  {
    verdict: 'priced',
    reason: 'what the hold goes by',
    names: ['model', 'prompt', 'stream', 'stream_options', 'max_tokens', 'n', 'best_of', 'echo'],
  },
  { verdict: 'passes', reason: 'a text of the request', names: ['suffix'] },
  { verdict: 'passes', reason: 'what an answer shows', names: ['logprobs'] },
  {
    verdict: 'refused',
    reason: 'would add input that is not in the request as text or tokens',
    names: ['prompt_embeds'],
  },
  {
    verdict: 'refused',
    reason: 'would not be checked here; /v1/chat/completions promises answers by a schema',
    names: ['response_format'],
  },
  { verdict: 'refused', reason: FEE, names: ['web_search_options', 'prediction', 'audio'] },
  { verdict: 'refused', reason: FEE, names: ['modalities'], values: [['text'], []] },
  NO_MODELS,
  ...OF_EITHER_COMPLETION,
);
