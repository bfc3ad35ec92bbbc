import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OpenAiProviderConfig } from '../../../config/config.ts';
import { OPENAI_PROFILE_NAMES } from '../../../config/openai-profile-names.ts';
import { profileOf } from './profiles.ts';

function provider(more: Partial<OpenAiProviderConfig> = {}): OpenAiProviderConfig {
  return {
    name: 'p',
    kind: 'openai',
    baseUrl: 'https://models.example.com/v1',
    apiKey: null,
    proxy: null,
    tls: null,
    concurrencyMax: null,
    drains: false,
    profile: null,
    capField: null,
    needsCap: null,
    hasCompletions: null,
    ...more,
  };
}

const at = (baseUrl: string) => profileOf(provider({ baseUrl }));
const named = (profile: NonNullable<OpenAiProviderConfig['profile']>) => profileOf(provider({ profile }));

test.each([
  ['https://api.openai.com/v1', 'openai'],
  ['https://eu.api.openai.com/v1', 'openai'],
  ['http://127.0.0.1:11434/v1', 'ollama'],
  ['http://gpu-box:11434/v1', 'ollama'],
  ['http://localhost:1234/v1', 'lmstudio'],
  ['https://api.groq.com/openai/v1', 'groq'],
  ['https://api.x.ai/v1', 'xai'],
  ['https://api.deepseek.com/v1', 'deepseek'],
  ['https://api.mistral.ai/v1', 'mistral'],
  ['https://codestral.mistral.ai/v1', 'mistral'],
  ['https://openrouter.ai/api/v1', 'openrouter'],
  ['https://api.together.xyz/v1', 'together'],
  ['https://api.fireworks.ai/inference/v1', 'fireworks'],
  ['https://api.perplexity.ai', 'perplexity'],
  ['https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'qwen'],
  ['https://api.moonshot.ai/v1', 'moonshot'],
  ['https://generativelanguage.googleapis.com/v1beta/openai', 'gemini'],
  ['https://api.anthropic.com/v1', 'anthropic'],
] as const)('the address chooses the profile: %s is %s', (baseUrl, name) => {
  expect(at(baseUrl)).toEqual(named(name));
  expect(at(baseUrl)).not.toEqual(named('generic'));
});

test.each([
  'https://models.example.com/v1',
  'https://api.openai.com.example.com/v1',
  'https://notapi.openai.com.evil.test/v1',
  'https://fakeopenrouter.ai/v1',
  'http://127.0.0.1:8000/v1',
])('the address chooses the profile: %s is nobody that is known', (baseUrl) => {
  expect(at(baseUrl)).toEqual(named('generic'));
});

test('a profile that is named wins over the address, and a setting over both', () => {
  const ollama = profileOf(provider({ baseUrl: 'https://api.openai.com/v1', profile: 'ollama' }));
  expect(ollama).toMatchObject({ capField: 'max_tokens', needsCap: true, padsStreams: false });
  const set = provider({ profile: 'ollama', capField: 'max_completion_tokens', needsCap: false });
  expect(profileOf(set)).toMatchObject({ capField: 'max_completion_tokens', needsCap: false });
});

test('servers of one’s own are always told where to stop', () => {
  for (const name of ['ollama', 'vllm', 'llamacpp', 'lmstudio'] as const) expect(named(name).needsCap).toBe(true);
});

test('a model’s reasoning goes back to all but the servers that are known not to read it', () => {
  const strict = OPENAI_PROFILE_NAMES.filter((name) => !named(name).readsReasoning);
  expect(strict.toSorted()).toEqual(['anthropic', 'gemini', 'groq', 'mistral', 'openai']);
});

test('every name that the config file takes has a profile', () => {
  for (const name of OPENAI_PROFILE_NAMES) expect(named(name).capField).toMatch(/^max_(completion_)?tokens$/);
});

test('the manual’s table of profiles says what is so', () => {
  const manual = readFileSync(join(import.meta.dirname, '../../../../docs/providers.md'), 'utf8');
  const rows = [...manual.matchAll(/^\| `(\w+)` \|(.*)\|(.*)\|(.*)\|(.*)\|$/gm)].map((row) =>
    row.slice(1).map((cell) => cell.trim()),
  );
  const support = { strict: 'yes', json_mode: 'JSON mode', tool: 'by a tool', none: 'no' };
  const expected = OPENAI_PROFILE_NAMES.map((name) => {
    const { domains = [], port, capField, needsCap, structuredSupport } = named(name);
    const places = [...domains.map((domain) => `\`${domain}\``), ...(port === undefined ? [] : [`port ${port}`])];
    const chosenBy = name === 'generic' ? 'anything else' : places.join(', ');
    return [name, chosenBy, `\`${capField}\``, needsCap ? 'yes' : '', support[structuredSupport]];
  });
  const byName = (table: readonly (readonly unknown[])[]) => new Map(table.map(([name, ...cells]) => [name, cells]));
  expect(byName(rows)).toEqual(byName(expected));
});
