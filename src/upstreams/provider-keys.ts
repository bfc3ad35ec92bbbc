// Providers whose API keys people keep in well-known environment variables. Keys are named, never read, here.

interface KnownProvider {
  readonly variable: string;
  readonly name: string;
  readonly baseUrl: string;
}

/** A provider whose key is set, and the configuration that would put it to use. */
export interface NamedProviderKey extends KnownProvider {
  /** Lines for the configuration file; what stands in angle brackets is for the operator to fill in. */
  readonly yaml: string;
}

/** The OpenAI-compatible endpoint of each. */
const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  { variable: 'OPENAI_API_KEY', name: 'openai', baseUrl: 'https://api.openai.com/v1' },
  { variable: 'ANTHROPIC_API_KEY', name: 'anthropic', baseUrl: 'https://api.anthropic.com/v1' },
  { variable: 'GEMINI_API_KEY', name: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  { variable: 'GROQ_API_KEY', name: 'groq', baseUrl: 'https://api.groq.com/openai/v1' },
  { variable: 'MISTRAL_API_KEY', name: 'mistral', baseUrl: 'https://api.mistral.ai/v1' },
  { variable: 'DEEPSEEK_API_KEY', name: 'deepseek', baseUrl: 'https://api.deepseek.com/v1' },
  { variable: 'XAI_API_KEY', name: 'xai', baseUrl: 'https://api.x.ai/v1' },
  { variable: 'OPENROUTER_API_KEY', name: 'openrouter', baseUrl: 'https://openrouter.ai/api/v1' },
  { variable: 'TOGETHER_API_KEY', name: 'together', baseUrl: 'https://api.together.xyz/v1' },
  { variable: 'FIREWORKS_API_KEY', name: 'fireworks', baseUrl: 'https://api.fireworks.ai/inference/v1' },
  { variable: 'CEREBRAS_API_KEY', name: 'cerebras', baseUrl: 'https://api.cerebras.ai/v1' },
];

/** Every environment variable that is looked for. */
export const PROVIDER_KEY_VARIABLES: readonly string[] = KNOWN_PROVIDERS.map((provider) => provider.variable);

function yamlFor(provider: KnownProvider): string {
  return [
    'providers:',
    `  ${provider.name}: { kind: openai, base_url: ${provider.baseUrl}, api_key: "\${${provider.variable}}" }`,
    'models:',
    `  - id: ${provider.name}/<model>`,
    `    routes: [{ provider: ${provider.name}, model: <model> }]`,
    '    price: { input: "<USD per million tokens>", output: "<USD per million tokens>" }',
    '    context_window: <tokens>',
    '    max_output: <tokens>',
  ].join('\n');
}

/** Of the environment variables that are set, given by name, those that are a known provider's key. */
export function nameProviderKeys(variables: readonly string[]): readonly NamedProviderKey[] {
  return KNOWN_PROVIDERS.filter((provider) => variables.includes(provider.variable)).map((provider) => ({
    ...provider,
    yaml: yamlFor(provider),
  }));
}
