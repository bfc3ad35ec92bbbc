import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { nameProviderKeys, PROVIDER_KEY_VARIABLES } from './provider-keys.ts';

interface Section {
  readonly kind: string;
  readonly base_url?: string;
  readonly api_key: string;
}

test('the search for keys names the providers whose keys are set, and no others', () => {
  const named = nameProviderKeys(['PATH', 'GROQ_API_KEY', 'OPENAI_API_KEY', 'MY_API_KEY']);
  expect(named.map(({ variable, name }) => [variable, name])).toEqual([
    ['OPENAI_API_KEY', 'openai'],
    ['GROQ_API_KEY', 'groq'],
  ]);
  expect(nameProviderKeys([])).toEqual([]);
});

test('the search for keys gives lines of configuration that are YAML and refer to the key by its variable', () => {
  for (const { name, variable, yaml } of nameProviderKeys(PROVIDER_KEY_VARIABLES)) {
    const parsed = parse(yaml) as { providers: Record<string, Section>; models: { routes: object[] }[] };
    const section = parsed.providers[name];
    expect(section?.api_key).toBe(`\${${variable}}`);
    expect(parsed.models[0]?.routes[0]).toMatchObject({ provider: name });
    if (section?.kind === 'openai') expect(new URL(section.base_url ?? '').protocol).toBe('https:');
    else expect(section).toEqual({ kind: name, api_key: section?.api_key });
  }
});

test('providers that have an API of their own are spoken to in it', () => {
  const named = nameProviderKeys(['ANTHROPIC_API_KEY', 'GEMINI_API_KEY']);
  expect(named.map(({ yaml }) => yaml.includes('kind: openai'))).toEqual([false, false]);
});
