import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PERIODS, windowAt } from './window.ts';

const DAY_MS = 86_400_000;
const bounds = (period: (typeof PERIODS)[number], now: string): readonly (string | null)[] => {
  const { startMs, endMs } = windowAt(period, Date.parse(now));
  return [startMs, endMs].map((ms) => (ms === null ? null : new Date(ms).toISOString().replace(':00.000Z', 'Z')));
};

test.each([
  ['day', '2028-02-29T23:59:59.999Z', '2028-02-29T00:00Z', '2028-03-01T00:00Z'],
  ['day', '2027-02-28T12:00:00Z', '2027-02-28T00:00Z', '2027-03-01T00:00Z'],
  ['month', '2028-02-29T12:00:00Z', '2028-02-01T00:00Z', '2028-03-01T00:00Z'],
  ['month', '2027-12-31T23:59:59.999Z', '2027-12-01T00:00Z', '2028-01-01T00:00Z'],
  ['month', '2028-01-01T00:00:00.000Z', '2028-01-01T00:00Z', '2028-02-01T00:00Z'],
  // Many places change their clocks on these days, but a day in UTC has 24 hours.
  ['day', '2027-03-28T02:30:00Z', '2027-03-28T00:00Z', '2027-03-29T00:00Z'],
  ['day', '2027-10-31T01:30:00Z', '2027-10-31T00:00Z', '2027-11-01T00:00Z'],
  // ISO weeks: 2026 has 53, the last of which begins on a Monday of one year and ends in the next.
  ['week', '2027-01-01T00:00:00Z', '2026-12-28T00:00Z', '2027-01-04T00:00Z'],
  ['week', '2027-01-03T23:59:59.999Z', '2026-12-28T00:00Z', '2027-01-04T00:00Z'],
  ['week', '2027-01-04T00:00:00.000Z', '2027-01-04T00:00Z', '2027-01-11T00:00Z'],
  ['week', '2028-02-29T12:00:00Z', '2028-02-28T00:00Z', '2028-03-06T00:00Z'],
] as const)('a window of a %s at %s begins and ends in UTC', (period, now, start, end) => {
  expect(bounds(period, now)).toEqual([start, end]);
});

test('a window that never ends has begun before any request', () => {
  expect(windowAt('never', Date.UTC(2027, 0, 1))).toEqual({ period: 'never', startMs: 0, endMs: null });
});

test('a window holds its instant, and the next begins where it ends', () => {
  const instant = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) });
  fc.assert(
    fc.property(fc.constantFrom(...PERIODS), instant, (period, nowMs) => {
      const { startMs, endMs } = windowAt(period, nowMs);
      expect(startMs).toBeLessThanOrEqual(nowMs);
      if (endMs === null) return;
      expect(nowMs).toBeLessThan(endMs);
      expect(windowAt(period, endMs).startMs).toBe(endMs);
      expect(windowAt(period, endMs - 1)).toEqual({ period, startMs, endMs });
      if (period === 'week') expect(new Date(startMs).getUTCDay()).toBe(1);
      if (period !== 'month') expect(endMs - startMs).toBe(period === 'day' ? DAY_MS : 7 * DAY_MS);
    }),
  );
});
