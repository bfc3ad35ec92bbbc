import { expect, test } from 'vitest';
import { formatDuration, rateHeaders } from './rate-headers.ts';

test.each([
  [0, '0s'],
  [1, '1ms'],
  [120, '120ms'],
  [999, '999ms'],
  [1_000, '1s'],
  [1_500, '1.5s'],
  [8_064, '8.064s'],
  [60_000, '1m0s'],
  [360_000, '6m0s'],
  [72_500, '1m12.5s'],
  [3_600_000, '1h0m0s'],
  [5_025_007, '1h23m45.007s'],
])('a wait is written as OpenAI writes it: %d ms is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test('only limits that the project has are told', () => {
  const requests = { limit: 60, remaining: 59, resetMs: 1_000 };
  expect(rateHeaders({ requests: null, tokens: null })).toEqual([]);
  expect(rateHeaders({ requests, tokens: null })).toEqual([
    'x-ratelimit-limit-requests',
    '60',
    'x-ratelimit-remaining-requests',
    '59',
    'x-ratelimit-reset-requests',
    '1s',
  ]);
});

test('the headers give the tokens that are left and their limit', () => {
  const tokens = { limit: 1_000, remaining: 400, resetMs: 36_000 };
  expect(rateHeaders({ requests: null, tokens })).toEqual([
    'x-ratelimit-limit-tokens',
    '1000',
    'x-ratelimit-remaining-tokens',
    '400',
    'x-ratelimit-reset-tokens',
    '36s',
  ]);
});
