import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { nameProviderKeys, PROVIDER_KEY_VARIABLES } from './provider-keys.ts';

test('names the providers whose keys are set, and no others', () => {
  const named = nameProviderKeys(['PATH', 'GROQ_API_KEY', 'OPENAI_API_KEY', 'MY_API_KEY']);
  expect(named.map(({ variable, name }) => [variable, name])).toEqual([
    ['OPENAI_API_KEY', 'openai'],
    ['GROQ_API_KEY', 'groq'],
  ]);
  expect(nameProviderKeys([])).toEqual([]);
});

test('gives lines of configuration that are YAML and refer to the key by its variable', () => {
  for (const { name, variable, baseUrl, yaml } of nameProviderKeys(PROVIDER_KEY_VARIABLES)) {
    const parsed = parse(yaml) as { providers: Record<string, object>; models: { routes: object[] }[] };
    expect(parsed.providers[name]).toEqual({ kind: 'openai', base_url: baseUrl, api_key: `\${${variable}}` });
    expect(parsed.models[0]?.routes[0]).toMatchObject({ provider: name });
    expect(new URL(baseUrl).protocol).toBe('https:');
  }
});
