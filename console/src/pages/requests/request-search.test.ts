import { expect, test } from 'vitest';
import { timeSlots } from '../../components/time-slots.ts';
import { chosenSlots, filterOf, type RequestSearch, slotEnd, windowOf } from './request-search.ts';

const NOW = Date.parse('2026-11-20T14:25:30Z');

const span = (search: RequestSearch) => {
  const { fromMs, toMs, bucket, isOpen } = windowOf(search, NOW);
  return [new Date(fromMs).toISOString(), new Date(toMs).toISOString(), bucket, isOpen];
};

test.each<[string, RequestSearch, readonly [string, string, string, boolean]]>([
  ['a week without anything', {}, ['2026-11-13T14:00:00.000Z', '2026-11-20T15:00:00.000Z', 'hour', true]],
  ['a day', { range: '24h' }, ['2026-11-19T14:00:00.000Z', '2026-11-20T15:00:00.000Z', 'hour', true]],
  ['a month, in days', { range: '30d' }, ['2026-10-22T00:00:00.000Z', '2026-11-21T00:00:00.000Z', 'day', true]],
  ['today so far', { range: 'today' }, ['2026-11-20T00:00:00.000Z', '2026-11-20T15:00:00.000Z', 'hour', true]],
  ['yesterday', { range: 'yesterday' }, ['2026-11-19T00:00:00.000Z', '2026-11-20T00:00:00.000Z', 'hour', false]],
  [
    'the month before this one',
    { range: 'former-month' },
    ['2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z', 'day', false],
  ],
  [
    'a given day',
    { from: '2026-11-03', to: '2026-11-04' },
    ['2026-11-03T00:00:00.000Z', '2026-11-04T00:00:00.000Z', 'hour', false],
  ],
  [
    'a part that lies before the range',
    { range: '24h', since: '2026-11-17T10:00:00Z', until: '2026-11-17T11:00:00Z' },
    ['2026-11-17T10:00:00.000Z', '2026-11-20T15:00:00.000Z', 'hour', true],
  ],
  [
    'a week for what is no time',
    { from: 'soon', to: '2026-11-04' },
    ['2026-11-13T14:00:00.000Z', '2026-11-20T15:00:00.000Z', 'hour', true],
  ],
  [
    'a week for an end before its beginning',
    { from: '2026-11-05', to: '2026-11-04' },
    ['2026-11-13T14:00:00.000Z', '2026-11-20T15:00:00.000Z', 'hour', true],
  ],
])('the time of the list is %s', (_name, search, expected) => {
  expect(span(search)).toEqual(expected);
});

test('a range of days has one bar for each of them, the present one unfinished', () => {
  const slots = timeSlots(windowOf({ range: '30d' }, NOW), NOW);
  expect(slots).toHaveLength(30);
  expect(slots.at(-1)).toEqual({ id: '2026-11-20T00:00:00.000Z', label: '20 Nov', unfinished: true });
  expect(slots.filter(({ unfinished }) => unfinished)).toHaveLength(1);
});

test('what is chosen in the histogram is what is asked for, and is shown as the same bars', () => {
  const before = windowOf({ range: '30d' }, NOW);
  const search: RequestSearch = {
    range: '30d',
    since: '2026-11-03T00:00:00.000Z',
    until: slotEnd('2026-11-04T00:00:00.000Z', before),
    outcome: 'failed',
  };
  const time = windowOf(search, NOW);
  expect(time).toEqual(before);
  expect(chosenSlots(search, timeSlots(time, NOW), time)).toEqual({
    from: '2026-11-03T00:00:00.000Z',
    to: '2026-11-04T00:00:00.000Z',
  });
  expect(filterOf(search, time)).toEqual({
    outcome: 'failed',
    from: '2026-11-03T00:00:00.000Z',
    to: '2026-11-05T00:00:00.000Z',
  });
});

test('a range that goes on has no end, so that the newest requests are always in it', () => {
  expect(filterOf({}, windowOf({}, NOW))).toEqual({ from: '2026-11-13T14:00:00.000Z' });
});
