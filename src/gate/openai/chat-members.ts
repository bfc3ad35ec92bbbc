import { fieldTable } from './known-fields.ts';
import { SHARED } from './server-fields.ts';

// Each known member of the objects in a chat request, of OpenAI's API and of the servers that implement it, with its
// verdict.

const PART_OF = 'a part of it';

const CACHES = 'how the provider caches, which its usage shows';
const NO_LIFETIME = 'would be a lifetime without a price';

/** `prompt_cache_options`. */
export const CACHE_OPTIONS = {
  verdict: 'passes',
  reason: CACHES,
  names: ['prompt_cache_options'],
  members: fieldTable(
    { verdict: 'passes', reason: CACHES, names: ['mode'] },
    { verdict: 'refused', reason: NO_LIFETIME, names: ['ttl'], values: ['30m'] },
    { verdict: 'refused', reason: SHARED, names: ['comparison_response_id'] },
    { verdict: 'refused', reason: 'would fill a cache instead of answering', names: ['prewarm'], values: [false] },
  ),
} as const;

/** End of a cached prefix in OpenAI's API. The longer lifetime costs an hour's rate if a price has that rate. */
export const CACHE_BREAKPOINT = {
  verdict: 'passes',
  reason: CACHES,
  names: ['prompt_cache_breakpoint'],
  members: fieldTable(
    { verdict: 'passes', reason: CACHES, names: ['mode'] },
    { verdict: 'refused', reason: NO_LIFETIME, names: ['ttl'], values: ['30m', '12h'] },
  ),
} as const;

/** The same in Anthropic's API, which some servers of OpenAI's accept. Prices have rates for these lifetimes. */
export const CACHE_CONTROL = {
  verdict: 'passes',
  reason: CACHES,
  names: ['cache_control'],
  members: fieldTable(
    { verdict: 'passes', reason: PART_OF, names: ['type'] },
    { verdict: 'refused', reason: NO_LIFETIME, names: ['ttl'], values: ['5m', '1h'] },
  ),
} as const;

/** Data that providers and gateways need back with a turn of the model. */
const CARRIED = {
  verdict: 'passes',
  reason: 'what a provider wants back with a turn of its model',
  names: ['extra_content', 'provider_specific_fields', 'thought_signature'],
} as const;

const FUNCTION_CALL_MEMBERS = fieldTable(
  { verdict: 'passes', reason: PART_OF, names: ['name', 'arguments', 'parsed_arguments'] },
  CARRIED,
);

const CALL_MEMBERS = fieldTable(
  { verdict: 'passes', reason: PART_OF, names: ['id', 'type', 'index'] },
  CARRIED,
  { verdict: 'passes', reason: 'what is called', names: ['function'], members: FUNCTION_CALL_MEMBERS },
  {
    verdict: 'passes',
    reason: 'what is called',
    names: ['custom'],
    members: fieldTable({ verdict: 'passes', reason: PART_OF, names: ['name', 'input'] }),
  },
  // The AI SDK puts there what marks the call's part, as opencode does for models of Claude.
  CACHE_CONTROL,
);

export const MESSAGE_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'what the hold goes by', names: ['role', 'content', 'audio'] },
  { verdict: 'passes', reason: 'who speaks', names: ['name', 'tool_call_id', 'tool_name', 'recipient', 'channel'] },
  {
    verdict: 'passes',
    reason: 'what the model has said before',
    names: [
      'refusal',
      'parsed',
      'annotations',
      'citations',
      'reasoning',
      'reasoning_content',
      'reasoning_text',
      'reasoning_details',
      'reasoning_opaque',
      'reasoning_signature',
      'thinking',
      'thinking_blocks',
      'phase',
    ],
  },
  { verdict: 'passes', reason: 'calls of tools', names: ['tool_calls'], members: CALL_MEMBERS },
  { verdict: 'passes', reason: 'a call of a function', names: ['function_call'], members: FUNCTION_CALL_MEMBERS },
  CARRIED,
  CACHE_CONTROL,
  CACHE_BREAKPOINT,
  {
    verdict: 'passes',
    reason: 'says nothing about the answer',
    names: [
      'id',
      'type',
      'status',
      'created',
      'created_at',
      'timestamp',
      'model',
      'index',
      'finish_reason',
      'stop_reason',
      'logprobs',
      'usage',
      'weight',
    ],
  },
  { verdict: 'passes', reason: 'an answer that goes on from this message', names: ['prefix', 'partial'] },
);

/** Members of a part of a content; those that hold a medium are read. */
export const PART_MEMBERS = fieldTable(
  {
    verdict: 'priced',
    reason: 'what the hold goes by',
    names: ['type', 'image_url', 'input_audio', 'file', 'video_url', 'audio_url', 'document_url'],
  },
  {
    verdict: 'passes',
    reason: 'what the caller or the model says',
    names: [
      'text',
      'refusal',
      'thinking',
      'reasoning',
      'summary',
      'signature',
      'data',
      'encrypted',
      'id',
      'format',
      'index',
      'closed',
    ],
  },
  { verdict: 'passes', reason: 'where a text comes from', names: ['annotations', 'citations', 'logprobs'] },
  CARRIED,
  CACHE_CONTROL,
  CACHE_BREAKPOINT,
);

