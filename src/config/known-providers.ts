// Providers that are known by name, and the well-known environment variables of their keys. Only their names are used here,
// never their values.

/** A provider, as a first config file may have it. */
export interface KnownProvider {
  /** Its name in the file. */
  readonly name: string;
  /** The environment variable in which people keep its key. */
  readonly variable: string;
  /** Its section of the file without the key. */
  readonly section: ProviderSection;
  /** Its name in the community's price map. */
  readonly vendor: string;
}

export type ProviderSection =
  | { readonly kind: 'openai'; readonly base_url: string }
  | { readonly kind: 'anthropic' | 'gemini'; readonly base_url?: string };

/** A provider that is reached at its OpenAI-compatible endpoint. */
function compatible(variable: string, name: string, baseUrl: string, vendor = name): KnownProvider {
  return { name, variable, section: { kind: 'openai', base_url: baseUrl }, vendor };
}

export const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  compatible('OPENAI_API_KEY', 'openai', 'https://api.openai.com/v1'),
  { name: 'anthropic', variable: 'ANTHROPIC_API_KEY', section: { kind: 'anthropic' }, vendor: 'anthropic' },
  { name: 'gemini', variable: 'GEMINI_API_KEY', section: { kind: 'gemini' }, vendor: 'gemini' },
  compatible('GROQ_API_KEY', 'groq', 'https://api.groq.com/openai/v1'),
  compatible('MISTRAL_API_KEY', 'mistral', 'https://api.mistral.ai/v1'),
  compatible('DEEPSEEK_API_KEY', 'deepseek', 'https://api.deepseek.com/v1'),
  compatible('XAI_API_KEY', 'xai', 'https://api.x.ai/v1'),
  compatible('MOONSHOT_API_KEY', 'moonshot', 'https://api.moonshot.ai/v1'),
  compatible('OPENROUTER_API_KEY', 'openrouter', 'https://openrouter.ai/api/v1'),
  compatible('TOGETHER_API_KEY', 'together', 'https://api.together.xyz/v1', 'together_ai'),
  compatible('FIREWORKS_API_KEY', 'fireworks', 'https://api.fireworks.ai/inference/v1', 'fireworks_ai'),
  compatible('CEREBRAS_API_KEY', 'cerebras', 'https://api.cerebras.ai/v1'),
];

/** The known providers whose keys are among these set variables, given by name. */
export function providersOfKeys(variables: readonly string[]): readonly KnownProvider[] {
  return KNOWN_PROVIDERS.filter((provider) => variables.includes(provider.variable));
}
