import { expect, test } from 'vitest';
import type { OfferedModel } from '../../catalogue/catalogue-diff.ts';
import type { HealthReport, ProviderStanding, RouteStanding } from '../../../gate/upstreams/health/standing.ts';
import { noAttempts, type RouteCounts } from '../../routes/route-counts.ts';
import { providersJson } from './provider-representations.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
const IDLE: RouteStanding = {
  upstreamModel: 'm',
  state: 'idle',
  isSkipped: false,
  rest: null,
  answered: 0,
  failed: 0,
};
const MAIN: ProviderStanding = {
  name: 'main',
  kind: 'openai',
  running: 0,
  concurrencyMax: null,
  isKeyRefused: false,
  routes: [],
};

const model = (id: string, ...routes: OfferedModel['routes']) => ({ id, routes }) as OfferedModel;
const SMALL = model('small', { provider: 'main', upstreamModel: 'm' });

const answered = (more: Partial<RouteStanding> = {}): RouteStanding => ({
  ...IDLE,
  state: 'answering',
  answered: 3,
  ...more,
});
const resting = (forMs: number, status: number): RouteStanding => ({
  ...IDLE,
  state: 'resting',
  isSkipped: true,
  rest: { cause: 'failures', fault: 'failed', status, forMs },
  failed: 5,
});

const reportOf = (...providers: readonly Partial<ProviderStanding>[]): HealthReport => ({
  windowMs: 30_000,
  providers: providers.map((provider) => ({ ...MAIN, ...provider })),
});

const SINCE = new Date(NOW_MS - 23 * 3_600_000);
const NO_DAY = {
  attempts: 0,
  answered: 0,
  failed: 0,
  rejected: 0,
  abandoned: 0,
  faults: [],
  first_event_ms: null,
  whole_ms: null,
  last_answer_at: null,
  last_fault: null,
};

const listed = (
  reports: readonly HealthReport[],
  models: readonly OfferedModel[] = [SMALL],
  sold = models,
  routes: readonly RouteCounts[] = [],
) => providersJson({ processes: 3, reports }, { configured: models, sold, day: { since: SINCE, routes } }, NOW_MS);

test('a route that rests in one of several processes is listed as resting there, with its longest rest', () => {
  const { processes, processes_answered, window_ms, data } = listed([
    reportOf({ routes: [resting(1_000, 500)] }),
    reportOf({ routes: [answered()] }),
    reportOf({ routes: [resting(9_000, 503)] }),
  ]);
  expect({ processes, processes_answered, window_ms }).toEqual({
    processes: 3,
    processes_answered: 3,
    window_ms: 30_000,
  });
  expect(data[0]?.routes).toEqual([
    {
      model: 'small',
      upstream_model: 'm',
      position: 1,
      weight: null,
      on_sale: true,
      state: 'resting',
      processes: { resting: 2, probing: 0, failing: 0, answering: 1, idle: 0 },
      rest: { cause: 'failures', fault: 'failed', status: 503, until: '2026-11-20T12:00:09.000Z' },
      answered: 3,
      failed: 10,
      day: NO_DAY,
    },
  ]);
});

test('a route that a process has not tried is idle there, and a process that is silent is only counted', () => {
  const { processes, processes_answered, data } = listed([reportOf({ routes: [answered()] }), reportOf({})]);
  expect({ processes, processes_answered }).toEqual({ processes: 3, processes_answered: 2 });
  expect(data[0]?.routes[0]?.processes).toMatchObject({ answering: 1, idle: 1 });
  expect(listed([])).toEqual({
    processes: 3,
    processes_answered: 0,
    window_ms: 0,
    day_since: '2026-11-19T13:00:00.000Z',
    data: [],
  });
});

