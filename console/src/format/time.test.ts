import { expect, test } from 'vitest';
import { addDays, dayOf, daysBetween, formatDay, formatMonth } from './day.ts';
import { formatDuration } from './duration.ts';
import { formatTime, formatTimeExactly, timeChangesAfter } from './time.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const before = (ms: number): Date => new Date(NOW.getTime() - ms);
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

test.each([
  [0, 'now'],
  [999, 'now'],
  [SECOND, '1 s ago'],
  [-SECOND, 'in 1 s'],
  [MINUTE, '1 min ago'],
  [HOUR, '1 h ago'],
  [5 * SECOND, '5 s ago'],
  [59_999, '59 s ago'],
  [3 * MINUTE, '3 min ago'],
  [23 * HOUR + 59 * MINUTE, '23 h ago'],
  [-5 * HOUR, 'in 5 h'],
  [DAY, '19 Nov, 12:00 UTC'],
  [-DAY, '21 Nov, 12:00 UTC'],
  [400 * DAY, '16 Oct 2025, 12:00 UTC'],
])('a moment %d ms ago reads "%s"', (ms, words) => {
  expect(formatTime(before(ms), NOW)).toBe(words);
});

test('a moment has its time to the millisecond in UTC and its time where the reader is', () => {
  expect(formatTimeExactly(new Date('2026-11-20T12:00:00.123Z'))).toMatch(
    /^2026-11-20 12:00:00\.123 UTC\n\d+ Nov 2026, \d\d:\d\d:00 (?:GMT|UTC)\S* for you$/,
  );
});

test('a relative time is written again within its unit, an absolute one never', () => {
  expect([5 * SECOND, MINUTE, 3 * MINUTE, DAY, 2 * DAY].map((ms) => timeChangesAfter(before(ms), NOW))).toEqual([
    1_000,
    60_000,
    60_000,
    null,
    null,
  ]);
});

test.each([
  [0, '0 ms'],
  [0.42, '0.42 ms'],
  [4.2, '4.20 ms'],
  [99.94, '99.9 ms'],
  [842, '842 ms'],
  [9.995, '10.0 ms'],
  [99.95, '100 ms'],
  [999.5, '1.00 s'],
  [59_950, '1 min 00 s'],
  [3_599_500, '1 h 00 min'],
  [DAY - 30 * SECOND, '1 d 00 h'],
  [DAY - 31 * SECOND, '23 h 59 min'],
  [999.4, '999 ms'],
  [999.6, '1.00 s'],
  [1_240, '1.24 s'],
  [9_996, '10.0 s'],
  [12_400, '12.4 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min 00 s'],
  [125_000, '2 min 05 s'],
  [3_599_600, '1 h 00 min'],
  [3 * HOUR + 12 * MINUTE, '3 h 12 min'],
  [2 * DAY + 4 * HOUR, '2 d 04 h'],
])('a duration of %d ms reads "%s"', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});

test('days are those of UTC, over the ends of months and years', () => {
  expect(dayOf(new Date('2026-12-31T23:59:59.999Z'))).toBe('2026-12-31');
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
  expect(daysBetween('2026-10-24', '2026-10-27')).toEqual(['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-27']);
  expect(daysBetween('2026-10-27', '2026-10-26')).toEqual([]);
  expect([formatDay('2026-11-04'), formatDay('2025-11-04', NOW), formatMonth('2026-11-04')]).toEqual([
    '4 Nov',
    '4 Nov 2025',
    'Nov 2026',
  ]);
});
