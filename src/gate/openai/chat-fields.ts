import { CACHE_CONTROL, CACHE_OPTIONS, REASONING_MEMBERS, TOOL_CHOICE_MEMBERS } from './chat-members.ts';
import { type FieldGroup, fieldTable, namesOf } from './known-fields.ts';
import { FEE, MORE_CHOICES, OTHER_CAPS, PASSING_TO_SERVERS, REFUSED_ANYWHERE, SOLD_BY_TIER } from './server-fields.ts';

// Each known field of a chat request, with its verdict.

/** Passed on in chat and in legacy completions alike. */
export const OF_EITHER_COMPLETION = [
  {
    verdict: 'passes',
    reason: 'how the next token is chosen, and when to stop',
    names: ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'logit_bias', 'seed', 'stop', 'top_k'],
  },
  {
    verdict: 'passes',
    reason: 'says nothing about the answer',
    names: ['user', 'safety_identifier', 'metadata', 'store'],
    isSilent: true,
  },
  {
    verdict: 'passes',
    reason: 'how the provider caches, which its usage shows',
    names: ['prompt_cache_key', 'prompt_cache_retention'],
    isSilent: true,
  },
  { ...CACHE_OPTIONS, isSilent: true },
  { verdict: 'priced', reason: SOLD_BY_TIER, names: ['service_tier'], isSilent: true },
  { verdict: 'refused', reason: FEE, names: ['speed'], values: ['standard'], isSilent: true },
  { verdict: 'refused', reason: FEE, names: ['enable_search'], values: [false], isSilent: true },
  { verdict: 'refused', reason: 'would be answered later', names: ['deferred'], values: [false] },
  OTHER_CAPS,
  MORE_CHOICES,
  ...REFUSED_ANYWHERE,
  ...PASSING_TO_SERVERS,
] as const satisfies readonly FieldGroup[];

export const CHAT_FIELDS = fieldTable(
  {
    verdict: 'priced',
    reason: 'models that may answer in the place of the requested one, of which the most expensive is held',
    names: ['models'],
    isSilent: true,
  },
  {
    verdict: 'priced',
    reason: 'what the hold goes by',
    names: [
      'model',
      'messages',
      'stream',
      'stream_options',
      'n',
      'max_tokens',
      'max_completion_tokens',
      'tools',
      'functions',
      'response_format',
    ],
  },
  {
    verdict: 'priced',
    reason: 'sold by a rate or fee of the model, or counted beside the cap',
    names: ['web_search_options', 'prediction', 'audio'],
  },
  {
    verdict: 'priced',
    reason: 'text alone, or audio that the model is sold with',
    names: ['modalities'],
    isSilent: true,
  },
  {
    verdict: 'passes',
    reason: 'how tools are called',
    names: ['parallel_tool_calls', 'function_call'],
  },
  { verdict: 'passes', reason: 'how tools are called', names: ['tool_choice'], members: TOOL_CHOICE_MEMBERS },
  { verdict: 'passes', reason: 'what an answer shows', names: ['logprobs', 'top_logprobs', 'verbosity', 'echo'] },
  {
    verdict: 'passes',
    reason: 'how much is thought, within the cap',
    names: ['reasoning_effort', 'prompt_mode'],
  },
  {
    verdict: 'passes',
    reason: 'how much is thought, within the cap',
    names: ['reasoning', 'thinking'],
    members: REASONING_MEMBERS,
  },
  CACHE_CONTROL,
  { verdict: 'passes', reason: 'texts of the request', names: ['documents'] },
  { verdict: 'passes', reason: 'what the provider checks', names: ['safe_prompt', 'guardrails', 'compliance'] },
  {
    verdict: 'passes',
    reason: 'where a model that always searches does so, for its fee for each request',
    names: [
      'search_mode',
      'search_domain_filter',
      'search_language_filter',
      'search_recency_filter',
      'search_after_date_filter',
      'search_before_date_filter',
      'last_updated_after_filter',
      'last_updated_before_filter',
      'disable_search',
      'enable_search_classifier',
      'return_images',
      'return_related_questions',
      'image_domain_filter',
      'image_format_filter',
      'language_preference',
      'include_domains',
      'exclude_domains',
      'stream_mode',
    ],
  },
  { verdict: 'refused', reason: MORE_CHOICES.reason, names: ['best_of'] },
  ...OF_EITHER_COMPLETION,
);

/**
 * Fields that don't affect the answer, so that a provider without an equivalent can ignore them. Values that would
 * affect it have been refused by the gate.
 */
export const SILENT_IN_CHAT = namesOf(CHAT_FIELDS, ({ isSilent }) => isSilent === true);
