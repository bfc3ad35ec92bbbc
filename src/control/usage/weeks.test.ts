import { expect, test } from 'vitest';
import { leastUuid7At } from '../../lib/uuid7.ts';
import { idsOfWeek, weekAt, weekBounds } from './weeks.ts';

const DAY_MS = 86_400_000;
const MONDAY = Date.UTC(2026, 10, 23);

test('a week begins on Monday at midnight in UTC, and its number rises by one', () => {
  const week = weekAt(MONDAY);
  expect(weekAt(Date.UTC(1970, 0, 1))).toBe(0);
  expect(weekAt(Date.UTC(1970, 0, 4, 23, 59, 59, 999))).toBe(0);
  expect(weekAt(Date.UTC(1970, 0, 5))).toBe(1);
  expect(weekAt(MONDAY - 1)).toBe(week - 1);
  expect(weekAt(MONDAY + 7 * DAY_MS - 1)).toBe(week);
  expect(weekAt(MONDAY + 7 * DAY_MS)).toBe(week + 1);
});

test('the ids of a week are those of its first millisecond to those before the next week', () => {
  expect(idsOfWeek(weekAt(MONDAY + 3 * DAY_MS))).toEqual({
    from: leastUuid7At(MONDAY),
    to: leastUuid7At(MONDAY + 7 * DAY_MS),
  });
});

test('the bounds of weeks go from January 2020 to a year from now', () => {
  const bounds = weekBounds(MONDAY + DAY_MS);
  expect(bounds[0]).toBe(leastUuid7At(Date.UTC(2020, 0, 6)));
  expect(bounds.at(-1)).toBe(leastUuid7At(MONDAY + 52 * 7 * DAY_MS));
  expect(bounds).toEqual(bounds.toSorted());
  expect(new Set(bounds).size).toBe(bounds.length);
});
