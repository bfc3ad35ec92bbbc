import type { Ability } from './asked.ts';

// How a provider refuses, in terms that all kinds share. The name of a failure is the model's name at the vendor.

/** How a provider fails. The message is what the caller may read, where the caller can help it. */
export interface Failure {
  readonly name:
    | 'bad_request'
    | 'prompt_block'
    | 'bad_key'
    | 'unknown_model'
    | 'rate_limit'
    | 'overload'
    | 'server_error';
  readonly message: string;
  /** Seconds, in the header `retry-after`; null: there is none. */
  readonly retryAfter: number | null;
}

const failure = (name: Failure['name'], message: string, retryAfter: number | null = null): Failure => ({
  name,
  message,
  retryAfter,
});

/** The failures that a caller can help, and what it is told then. */
export const CALLER_FAILURES: readonly (Failure & { readonly needs?: Ability })[] = [
  failure('bad_request', 'temperature: must be at most 2'),
  { ...failure('prompt_block', 'The prompt was blocked by the content policy.'), needs: 'prompt_block' },
];

/** The failures that no caller can help, and need not know about. */
export const PROVIDER_FAILURES: readonly Failure[] = [
  failure('bad_key', 'the key is not valid'),
  failure('unknown_model', 'no such model here'),
  failure('rate_limit', 'too many requests', 7),
  failure('overload', 'overloaded at the moment'),
  failure('server_error', 'something broke'),
];
