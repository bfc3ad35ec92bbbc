/**
 * Fields of a chat request that say nothing about the answer, so that a provider without a word for them may do without;
 * the gate has refused the values of them that would.
 */
export const SILENT_FIELDS: readonly string[] = [
  'user',
  'safety_identifier',
  'metadata',
  'store',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'service_tier',
  'speed',
  'enable_search',
  'modalities',
];
