import { expect, test } from 'vitest';
import { type Certainty, inputTokens, NO_TOKENS, sumUsage, type TokenCounts } from './usage.ts';

const COUNTS: TokenCounts = {
  input: 1,
  cached_input: 2,
  cache_write_5m: 4,
  cache_write_1h: 8,
  audio_input: 16,
  output: 32,
  audio_output: 64,
};

test('tokens of two answers add up class by class, and the input is all that was read', () => {
  const sum = sumUsage({ tokens: COUNTS, certainty: 'exact' }, { tokens: COUNTS, certainty: 'exact' });
  expect(Object.entries(sum.tokens)).toEqual(Object.entries(COUNTS).map(([name, count]) => [name, 2 * count]));
  expect(inputTokens(COUNTS)).toBe(31);
  expect(sumUsage({ tokens: NO_TOKENS, certainty: 'exact' }, sum).tokens).toEqual(sum.tokens);
});

test.each<[Certainty, Certainty, Certainty]>([
  ['exact', 'exact', 'exact'],
  ['exact', 'estimated', 'estimated'],
  ['estimated', 'exact', 'estimated'],
  ['estimated', 'estimated', 'estimated'],
])('usage that is %s and usage that is %s are %s together', (one, other, together) => {
  const sum = sumUsage({ tokens: NO_TOKENS, certainty: one }, { tokens: NO_TOKENS, certainty: other });
  expect(sum.certainty).toBe(together);
});
