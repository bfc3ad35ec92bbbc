// Usage in disjoint classes: a token is counted in exactly one of them.

export const TOKEN_CLASSES = [
  'input',
  'cached_input',
  'cache_write_5m',
  'cache_write_1h',
  'audio_input',
  'output',
  'audio_output',
] as const;

export type TokenClass = (typeof TOKEN_CLASSES)[number];

export const INPUT_CLASSES = ['input', 'cached_input', 'cache_write_5m', 'cache_write_1h', 'audio_input'] as const;

export const OUTPUT_CLASSES = ['output', 'audio_output'] as const;

/** Whole, non-negative token counts, one for each class. */
export type TokenCounts = Readonly<Record<TokenClass, number>>;

/** `exact`: reported by the upstream; `estimated`: the upstream reported nothing. */
export type Certainty = 'exact' | 'estimated';

export interface Usage {
  readonly tokens: TokenCounts;
  readonly certainty: Certainty;
}

export const NO_TOKENS: TokenCounts = Object.freeze({
  input: 0,
  cached_input: 0,
  cache_write_5m: 0,
  cache_write_1h: 0,
  audio_input: 0,
  output: 0,
  audio_output: 0,
});

/** All input tokens of a request, of any class; price tiers depend on it. */
export function inputTokens(tokens: TokenCounts): number {
  return INPUT_CLASSES.reduce((sum, tokenClass) => sum + tokens[tokenClass], 0);
}

/** All output tokens of a request, of any class. */
export function outputTokens(tokens: TokenCounts): number {
  return OUTPUT_CLASSES.reduce((sum, tokenClass) => sum + tokens[tokenClass], 0);
}

/** The sum of both; exact only if both are. */
export function sumUsage(one: Usage, other: Usage): Usage {
  const tokens = { ...one.tokens };
  for (const tokenClass of TOKEN_CLASSES) tokens[tokenClass] += other.tokens[tokenClass];
  const isExact = one.certainty === 'exact' && other.certainty === 'exact';
  return { tokens, certainty: isExact ? 'exact' : 'estimated' };
}
