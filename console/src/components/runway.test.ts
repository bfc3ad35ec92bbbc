import { expect, test } from 'vitest';
import type { UsageJson } from '../../../src/control/admin/usage/usage-contract.ts';
import { burnSince } from '../api/burn.ts';
import { formatRunway, runwayDays } from './runway.ts';

const DAY_MS = 86_400_000;
const TO = Date.parse('2026-11-20T12:00:00Z');
const daysBefore = (days: number): string => new Date(TO - days * DAY_MS).toISOString();

const usage = (spent: readonly (readonly [days: number, spent: bigint])[]): UsageJson =>
  ({
    to: daysBefore(0),
    groups: [
      {
        points: spent.map(([days, amount]) => ({
          starts_at: daysBefore(days),
          sums: { net_charge_nano_usd: `${amount}` },
        })),
      },
    ],
  }) as unknown as UsageJson;

const WEEK_AGO = TO - 7 * DAY_MS;

/** How long 1,000 nano-USD last after these days. */
const runway = (spent: readonly (readonly [days: number, spent: bigint])[], balance = 1_000n): number | null =>
  runwayDays(balance, burnSince(WEEK_AGO, usage(spent)));

test.each([
  { first: 6, days: 60 },
  { first: 7, days: 70 },
  { first: 0.25, days: 10 },
])('a balance of ten times what was used since $first days ago lasts for $days days', ({ first, days }) => {
  expect(runway([[first, 100n]])).toBe(days);
});

test('what was spent before the week does not count, and each day in it does', () => {
  expect(
    runway([
      [9, 5_000n],
      [6, 60n],
      [2, 40n],
    ]),
  ).toBe(60);
  expect(runway([[9, 5_000n]])).toBeNull();
});

test('without usage nobody knows how long a balance lasts, and one that is used up or owed lasts no longer', () => {
  expect(runway([[3, 0n]])).toBeNull();
  expect(runway([[3, -5n]])).toBeNull();
  expect(runway([])).toBeNull();
  expect(runway([[3, 100n]], 0n)).toBe(0);
  expect(runway([[3, 100n]], -70n)).toBe(0);
});

test.each([
  [365.01, 'over a year'],
  [365, '365 days'],
  [2, '2 days'],
  [1.99, '47 hours'],
  [1 / 24, '1 hour'],
  [0, '0 hours'],
])('a runway of %d days is "%s"', (days, words) => {
  expect(formatRunway(days)).toBe(words);
});
