import { expect, test } from 'vitest';
import { normalisedEmail } from './emails.ts';

test.each([
  [' Ada@Example.COM\n', 'ada@example.com'],
  ['Jo\u0308rg@example.com', 'j\u00f6rg@example.com'],
  ['ada', null],
  ['', null],
  ['ada@example.com, eve@example.com', null],
])('the address %j is stored as %j', (given, stored) => {
  expect(normalisedEmail(given)).toBe(stored);
});
