import { isObject, type JsonObject } from '../json-object.ts';
import { Untranslatable } from './untranslatable.ts';

// Fields of OpenAI's that change an answer and have no counterpart here. Those that only advise (a seed, a verbosity, a
// key for the cache) are left out, as everything that isn't known is.

/** What each field may say all the same: what it says where it is left out. */
const UNSUPPORTED: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: (value) => value === 1,
  logprobs: (value) => value === false,
  top_logprobs: (value) => value === 0,
  logit_bias: (value) => isObject(value) && Object.keys(value).length === 0,
  presence_penalty: (value) => value === 0,
  frequency_penalty: (value) => value === 0,
  functions: (value) => Array.isArray(value) && value.length === 0,
  function_call: (value) => value === 'none',
};

/** @throws Untranslatable where a field asks for what these models can't do. */
export function refuseUnsupported(body: JsonObject): void {
  for (const [field, saysNothing] of Object.entries(UNSUPPORTED)) {
    const value = body[field];
    if (value === undefined || value === null || saysNothing(value)) continue;
    throw new Untranslatable(field, `'${field}' is not supported by this model; leave it out.`);
  }
}
