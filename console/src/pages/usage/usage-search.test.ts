import { expect, test } from 'vitest';
import { questionOf, requestsOf, timeOf, type UsageSearch } from './usage-search.ts';

const NOW = Date.parse('2026-11-20T14:25:30Z');

const span = (search: UsageSearch) => {
  const { fromMs, toMs, bucket, isOpen, chosen } = timeOf(search, NOW);
  return [new Date(fromMs).toISOString(), new Date(toMs).toISOString(), bucket, isOpen, chosen];
};

test.each<[string, UsageSearch, readonly [string, string, string, boolean, string]]>([
  ['30 days without anything', {}, ['2026-10-22T00:00:00.000Z', '2026-11-21T00:00:00.000Z', 'day', true, '30d']],
  ['24 hours', { period: '24h' }, ['2026-11-19T15:00:00.000Z', '2026-11-20T15:00:00.000Z', 'hour', true, '24h']],
  [
    'today so far',
    { period: 'today' },
    ['2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z', 'hour', true, 'today'],
  ],
  [
    'yesterday',
    { period: 'yesterday' },
    ['2026-11-19T00:00:00.000Z', '2026-11-20T00:00:00.000Z', 'hour', false, 'yesterday'],
  ],
  [
    'the month before this one',
    { period: 'former-month' },
    ['2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z', 'day', false, 'former-month'],
  ],
  [
    'a week by hours',
    { period: '7d', bucket: 'hour' },
    ['2026-11-14T00:00:00.000Z', '2026-11-21T00:00:00.000Z', 'hour', true, '7d'],
  ],
  [
    '90 days, for which hours have no room',
    { period: '90d', bucket: 'hour' },
    ['2026-08-23T00:00:00.000Z', '2026-11-21T00:00:00.000Z', 'day', true, '90d'],
  ],
  [
    'the present month so far',
    { month: '2026-11' },
    ['2026-11-01T00:00:00.000Z', '2026-11-21T00:00:00.000Z', 'day', true, 'month'],
  ],
  [
    'a month that is over',
    { month: '2026-02' },
    ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', 'day', false, 'month'],
  ],
  [
    'a month to come as if it were left out',
    { month: '2027-01' },
    ['2026-10-22T00:00:00.000Z', '2026-11-21T00:00:00.000Z', 'day', true, '30d'],
  ],
  [
    'whole days around what is given, none of them to come',
    { from: '2026-11-03T10:00:00Z', to: '2027-01-01' },
    ['2026-11-03T00:00:00.000Z', '2026-11-21T00:00:00.000Z', 'day', true, 'days'],
  ],
  [
    'one day by hours',
    { from: '2026-11-03', to: '2026-11-04' },
    ['2026-11-03T00:00:00.000Z', '2026-11-04T00:00:00.000Z', 'hour', false, 'days'],
  ],
  [
    'an end before the start as if both were left out',
    { from: '2026-11-03', to: '2026-11-01' },
    ['2026-10-22T00:00:00.000Z', '2026-11-21T00:00:00.000Z', 'day', true, '30d'],
  ],
])('the time of an address is %s', (_, search, expected) => {
  expect(span(search)).toEqual(expected);
});

test.each([{ period: '90d' }, { from: '2020-01-01' }, { period: '7d', bucket: 'hour' }] as const)(
  'no address asks for more points than the API answers: %j',
  (search) => {
    const time = timeOf(search, NOW);
    const bars = (time.toMs - time.fromMs) / (time.bucket === 'hour' ? 3_600_000 : 86_400_000);
    const { limit } = questionOf(search, time);
    expect(bars).toBeLessThanOrEqual(3 * 366);
    expect(limit).toBeGreaterThanOrEqual(4);
    expect(bars * limit).toBeLessThanOrEqual(5_000);
  },
);

test('a time that goes on is asked for without an end, and one that is over with it', () => {
  const asked = (search: UsageSearch) => questionOf(search, timeOf(search, NOW));
  expect(asked({})).not.toHaveProperty('to');
  expect(asked({ month: '2026-02' })).toMatchObject({ to: '2026-03-01T00:00:00.000Z' });
});

test('the requests of a bar are those of its hour or day, by the same filters', () => {
  const search = { key: 'a-key', model: 'a/model' };
  const asked = questionOf(search, timeOf(search, NOW));
  expect(requestsOf(asked, '2026-11-03T00:00:00.000Z')).toEqual({
    from: '2026-11-03T00:00:00.000Z',
    to: '2026-11-04T00:00:00.000Z',
    project: undefined,
    key: 'a-key',
    model: 'a/model',
  });
});

test.each<[string, UsageSearch, string]>([
  ['by session for a short time', { period: '7d', by: 'session' }, 'session'],
  ['by model instead, where sessions would be of too long a time', { period: '30d', by: 'session' }, 'model'],
  ['by anything else for any time', { period: '90d', by: 'key' }, 'key'],
])('usage is asked for %s', (_, search, by) => {
  expect(questionOf(search, timeOf(search, NOW)).group_by).toBe(by);
});

test('a second grouping counts only if it can be paired with the first', () => {
  const pair = (by: UsageSearch['by'], and: UsageSearch['and']) => {
    const search: UsageSearch = { by, and };
    return questionOf(search, timeOf(search, NOW)).and_by;
  };
  expect(pair('model', 'member')).toBe('member');
  expect(pair('key', 'member')).toBeUndefined();
});
