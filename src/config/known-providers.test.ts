import { expect, test } from 'vitest';
import { providersOfKeys } from './known-providers.ts';

test('the search for keys names the providers whose keys are set, and no others', () => {
  const found = providersOfKeys(['PATH', 'GROQ_API_KEY', 'OPENAI_API_KEY', 'MY_API_KEY']);
  expect(found.map(({ variable, name }) => [variable, name])).toEqual([
    ['OPENAI_API_KEY', 'openai'],
    ['GROQ_API_KEY', 'groq'],
  ]);
  expect(providersOfKeys([])).toEqual([]);
});
