import { QueryObserver, QueryClient, type QueryKey } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { alertRulesQuery, alertsQuery, deliveriesQuery, deliveryQuery } from './alerts.ts';
import { topUpQuery } from './credit.ts';
import * as home from './home.ts';
import * as instance from './instance.ts';
import { proofsQuery } from './ledger.ts';
import { overviewQuery } from './overview.ts';
import { receiptsQuery } from './requests.ts';

const NOW_MS = Date.UTC(2026, 2, 17);

beforeEach(() => vi.useFakeTimers({ now: NOW_MS }));
afterEach(() => vi.useRealTimers());

interface AnyQuery {
  readonly queryKey: QueryKey;
  readonly refetchInterval?: unknown;
}

/** After how long a question is asked again whose answer is this one; null: it is not, by itself. */
function lookAfterMs(query: object, data: unknown): number | null {
  const { queryKey, refetchInterval } = query as AnyQuery;
  const client = new QueryClient();
  if (data !== undefined) client.setQueryData(queryKey, data);
  const observer = new QueryObserver(client, { queryKey, enabled: false });
  if (typeof refetchInterval !== 'function') return typeof refetchInterval === 'number' ? refetchInterval : null;
  const asked = refetchInterval as (query: unknown) => number | false;
  return asked(observer.getCurrentQuery()) || null;
}

const inMs = (ms: number): string => new Date(NOW_MS + ms).toISOString();
const waiting = (at: string | null) => ({ state: 'waiting', next_attempt_at: at });
const SENT = { state: 'sent', next_attempt_at: null };
const pages = (...data: readonly object[]) => ({ pages: [{ data }], pageParams: [null] });

const ALL = { isOpen: true, rule: null };
const DELIVERIES = { state: null, webhook: null };

test.each([
  ['the operator’s alerts', alertsQuery(null, ALL), undefined, 15_000],
  ['a workspace’s alerts, which events report', alertsQuery('w', ALL), undefined, null],
  ['rules that are still to come', alertRulesQuery('w'), { data: [] }, 10_000],
  ['rules that there are', alertRulesQuery('w'), { data: [{}] }, null],
  ['deliveries, one of which is due', deliveriesQuery('w', DELIVERIES), pages(SENT, waiting(inMs(19_999))), 2_000],
  ['deliveries that wait for long', deliveriesQuery('w', DELIVERIES), pages(SENT, waiting(inMs(20_000))), 20_000],
  ['deliveries that wait for nothing', deliveriesQuery('w', DELIVERIES), pages(SENT), null],
  ['a delivery that is due', deliveryQuery('w', 'd'), waiting(inMs(-1)), 2_000],
  ['a delivery that is being sent', deliveryQuery('w', 'd'), waiting(null), 20_000],
  ['a delivery that was sent', deliveryQuery('w', 'd'), SENT, null],
  ['a delivery that was not read yet', deliveryQuery('w', 'd'), undefined, null],
  ['a top-up that is not paid yet', topUpQuery('w', 't'), { state: 'pending' }, 20_000],
  ['a top-up whose money is on its way', topUpQuery('w', 't'), { state: 'processing' }, 20_000],
  ['a paid top-up', topUpQuery('w', 't'), { state: 'paid' }, null],
  ['an expired top-up', topUpQuery('w', 't'), { state: 'expired' }, null],
  ['a failed top-up', topUpQuery('w', 't'), { state: 'failed' }, null],
  ['proofs, none of which is being made', proofsQuery, { running: null }, 30_000],
  ['proofs, one of which is being made', proofsQuery, { running: {} }, 1_000],
  ['proofs that were not read yet', proofsQuery, undefined, 30_000],
  ['the status', instance.statusQuery, undefined, 10_000],
  ['processes', instance.processesQuery, undefined, 10_000],
  ['settings', instance.settingsQuery, undefined, 10_000],
  ['what the doctor finds', instance.examinationQuery, undefined, null],
  ['the status on the home page', home.statusQuery, undefined, 60_000],
  ['what asks for attention', overviewQuery('w'), undefined, 60_000],
  ['the last 30 days, which come with what asks for attention', home.daysQuery('w'), undefined, null],
])('the console looks again after a time of its own: %s', (_, query, data, ms) => {
  expect(lookAfterMs(query, data)).toBe(ms);
});

test('a search of receipts beyond its first page is not repeated by itself', () => {
  const { staleTime } = receiptsQuery('w', {});
  const ofPages = (count: number) => {
    const data = { pages: Array.from({ length: count }, () => ({ data: [] })), pageParams: [] };
    return typeof staleTime === 'function' ? staleTime({ state: { data } } as never) : staleTime;
  };
  expect([0, 1, 2].map(ofPages)).toEqual([15_000, 15_000, 'static']);
});

// 17 March, and the first and last hours of months: what a page that is read then asks for.
test.each([
  ['2026-03-17T14:25:00Z', '2026-02-16', '2026-02-01', '2026-02-17T15:00:00.000Z'],
  ['2026-03-31T23:59:59Z', '2026-03-01', '2026-02-01', '2026-03-01T00:00:00.000Z'],
  ['2026-03-01T00:00:00Z', '2026-01-31', '2026-02-01', '2026-02-01T01:00:00.000Z'],
  ['2026-01-01T00:30:00Z', '2025-12-03', '2025-12-01', '2025-12-01T01:00:00.000Z'],
])('at %s, the home page shows days from %s on, and last month from %s to %s', async (now, days, from, to) => {
  vi.setSystemTime(new Date(now));
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(Response.json({}));
  });
  const client = new QueryClient();
  await client.query(home.daysQuery('w'));
  await client.query(home.lastMonthQuery('w'));
  vi.unstubAllGlobals();
  const bounds = asked.map((path) => Object.fromEntries(new URL(path, 'http://gateway.test').searchParams));
  expect(bounds).toEqual([
    { from: `${days}T00:00:00.000Z`, bucket: 'day' },
    { from: `${from}T00:00:00.000Z`, to },
  ]);
});
