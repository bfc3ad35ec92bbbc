import { expect, test } from 'vitest';
import type { OpenAiProviderConfig, ProviderConfig } from '../config.ts';
import { providerFor } from './provider-choice.ts';

const BASICS = { apiKey: null, proxy: null, tls: null, concurrencyMax: null, drains: false };

function openai(name: string, more: Partial<OpenAiProviderConfig> = {}): ProviderConfig {
  const own = {
    kind: 'openai',
    baseUrl: 'http://127.0.0.1:1/v1',
    profile: null,
    capField: null,
    needsCap: null,
    hasCompletions: null,
  } as const;
  return { name, ...own, ...BASICS, ...more };
}

const CLAUDE: ProviderConfig = { name: 'claude', kind: 'anthropic', baseUrl: 'http://h', version: '1', ...BASICS };

test.each([
  ['groq', [openai('groq'), openai('other')], 'groq'],
  ['openai', [openai('own'), openai('real', { baseUrl: 'https://api.openai.com/v1' })], 'real'],
  ['openai', [openai('own', { profile: 'openai' })], 'own'],
  ['together_ai', [openai('t', { profile: 'together' })], 't'],
  ['anthropic', [CLAUDE, openai('compat', { profile: 'generic' })], 'claude'],
  ['anthropic', [CLAUDE, { ...CLAUDE, name: 'anthropic' }], 'anthropic'],
  ['anthropic', [CLAUDE, { ...CLAUDE, name: 'second' }], null],
  ['openai', [openai('own')], null],
  ['bedrock', [CLAUDE], null],
])('models of %s run at the provider of that name, or the only one of that kind', (vendor, providers, name) => {
  expect(providerFor(vendor, providers)).toBe(name);
});
