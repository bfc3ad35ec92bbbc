import { expect, test } from 'vitest';
import type { UsageJson } from '../../../src/control/admin/usage/usage-contract.ts';
import { formatRunway, runwayDays } from './runway.ts';

const DAY_MS = 86_400_000;
const TO = Date.parse('2026-11-20T12:00:00Z');
const daysBefore = (days: number): string => new Date(TO - days * DAY_MS).toISOString();

/** The usage of the last week, which began so many days before its end; null: there was none. */
function weekOf(spent: bigint, firstDays: number | null): UsageJson {
  return {
    from: daysBefore(7),
    to: daysBefore(0),
    total: { net_charge_nano_usd: spent.toString() },
    groups: [{ points: firstDays === null ? [] : [{ starts_at: daysBefore(firstDays) }] }],
  } as unknown as UsageJson;
}

test.each([
  { first: 6, days: 60 },
  // The week's first bucket begins with its day, before the week does.
  { first: 7.5, days: 70 },
  { first: 0.25, days: 10 },
])('a balance of ten times what was used since $first days ago lasts for $days days', ({ first, days }) => {
  expect(runwayDays(1_000n, weekOf(100n, first))).toBe(days);
});

test('without usage nobody knows how long a balance lasts, and one that is used up or owed lasts no longer', () => {
  expect(runwayDays(1_000n, weekOf(0n, 3))).toBeNull();
  expect(runwayDays(1_000n, weekOf(-5n, 3))).toBeNull();
  expect(runwayDays(1_000n, weekOf(100n, null))).toBeNull();
  expect(runwayDays(0n, weekOf(100n, 3))).toBe(0);
  expect(runwayDays(-70n, weekOf(100n, 3))).toBe(0);
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
