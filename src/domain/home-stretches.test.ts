import { expect, test } from 'vitest';
import { homeDays, lastDay, lastMonthSoFar } from './home-stretches.ts';

const at = (text: string): number => Date.parse(text);

test('the days of the home page are thirty, and all of this month', () => {
  expect(homeDays(at('2026-11-10T12:34:56Z'))).toEqual({ from: '2026-10-12T00:00:00.000Z' });
  expect(homeDays(at('2026-10-31T23:59:59Z'))).toEqual({ from: '2026-10-01T00:00:00.000Z' });
});

test('the last day has 24 hours, the present one among them', () => {
  expect(lastDay(at('2026-11-10T12:34:56Z'))).toEqual({ from: '2026-11-09T13:00:00.000Z' });
});

test('last month is compared as far as this one has come, at most to its end', () => {
  expect(lastMonthSoFar(at('2026-11-10T12:34:56Z'))).toEqual({
    from: '2026-10-01T00:00:00.000Z',
    to: '2026-10-10T13:00:00.000Z',
  });
  expect(lastMonthSoFar(at('2026-03-31T12:00:00Z'))).toEqual({
    from: '2026-02-01T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
  });
  expect(lastMonthSoFar(at('2026-01-01T00:00:00Z')).from).toBe('2025-12-01T00:00:00.000Z');
});
