import type { SchemaProvider } from './provider-rules.ts';
import type { SchemaForms } from './schema-forms.ts';

/**
 * How an upstream is asked for JSON by a schema; part of the receipt.
 * - `passthrough`: the caller's own request, in its dialect, which the upstream speaks; not used for chat.
 * - `strict`: structured output, with the schema in the form that the upstream enforces.
 * - `native`: structured output, with the caller's schema; how far it is enforced is up to the upstream.
 * - `json_mode`: JSON mode, with the schema in an instruction.
 * - `tool`: a function that the model must call, with the schema as its parameters.
 * - `instruction`: an instruction only.
 */
export type Strategy = 'passthrough' | ChatStrategy;

/** The strategies for chat requests. */
export type ChatStrategy = 'strict' | 'native' | 'json_mode' | 'tool' | 'instruction';

/** An upstream's support of schemas. */
export interface Capability {
  readonly support: 'strict' | 'json_mode' | 'tool' | 'none';
  /** The provider whose rules its schemas must follow; null if the caller's is sent unchanged. */
  readonly provider: SchemaProvider | null;
}

/** The caller's own tools: none, some that the model may call, or some that it must or must not call. */
export type OwnTools = 'none' | 'free' | 'forced' | 'forbidden';

/** Whether an upstream of the caller's dialect is likely to accept the schema unchanged. */
export function takesAsSent({ support, provider }: Capability, forms: SchemaForms): boolean {
  if (support !== 'strict') return false;
  return provider === null ? forms.isCurrent : forms.root === 'object';
}

/**
 * The strategies for this schema and upstream in chat, the strongest first; each is for when the last was rejected.
 */
export function strategiesFor(
  { support, provider }: Capability,
  forms: SchemaForms,
  tools: OwnTools,
): readonly [ChatStrategy, ...ChatStrategy[]] {
  const strategies: ChatStrategy[] = [];
  if (support === 'strict') {
    if (provider === null) {
      if (forms.isCurrent) strategies.push('native');
    } else if (forms.byProvider[provider] !== null) strategies.push('strict');
    // OpenAI accepts any object schema if it isn't asked to enforce it.
    else if (provider === 'openai' && forms.root === 'object') strategies.push('native');
  }
  if (support === 'tool' && forms.root === 'object' && forms.isCurrent && tools !== 'forced') strategies.push('tool');
  if ((support === 'strict' || support === 'json_mode') && forms.root !== 'any') strategies.push('json_mode');
  return [...strategies, 'instruction'] as unknown as readonly [ChatStrategy, ...ChatStrategy[]];
}