test.each([
  ['key_refused', [{ isKeyRefused: true, routes: [answered()] }]],
  ['resting', [{ routes: [resting(1, 500)] }]],
  ['degraded', [{ routes: [answered({ state: 'probing' })] }]],
  ['degraded', [{ routes: [answered({ state: 'failing' })] }]],
  ['full', [{ routes: [answered()], running: 2, concurrencyMax: 2 }]],
  ['answering', [{ routes: [answered()], running: 1, concurrencyMax: 2 }]],
  ['idle', [{}]],
] as const)('a provider is %s as its routes are', (state, providers) => {
  expect(listed([reportOf(...providers)]).data[0]?.state).toBe(state);
});

test('a provider whose routes rest in part, or in some processes, is degraded, not resting', () => {
  const reports = [reportOf({ routes: [resting(1, 500)] }), reportOf({ routes: [answered()] })];
  expect(listed(reports).data[0]?.state).toBe('degraded');
  const pair = [SMALL, model('large', { provider: 'main', upstreamModel: 'l' })];
  expect(listed([reportOf({ routes: [resting(1, 500)] })], pair).data[0]?.state).toBe('degraded');
});

test('attempts under way are added up, and each process has its own bound', () => {
  const { data } = listed([reportOf({ running: 2, concurrencyMax: 2 }), reportOf({ running: 1, concurrencyMax: 2 })]);
  expect(data[0]).toMatchObject({ attempts: 3, concurrency_max: 2, full_processes: 1 });
});

test('models that left the config file keep their routes while they are sold, and others show that they are not', () => {
  const kept = model(
    'kept',
    { provider: 'side', upstreamModel: 's' },
    { provider: 'main', upstreamModel: 'k', weight: 2 },
  );
  const { data } = listed([reportOf({})], [SMALL], [kept]);
  expect(data.map(({ name }) => name)).toEqual(['main']);
  expect(data[0]?.routes).toMatchObject([
    { model: 'small', on_sale: false },
    { model: 'kept', on_sale: true, position: 2, weight: 2 },
  ]);
});

test('a provider that is no longer in the config file is not listed', () => {
  expect(listed([reportOf({ name: 'gone', kind: null, running: 1 })]).data).toEqual([]);
});

test('a provider’s day is the sum of its routes’, and each route’s is that of its model alone', () => {
  const counted = (name: string, more: Partial<RouteCounts>): RouteCounts => ({
    model: name,
    provider: 'main',
    upstreamModel: 'm',
    ...noAttempts(),
    ...more,
  });
  const inClass = (at: number, count: number) => noAttempts().whole.map((_, n) => (n === at ? count : 0));
  const last = { atMs: NOW_MS, kind: 'timeout', status: null, requestId: 'r' };
  const { data } = listed([reportOf({})], [SMALL, model('twin', { provider: 'main', upstreamModel: 'm' })], undefined, [
    counted('small', { answered: 98, answeredAtMs: NOW_MS - 1, whole: inClass(10, 98) }),
    counted('twin', {
      answered: 2,
      rejected: 1,
      abandoned: 1,
      answeredAtMs: NOW_MS,
      whole: inClass(20, 2),
      faults: new Map([
        ['failed', 1],
        ['timeout', 2],
      ]),
      fault: last,
    }),
    counted('gone', { answered: 7 }),
  ]);
  expect(data[0]?.routes.map(({ day }) => day.attempts)).toEqual([98, 7]);
  expect(data[0]?.day).toEqual({
    attempts: 105,
    answered: 100,
    failed: 3,
    rejected: 1,
    abandoned: 1,
    faults: [
      { kind: 'timeout', attempts: 2 },
      { kind: 'failed', attempts: 1 },
    ],
    first_event_ms: null,
    whole_ms: {
      p50: expect.toSatisfy((ms: number) => ms > 226 && ms < 320),
      p99: expect.toSatisfy((ms: number) => ms > 7_240 && ms < 10_240),
    },
    last_answer_at: '2026-11-20T12:00:00.000Z',
    last_fault: { at: '2026-11-20T12:00:00.000Z', kind: 'timeout', status: null, request_id: 'r' },
  });
});