export const MEDIA_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'what the hold goes by', names: ['url', 'data', 'file_data'] },
  {
    verdict: 'passes',
    reason: 'how it is read, at most as is held',
    names: ['detail', 'format', 'filename', 'mime_type'],
  },
  { verdict: 'refused', reason: SHARED, names: ['file_id'] },
);

/** The values of `type` in parts. */
export const PART_TYPES = fieldTable(
  {
    verdict: 'priced',
    reason: 'counts as a medium',
    names: ['image_url', 'input_audio', 'file', 'video_url', 'audio_url', 'document_url'],
  },
  {
    verdict: 'passes',
    reason: 'counts as text',
    names: ['text', 'input_text', 'output_text', 'refusal', 'thinking', 'redacted_thinking', 'reasoning'],
  },
);

export const STREAM_OPTIONS_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'how usage is reported', names: ['include_usage'] },
  { verdict: 'passes', reason: 'what an answer shows', names: ['include_obfuscation', 'continuous_usage_stats'] },
);

export const RESPONSE_FORMAT_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'answers by a schema', names: ['type', 'json_schema'] },
  {
    verdict: 'passes',
    reason: 'the form of the text',
    names: ['name', 'description', 'strict', 'schema', 'value', 'grammar', 'pattern', 'structures', 'triggers'],
  },
);

export const JSON_SCHEMA_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'answers by a schema', names: ['name', 'schema', 'strict'] },
  { verdict: 'passes', reason: 'a text of the request', names: ['description'] },
);

const PLACE = {
  verdict: 'passes',
  reason: 'where the provider searches',
  names: ['type', 'city', 'region', 'country', 'timezone', 'latitude', 'longitude'],
} as const;

export const SEARCH_MEMBERS = fieldTable(
  { verdict: 'passes', reason: 'how much a search finds, for its fee', names: ['search_context_size'] },
  {
    verdict: 'passes',
    reason: 'where the provider searches',
    names: ['user_location'],
    members: fieldTable(PLACE, {
      verdict: 'passes',
      reason: 'where the provider searches',
      names: ['approximate'],
      members: fieldTable(PLACE),
    }),
  },
);

export const PREDICTION_MEMBERS = fieldTable({
  verdict: 'passes',
  reason: 'counted beside the cap by its bytes',
  names: ['type', 'content'],
});

const OF_FUNCTION = [
  {
    verdict: 'passes',
    reason: 'what the tool is for, and how it is called',
    names: ['name', 'description', 'parameters', 'strict', 'arguments', 'response', 'return'],
  },
  CACHE_CONTROL,
] as const;

/** Members of one of `functions`. */
export const FUNCTION_MEMBERS = fieldTable(...OF_FUNCTION);

/** Members of a tool. */
export const TOOL_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'a tool that the caller runs', names: ['type', 'function', 'custom'] },
  {
    verdict: 'passes',
    reason: 'what the tool is for, and how it is called',
    names: [
      'name',
      'description',
      'strict',
      'defer_loading',
      'allowed_callers',
      'eager_input_streaming',
      'input_examples',
    ],
  },
  CACHE_CONTROL,
);

/** Members of `function` and `custom` in a tool. */
export const TOOL_FUNCTION_MEMBERS = fieldTable(...OF_FUNCTION, {
  verdict: 'passes',
  reason: 'the form of its input',
  names: ['format', 'input'],
});

const NAMED = fieldTable({ verdict: 'passes', reason: PART_OF, names: ['name', 'arguments', 'input'] });

export const TOOL_CHOICE_MEMBERS = fieldTable(
  {
    verdict: 'passes',
    reason: 'how tools are called',
    names: ['type', 'name', 'mode', 'tools', 'disable_parallel_tool_use'],
  },
  { verdict: 'passes', reason: 'how tools are called', names: ['function', 'custom'], members: NAMED },
  {
    verdict: 'passes',
    reason: 'how tools are called',
    names: ['allowed_tools'],
    members: fieldTable({ verdict: 'passes', reason: PART_OF, names: ['mode', 'tools'] }),
  },
);

/** Members of `reasoning` and `thinking`, which many servers support. */
export const REASONING_MEMBERS = fieldTable(
  {
    verdict: 'passes',
    reason: 'how much is thought, within the cap',
    names: ['type', 'effort', 'level', 'enabled', 'max_tokens', 'budget_tokens', 'keep', 'clear_thinking'],
  },
  { verdict: 'passes', reason: 'what an answer shows', names: ['exclude', 'summary', 'generate_summary', 'display'] },
);
