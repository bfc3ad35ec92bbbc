import { expect, test } from 'vitest';
import { addDays, addMonths, daysBetween, formatDay, formatMonth } from './day.ts';

test.each([
  ['2026-11', 1, '2026-12'],
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-03', -1, '2026-02'],
  ['2026-07', 0, '2026-07'],
])('the month %s moved by %i months is %s', (month, count, other) => {
  expect(addMonths(month, count)).toBe(other);
});

test.each([
  ['2026-02-28', 1, '2026-03-01'],
  ['2024-02-28', 1, '2024-02-29'],
  ['2026-01-01', -1, '2025-12-31'],
])('the day %s moved by %i days is %s', (day, count, other) => {
  expect(addDays(day, count)).toBe(other);
});

test('the days between two days are both of them and all that lie between, and none if the last one is earlier', () => {
  expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  expect(daysBetween('2026-02-27', '2026-02-27')).toEqual(['2026-02-27']);
  expect(daysBetween('2026-02-27', '2026-02-26')).toEqual([]);
});

test('a day and a month are written for reading, a day with its year if that is not the present one', () => {
  const now = new Date('2026-11-20T00:00:00Z');
  expect(formatDay('2026-01-04', now)).toBe('4 Jan');
  expect(formatDay('2025-12-31', now)).toBe('31 Dec 2025');
  expect(formatDay('2025-12-31')).toBe('31 Dec');
  const months = Array.from({ length: 12 }, (_, index) => formatMonth(addMonths('2026-01', index)));
  expect(months.join(', ')).toBe(
    'Jan 2026, Feb 2026, Mar 2026, Apr 2026, May 2026, Jun 2026, Jul 2026, Aug 2026, Sep 2026, Oct 2026, Nov 2026, Dec 2026',
  );
  expect(formatMonth('2026-12-31')).toBe('Dec 2026');
});
