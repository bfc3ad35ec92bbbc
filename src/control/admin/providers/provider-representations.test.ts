import { expect, test } from 'vitest';
import type { OfferedModel } from '../../catalogue/catalogue-diff.ts';
import type { HealthReport, ProviderStanding, RouteStanding } from '../../../gate/upstreams/health/standing.ts';
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

const listed = (reports: readonly HealthReport[], models: readonly OfferedModel[] = [SMALL], sold = models) =>
  providersJson({ processes: 3, reports }, { configured: models, sold }, NOW_MS);

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
    },
  ]);
});

test('a route that a process has not tried is idle there, and a process that is silent is only counted', () => {
  const { processes, processes_answered, data } = listed([reportOf({ routes: [answered()] }), reportOf({})]);
  expect({ processes, processes_answered }).toEqual({ processes: 3, processes_answered: 2 });
  expect(data[0]?.routes[0]?.processes).toMatchObject({ answering: 1, idle: 1 });
  expect(listed([])).toEqual({ processes: 3, processes_answered: 0, window_ms: 0, data: [] });
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
