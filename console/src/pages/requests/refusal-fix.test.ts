import { expect, test } from 'vitest';
import { sufficient } from './refusal-fix.tsx';

// The limit, what was left of it, what was needed, and the least limit in whole cents that would have been enough.
test.each([
  ['1000000000', '0', '1', '1.01'],
  ['1000000000', '0', '10000000', '1.01'],
  ['1000000000', '0', '10000001', '1.02'],
  ['1000000000', '400000000', '1000000000', '1.60'],
  ['1000000000', '-200000000', '50000000', '1.25'],
  ['0', '0', '5000000000', '5.00'],
])('a limit of %s with %s left, where %s was needed, is raised to %s USD', (limit, left, needed, usd) => {
  expect(sufficient({ limit_nano_usd: limit, left_nano_usd: left }, { needed_nano_usd: needed })).toBe(usd);
});
