// Providers whose API keys are commonly stored in well-known environment variables. Only their names are used here,
// never their values.

interface KnownProvider {
  readonly variable: string;
  readonly name: string;
  /** The provider's section of the configuration file without the key. */
  readonly section: string;
}

/** A provider whose key is set, with a configuration that uses it. */
export interface NamedProviderKey extends KnownProvider {
  /** Lines for the configuration file; the operator fills in the parts in angle brackets. */
  readonly yaml: string;
}

/** A provider that is reached at its OpenAI-compatible endpoint. */
const compatible = (variable: string, name: string, baseUrl: string): KnownProvider => ({
  variable,
  name,
  section: `kind: openai, base_url: ${baseUrl}`,
});

const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  compatible('OPENAI_API_KEY', 'openai', 'https://api.openai.com/v1'),
  { variable: 'ANTHROPIC_API_KEY', name: 'anthropic', section: 'kind: anthropic' },
  { variable: 'GEMINI_API_KEY', name: 'gemini', section: 'kind: gemini' },
  compatible('GROQ_API_KEY', 'groq', 'https://api.groq.com/openai/v1'),
  compatible('MISTRAL_API_KEY', 'mistral', 'https://api.mistral.ai/v1'),
  compatible('DEEPSEEK_API_KEY', 'deepseek', 'https://api.deepseek.com/v1'),
  compatible('XAI_API_KEY', 'xai', 'https://api.x.ai/v1'),
  compatible('OPENROUTER_API_KEY', 'openrouter', 'https://openrouter.ai/api/v1'),
  compatible('TOGETHER_API_KEY', 'together', 'https://api.together.xyz/v1'),
  compatible('FIREWORKS_API_KEY', 'fireworks', 'https://api.fireworks.ai/inference/v1'),
  compatible('CEREBRAS_API_KEY', 'cerebras', 'https://api.cerebras.ai/v1'),
];

/** All these environment variables. */
export const PROVIDER_KEY_VARIABLES: readonly string[] = KNOWN_PROVIDERS.map((provider) => provider.variable);

function yamlFor(provider: KnownProvider): string {
  return [
    'providers:',
    `  ${provider.name}: { ${provider.section}, api_key: "\${${provider.variable}}" }`,
    'models:',
    `  - id: ${provider.name}/<model>`,
    `    routes: [{ provider: ${provider.name}, model: <model> }]`,
    '    price: { input: "<USD per million tokens>", output: "<USD per million tokens>" }',
    '    context_window: <tokens>',
    '    max_output: <tokens>',
  ].join('\n');
}

/** The known providers whose keys are among these set variables, given by name. */
export function nameProviderKeys(variables: readonly string[]): readonly NamedProviderKey[] {
  return KNOWN_PROVIDERS.filter((provider) => variables.includes(provider.variable)).map((provider) => ({
    ...provider,
    yaml: yamlFor(provider),
  }));
}
