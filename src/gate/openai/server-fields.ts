import type { FieldGroup } from './known-fields.ts';

// Fields that servers support beyond the API that they are named for, and that clients send to any of them. A server's
// address doesn't show which of them it reads, so a verdict applies to all servers.

export const FEE = 'would cost more than its tokens';
export const OTHER_MODEL = 'would change which model answers';
export const SOLD_BY_TIER = 'sold at the rates of the tier, if the model has them';
export const SHARED = 'would reach what others have left at the provider';
const INPUT = 'would add input that is not in the request';
const UNREAD = 'would pass fields on unread; put them at the top level';

/** Other models, which chat alone reads. */
export const NO_MODELS = { verdict: 'refused', reason: OTHER_MODEL, names: ['models'] } as const satisfies FieldGroup;

/** Refused in every API. */
export const REFUSED_ANYWHERE = [
  {
    verdict: 'refused',
    reason: OTHER_MODEL,
    names: ['fallback', 'fallbacks', 'fallback_model', 'route', 'provider', 'preset', 'lora', 'lora_path'],
  },
  { verdict: 'refused', reason: UNREAD, names: ['extra_body', 'options', 'vllm_xargs', 'custom_params', 'nvext'] },
  {
    verdict: 'refused',
    reason: FEE,
    names: [
      'plugins',
      'web_search',
      'search_parameters',
      'search_options',
      'search_settings',
      'compound_custom',
      'moderation',
      'safety_model',
      'inference_geo',
    ],
  },
  { verdict: 'refused', reason: FEE, names: ['enable_code_interpreter'], values: [false] },
  { verdict: 'refused', reason: INPUT, names: ['vl_high_resolution_images'], values: [false] },
  { verdict: 'refused', reason: SHARED, names: ['kv_transfer_params', 'session_params'] },
  {
    verdict: 'refused',
    reason: INPUT,
    // A template may repeat its input, and media settings may raise the tokens of an image.
    names: ['transforms', 'data_sources', 'chat_template', 'mm_processor_kwargs', 'media_io_kwargs'],
  },
] as const satisfies readonly FieldGroup[];

/** Sampling and stopping: nothing beyond the cap. */
const CHOOSING = [
  'top_a',
  'min_p',
  'typical_p',
  'tfs_z',
  'repetition_penalty',
  'repeat_penalty',
  'repeat_last_n',
  'length_penalty',
  'no_repeat_ngram_size',
  'penalize_nl',
  'dry_multiplier',
  'dry_base',
  'dry_allowed_length',
  'dry_penalty_last_n',
  'dry_sequence_breakers',
  'xtc_probability',
  'xtc_threshold',
  'dynatemp_range',
  'dynatemp_exponent',
  'mirostat',
  'mirostat_tau',
  'mirostat_eta',
  'mirostat_target',
  'mirostat_lr',
  'samplers',
  'min_keep',
  'min_tokens',
  'do_sample',
  'random_seed',
  'ignore_eos',
  'stop_token_ids',
  'stop_regex',
  'no_stop_trim',
  'include_stop_str_in_output',
  'allowed_token_ids',
  'bad_words',
  't_max_predict_ms',
  'speculation',
  'speculative.n_max',
  'speculative.n_min',
  'speculative.p_min',
] as const;

const FORM = [
  'guided_json',
  'guided_regex',
  'guided_choice',
  'guided_grammar',
  'guided_decoding_backend',
  'guided_whitespace_pattern',
  'structured_outputs',
  'structural_tag',
  'grammar',
  'grammar_lazy',
  'grammar_triggers',
  'json_schema',
  'regex',
  'ebnf',
  'format',
] as const;

const THINKING = [
  'reasoning_format',
  'reasoning_split',
  'reasoning_budget',
  'reasoning_history',
  'reasoning_in_content',
  'include_reasoning',
  'separate_reasoning',
  'stream_reasoning',
  'enable_thinking',
  'preserve_thinking',
  'clear_thinking',
  'disable_reasoning',
  'thinking_budget',
  'thinking_token_budget',
  'thinking_forced_open',
  'think',
  'chat_template_kwargs',
] as const;

const SHOWN = [
  'prompt_logprobs',
  'n_probs',
  'post_sampling_probs',
  'timings_per_token',
  'return_progress',
  'return_tokens',
  'return_tokens_as_token_ids',
  'return_token_ids',
  'perf_metrics_in_response',
  'raw_output',
  'usage',
  'skip_special_tokens',
  'spaces_between_special_tokens',
  'parse_tool_calls',
  'disable_tool_validation',
  'tool_stream',
  'citation_options',
] as const;

const SERVING = [
  'cache_prompt',
  'cache_salt',
  'id_slot',
  'prompt_cache_isolation_key',
  'prompt_cache_max_len',
  'keep_alive',
  'ttl',
  'priority',
  'request_id',
  'rid',
  'session_id',
  'trace',
  'user_id',
] as const;

/** A caller may send less input than was held. */
const SHORTENED = [
  'truncate_prompt_tokens',
  'truncation_side',
  'prompt_truncate_len',
  'context_length_exceeded_behavior',
  'n_keep',
  'add_special_tokens',
  'add_generation_prompt',
  'continue_final_message',
] as const;

/** Passed on in every API that generates text. */
export const PASSING_TO_SERVERS = [
  { verdict: 'passes', reason: 'how the next token is chosen, and when to stop', names: CHOOSING },
  { verdict: 'passes', reason: 'the form of the text', names: FORM },
  { verdict: 'passes', reason: 'how much is thought, within the cap', names: THINKING },
  { verdict: 'passes', reason: 'what an answer shows', names: SHOWN },
  { verdict: 'passes', reason: 'how a server runs the request', names: SERVING },
  { verdict: 'passes', reason: 'how the input is cut', names: SHORTENED },
] as const satisfies readonly FieldGroup[];

/** Refused in OpenAI's APIs, where another field bounds the output. */
export const OTHER_CAPS = {
  verdict: 'refused',
  reason: 'would get around the cap on output; use max_tokens or max_completion_tokens',
  names: ['max_output_tokens', 'max_new_tokens', 'max_gen_len', 'n_predict', 'num_predict'],
} as const satisfies FieldGroup;

/** Refused likewise: more answers than `n`. */
export const MORE_CHOICES = {
  verdict: 'refused',
  reason: 'would change how many answers are generated; use n',
  names: ['use_beam_search', 'n_cmpl', 'num_return_sequences', 'num_generations'],
} as const satisfies FieldGroup;
