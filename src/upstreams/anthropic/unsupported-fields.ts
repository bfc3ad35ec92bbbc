import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { SILENT_FIELDS } from '../silent-fields.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';

// Fields that have no counterpart here. To leave out what changes an answer would be to answer another question.

const TAKEN_FIELDS: ReadonlySet<string> = new Set([
  ...SILENT_FIELDS,
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

/** Allowed values of other fields: their defaults. */
const SAYS_NOTHING: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: (value) => value === 1,
  logprobs: (value) => value === false,
  top_logprobs: (value) => value === 0,
  logit_bias: (value) => isObject(value) && Object.keys(value).length === 0,
  presence_penalty: (value) => value === 0,
  frequency_penalty: (value) => value === 0,
  verbosity: (value) => value === 'medium',
  functions: (value) => Array.isArray(value) && value.length === 0,
  function_call: (value) => value === 'none',
};

/** @throws Untranslatable if a field asks for something that these models can't do, or is unknown. */
export function refuseUnsupported(body: JsonObject): void {
  for (const [field, value] of Object.entries(body)) {
    if (TAKEN_FIELDS.has(field) || value === null) continue;
    if (Object.hasOwn(SAYS_NOTHING, field) && SAYS_NOTHING[field]?.(value) === true) continue;
    // No text of a body gets into errors but what is a name.
    const param = /^\w{1,64}$/.test(field) ? field : null;
    const name = param === null ? 'A field of the body' : `'${param}'`;
    throw new Untranslatable(param, `${name} is not supported by this model; leave it out.`);
  }
}
