import { expect, test } from 'vitest';
import { betaName, betasIn, isKnownBeta, OF_OTHER_APIS, unknownBetasIn } from './known-betas.ts';

test.each([
  ['context-1m-2025-08-07', 'context-1m'],
  ['files-api-20250414', 'files-api'],
  ['context-1m', 'context-1m'],
  ['context-1m-2025-08-07-x', 'context-1m-2025-08-07-x'],
  ['a-2025', 'a-2025'],
  ['2025-08-07', '2025-08-07'],
])('a beta goes by its name without its date, however that is written: %s', (beta, name) => {
  expect(betaName(beta)).toBe(name);
});

test('the betas of a header are those between its commas', () => {
  expect(betasIn(' a-2025-01-01,b ,, c')).toEqual(['a-2025-01-01', 'b', 'c']);
  expect(betasIn('')).toEqual([]);
});

test.each([
  [undefined, []],
  ['', []],
  ['context-1m-2025-08-07, effort-2025-11-24', []],
  ['context-9m-2025-08-07,context-1m-2025-08-07', ['context-9m-2025-08-07']],
  ['constructor', ['constructor']],
  ['x'.repeat(64), ['x'.repeat(64)]],
  [`${'x'.repeat(65)},<b>,a b`, ['anthropic-beta', 'anthropic-beta', 'anthropic-beta']],
])('betas that nobody has judged are named, if their names may be shown: %s', (header, unknown) => {
  expect(unknownBetasIn(header)).toEqual(unknown);
});

test('a beta of another API is sent to no provider', () => {
  expect([...OF_OTHER_APIS].filter(isKnownBeta)).toEqual([]);
  expect(isKnownBeta('message-batches-2024-09-24')).toBe(false);
});
