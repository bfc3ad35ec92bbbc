import { SILENT_IN_CHAT } from '../../openai/chat-fields.ts';
import { isObject } from '../../openai/json-object.ts';
import type { ReadFields } from '../../openai/untranslatable.ts';

const NAMES: ReadonlySet<string> = new Set([
  ...SILENT_IN_CHAT,
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'thinking',
  'cache_control',
  // It promises only an attempt, so it may be ignored.
  'seed',
]);

/** The fields of a chat request with an equivalent in the Messages API; defaults of other fields request nothing. */
export const READ_FIELDS: ReadFields = {
  names: NAMES,
  saysNothing: {
    n: (value) => value === 1,
    logprobs: (value) => value === false,
    top_logprobs: (value) => value === 0,
    logit_bias: (value) => isObject(value) && Object.keys(value).length === 0,
    presence_penalty: (value) => value === 0,
    frequency_penalty: (value) => value === 0,
    verbosity: (value) => value === 'medium',
    functions: (value) => Array.isArray(value) && value.length === 0,
    function_call: (value) => value === 'none',
  },
};
