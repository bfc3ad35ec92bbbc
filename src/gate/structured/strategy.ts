import type { SchemaProvider } from './provider-rules.ts';
import type { SchemaForms } from './schema-forms.ts';

/**
 * How an upstream is asked for JSON by a schema, as it stands on the receipt.
 * - `passthrough`: by the caller's own request, in its dialect, which the upstream speaks; a chat request is none.
 * - `strict`: by its own structured output, with the schema in the form that it takes, and enforces.
 * - `native`: by its own structured output, with the caller's schema; how far it is enforced is the upstream's matter.
 * - `json_mode`: by its JSON mode, with the schema in an instruction.
 * - `tool`: by a function that it must call, whose parameters are the schema.
 * - `instruction`: by an instruction alone.
 */
export type Strategy = 'passthrough' | ChatStrategy;

/** The strategies by which a chat request is shaped. */
export type ChatStrategy = 'strict' | 'native' | 'json_mode' | 'tool' | 'instruction';

/** An upstream's support of schemas. */
export interface Capability {
  readonly support: 'strict' | 'json_mode' | 'tool' | 'none';
  /** Whose rules schemas must keep to there; null if the caller's is sent as it is. */
  readonly provider: SchemaProvider | null;
}

/** The caller's own tools: none, some that the model may call, or some that it must or must not call. */
export type OwnTools = 'none' | 'free' | 'forced' | 'forbidden';

/** Whether an upstream that speaks the caller's dialect may be expected to take the schema as it was sent. */
export function takesAsSent({ support, provider }: Capability, forms: SchemaForms): boolean {
  if (support !== 'strict') return false;
  return provider === null ? forms.isCurrent : forms.root === 'object';
}

/** The ways to ask an upstream in chat by this schema, the strongest first; each next one is for when that was turned down. */
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
    // OpenAI takes any object's schema as long as it isn't asked to enforce it.
    else if (provider === 'openai' && forms.root === 'object') strategies.push('native');
  }
  if (support === 'tool' && forms.root === 'object' && forms.isCurrent && tools !== 'forced') strategies.push('tool');
  if ((support === 'strict' || support === 'json_mode') && forms.root !== 'any') strategies.push('json_mode');
  return [...strategies, 'instruction'] as unknown as readonly [ChatStrategy, ...ChatStrategy[]];
}
