import { CACHE_OPTIONS } from '../../openai/chat-members.ts';
import { fieldTable } from '../../openai/known-fields.ts';
import {
  FEE,
  MORE_CHOICES,
  PASSING_TO_SERVERS,
  REFUSED_ANYWHERE,
  SOLD_BY_TIER,
  NO_MODELS,
} from '../../openai/server-fields.ts';
import { REASONING_MEMBERS, STREAM_OPTIONS_MEMBERS } from './response-members.ts';

// Each known field of a Responses request, with its verdict; includes those of a compaction and of a token count.

const NOT_KEPT =
  'refers to something that is not kept here; send the whole conversation in `input`, or go on from a response';

export const RESPONSES_FIELDS = fieldTable(
  {
    verdict: 'priced',
    reason: 'what the hold goes by',
    names: ['model', 'stream', 'max_output_tokens'],
    inChat: 'read',
  },
  {
    verdict: 'priced',
    reason: 'what the hold goes by',
    names: ['input', 'tools', 'tool_choice', 'text'],
    inChat: 'read',
    isCounted: true,
  },
  // It bounds calls of tools that run at the provider; a translated request has none.
  { verdict: 'priced', reason: 'a bound on tools that are sold', names: ['max_tool_calls'], inChat: 'read' },
  { verdict: 'priced', reason: 'kept here, not at the provider', names: ['store'], inChat: 'read' },
  { verdict: 'priced', reason: 'a response that is kept here', names: ['previous_response_id'] },
  {
    verdict: 'passes',
    reason: 'how the next token is chosen, and when to stop',
    names: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
    inChat: 'same',
  },
  {
    verdict: 'passes',
    reason: 'how the next token is chosen, and when to stop',
    names: ['seed', 'stop', 'logit_bias', 'top_k'],
  },
  { verdict: 'passes', reason: 'a text of the request', names: ['instructions'], inChat: 'read', isCounted: true },
  {
    verdict: 'passes',
    reason: 'how much is thought, within the cap',
    names: ['reasoning'],
    members: REASONING_MEMBERS,
    inChat: 'read',
    isCounted: true,
  },
  {
    verdict: 'passes',
    reason: 'how tools are called',
    names: ['parallel_tool_calls'],
    inChat: 'same',
    isCounted: true,
  },
  {
    verdict: 'passes',
    reason: 'what an answer shows',
    names: ['include', 'top_logprobs'],
    inChat: 'read',
  },
  {
    verdict: 'passes',
    reason: 'what an answer shows',
    names: ['stream_options'],
    inChat: 'read',
    members: STREAM_OPTIONS_MEMBERS,
  },
  { verdict: 'passes', reason: 'how the input is cut', names: ['truncation'], isCounted: true },
  { verdict: 'passes', reason: 'how the input is cut', names: ['image'] },
  { verdict: 'passes', reason: 'how the answer is written', names: ['personality'], isCounted: true },
  {
    verdict: 'passes',
    reason: 'says nothing about the answer',
    names: ['user', 'safety_identifier', 'metadata'],
    inChat: 'same',
  },
  { verdict: 'passes', reason: 'says nothing about the answer', names: ['client_metadata'], inChat: 'read' },
  {
    verdict: 'passes',
    reason: 'how the provider caches, which its usage shows',
    names: ['prompt_cache_key', 'prompt_cache_retention'],
    inChat: 'same',
  },
  CACHE_OPTIONS,
  { verdict: 'priced', reason: SOLD_BY_TIER, names: ['service_tier'], inChat: 'same' },
  { verdict: 'refused', reason: NOT_KEPT, names: ['conversation', 'prompt'] },
  {
    verdict: 'refused',
    reason: 'would run on after the connection is closed; leave it out',
    names: ['background'],
    values: [false],
  },
  {
    verdict: 'refused',
    reason: 'would have the provider write a summary beside the answer; use /v1/responses/compact',
    names: ['context_management'],
    values: [[]],
  },
  {
    verdict: 'refused',
    reason: 'would have the provider run agents whose output no cap bounds',
    names: ['multi_agent'],
  },
  { verdict: 'refused', reason: 'would use rights of the operator’s account', names: ['access_programs'] },
  { verdict: 'refused', reason: FEE, names: ['audio', 'image_config'] },
  { verdict: 'refused', reason: FEE, names: ['modalities'], values: [['text'], []] },
  {
    verdict: 'refused',
    reason: 'would get around the cap on output; use max_output_tokens',
    names: ['max_tokens', 'max_completion_tokens', 'max_new_tokens', 'n_predict', 'num_predict'],
  },
  {
    verdict: 'refused',
    reason: 'would change how many answers are generated; send several requests',
    names: ['n', 'best_of', ...MORE_CHOICES.names],
    values: [1],
  },
  NO_MODELS,
  ...REFUSED_ANYWHERE,
  ...PASSING_TO_SERVERS,
);
