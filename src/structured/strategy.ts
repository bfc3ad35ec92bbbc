import type { SchemaProvider } from './provider-rules.ts';
import type { SchemaForms } from './schema-forms.ts';

/**
 * How an upstream is asked for JSON by a schema, as it stands on the receipt.
 * - `strict`: by its own structured output, with the schema in the form that it takes, and enforces.
 * - `native`: by its own structured output, with the caller's schema; how far it is enforced is the upstream's matter.
 * - `json_mode`: by its JSON mode, with the schema in an instruction.
 * - `tool`: by a function that it must call, whose parameters are the schema.
 * - `instruction`: by an instruction alone.
 */
export type Strategy = 'strict' | 'native' | 'json_mode' | 'tool' | 'instruction';

/** An upstream's support of schemas. */
export interface Capability {
  readonly support: 'strict' | 'json_mode' | 'tool' | 'none';
  /** Whose rules schemas must keep to there; null if the caller's is sent as it is. */
  readonly provider: SchemaProvider | null;
}

/** The caller's own tools: none, some that the model may call, or some that it must or must not call. */
export type OwnTools = 'none' | 'free' | 'forced' | 'forbidden';

/** The ways to ask an upstream by this schema, the strongest first; each next one is for when that was turned down. */
export function strategiesFor(
  { support, provider }: Capability,
  forms: SchemaForms,
  tools: OwnTools,
): readonly [Strategy, ...Strategy[]] {
  const strategies: Strategy[] = [];
  if (support === 'strict') {
    if (provider === null) {
      if (forms.isCurrent) strategies.push('native');
    } else if (forms.byProvider[provider] !== null) strategies.push('strict');
    // OpenAI takes any object's schema as long as it isn't asked to enforce it.
    else if (provider === 'openai' && forms.root === 'object') strategies.push('native');
  }
  if (support === 'tool' && forms.root === 'object' && forms.isCurrent && tools !== 'forced') strategies.push('tool');
  if ((support === 'strict' || support === 'json_mode') && forms.root !== 'any') strategies.push('json_mode');
  return [...strategies, 'instruction'] as unknown as readonly [Strategy, ...Strategy[]];
}
