import { expect, test } from 'vitest';
import type { MarginPeriod } from './choices.ts';
import { periodBounds } from './margins.ts';

const day = (text: string): string => `${text}T00:00:00.000Z`;

// Whole days of UTC, the present one included.
test.each<[MarginPeriod, string, object]>([
  ['7d', '2026-03-17T14:25:00Z', { from: day('2026-03-11') }],
  ['30d', '2026-03-17T14:25:00Z', { from: day('2026-02-16') }],
  ['90d', '2026-03-17T14:25:00Z', { from: day('2025-12-18') }],
  ['month', '2026-03-17T14:25:00Z', { from: day('2026-03-01') }],
  ['former-month', '2026-03-17T14:25:00Z', { from: day('2026-02-01'), to: day('2026-03-01') }],
  ['month', '2026-03-01T00:00:00Z', { from: day('2026-03-01') }],
  ['former-month', '2026-01-31T23:59:59Z', { from: day('2025-12-01'), to: day('2026-01-01') }],
])('margins of the period %s, asked for at %s, are of its whole days', (period, now, bounds) => {
  expect(periodBounds(period, Date.parse(now))).toEqual(bounds);
});
