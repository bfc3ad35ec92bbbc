import { beforeEach, expect, test } from 'vitest';
import type { UpstreamFault } from '../upstream.ts';
import { Health } from './health.ts';
import type { RouteHealth } from './route-health.ts';

const SETTINGS = { windowMs: 10_000, resultsMin: 3, failureRatio: 0.5, restMs: 1_000, refusedKeyMs: 5_000 };
const BASICS = { kind: 'openai', concurrencyMax: null, drains: false } as const;
const FAILED: UpstreamFault = { kind: 'failed', status: 500, message: 'status 500' };
const ROUTE = { provider: 'main', upstreamModel: 'm' };

let told: string[];
let health: Health;
let route: RouteHealth;

beforeEach(() => {
  told = [];
  health = new Health(SETTINGS, {
    routeRests: ({ provider }, { kind }, forMs) => void told.push(`${provider} rests for ${forMs}: ${kind}`),
    routeIsBack: ({ provider }) => void told.push(`${provider} is back`),
  });
  health.configure(SETTINGS, [
    { name: 'main', ...BASICS, concurrencyMax: 2 },
    { name: 'spare', ...BASICS, drains: true },
  ]);
  route = health.of(ROUTE);
});

function overloaded(retryAfterMs: number | null): UpstreamFault {
  return { kind: 'overloaded', status: 429, retryAfterMs, message: 'status 429' };
}

function refused(status: number): UpstreamFault {
  return { kind: 'rejected_credentials', status, message: `status ${status}` };
}

test('a route rests for as long as its provider asks for, and is told of once until it is back', () => {
  route.failed(overloaded(7_000), 0, 100);
  expect(route.waitMs(100)).toBe(7_000);
  route.failed(overloaded(9_000), 0, 200);
  expect(route.waitMs(200)).toBe(9_000);
  route.failed(overloaded(10), 0, 300);
  expect(route.waitMs(300)).toBe(8_900);
  expect(route.waitMs(9_200)).toBe(0);
  route.answered(9_200, 9_300);
  route.answered(9_300, 9_400);
  expect(told).toEqual(['main rests for 7000: overloaded', 'main is back']);
});

test('a route whose provider asks for the longest pause is probed by one request after it, and after each refusal', () => {
  route.begin(0);
  route.failed(overloaded(300_000), 0, 100);
  route.end();
  expect([route.waitMs(100), route.waitMs(300_099)]).toEqual([300_000, 1]);
  expect(route.waitMs(300_100)).toBe(0);
  route.begin(300_100);
  expect(route.waitMs(300_101)).toBe(999);
  expect(standing(300_101)).toMatchObject({ state: 'probing', isSkipped: true });
  route.failed(overloaded(300_000), 300_100, 300_200);
  route.end();
  expect(route.waitMs(300_200)).toBe(300_000);
  route.begin(600_200);
  route.answered(600_200, 600_300);
  route.end();
  expect(route.waitMs(600_300)).toBe(0);
  expect(told).toEqual(['main rests for 300000: overloaded', 'main is back']);
});

test('a route rests once it has failed too often, until its probe is answered', () => {
  for (let at = 0; at < 3; at++) route.failed(FAILED, at, at);
  expect(route.waitMs(2)).toBe(1_000);
  route.begin(1_002);
  expect(route.waitMs(1_002)).toBe(1_000);
  route.answered(1_002, 1_010);
  expect(route.waitMs(1_010)).toBe(0);
  expect(told).toEqual(['main rests for 1000: failed', 'main is back']);
});

test.each([401, 402])('a route rests where its provider refuses the operator’s key with %i', (status) => {
  route.failed(refused(status), 0, 0);
  expect(route.waitMs(0)).toBe(5_000);
  const rest = { cause: 'key_refused', fault: 'rejected_credentials', status, forMs: 5_000 };
  expect([...health.standings(0)]).toMatchObject([
    { name: 'main', isKeyRefused: true, routes: [{ upstreamModel: 'm', state: 'resting', rest }] },
    { routes: [] },
  ]);
  route.answered(5_000, 5_000);
  expect([...health.standings(5_000)]).toMatchObject([
    { isKeyRefused: false, routes: [{ state: 'answering', rest: null }] },
    {},
  ]);
});

test.each([400, 403])(
  'a route rests after a %i only where they are many: one may be about its request alone',
  (status) => {
    route.failed(refused(status), 0, 0);
    expect(route.waitMs(0)).toBe(0);
    for (let at = 1; at < 3; at++) route.failed(refused(status), at, at);
    expect(route.waitMs(2)).toBe(1_000);
  },
);

test('a route rests not for what callers do wrong, nor for those who leave', () => {
  const rejected = {
    kind: 'rejected_request',
    status: 400,
    callerMessage: '',
    code: null,
    param: null,
    message: '',
  } as const;
  for (let at = 0; at < 20; at++) {
    route.failed(rejected, at, at);
    route.undecided(at, at);
  }
  expect(route.waitMs(20)).toBe(0);
});

test('a route rests alone: the provider’s other routes go on', () => {
  for (let at = 0; at < 3; at++) route.failed(FAILED, at, at);
  expect(health.of({ provider: 'main', upstreamModel: 'other' }).waitMs(3)).toBe(0);
});

test('a route rests for its next probe’s overload too, and the probe after that goes as soon as it is over', () => {
  for (let at = 0; at < 3; at++) route.failed(FAILED, at, at);
  route.begin(1_002);
  route.failed(overloaded(300), 1_002, 1_100);
  expect(route.waitMs(1_100)).toBe(300);
  expect(route.waitMs(1_400)).toBe(0);
});

const standing = (nowMs: number) => [...health.standings(nowMs)][0]?.routes[0];

test('a route’s standing follows it from its first failures through its rest and its probe to an answer', () => {
  expect(standing(0)).toMatchObject({ state: 'idle', rest: null, answered: 0, failed: 0 });
  route.answered(0, 0);
  route.failed(FAILED, 1_001, 1_001);
  expect(standing(1_001)).toMatchObject({ state: 'answering', answered: 1, failed: 1 });
  expect(standing(10_000)).toMatchObject({ state: 'failing', answered: 0, failed: 1 });
  for (const at of [10_001, 10_002]) route.failed(FAILED, at, at);
  const rest = { cause: 'failures', fault: 'failed', status: 500, forMs: 900 };
  expect(standing(10_102)).toMatchObject({ state: 'resting', isSkipped: true, rest, failed: 3 });
  expect(standing(11_002)).toMatchObject({ state: 'probing', isSkipped: false, rest: null });
  route.begin(11_002);
  expect(standing(11_003)).toMatchObject({ state: 'probing', isSkipped: true, rest: null });
  route.answered(11_002, 11_004);
  expect(standing(11_004)).toMatchObject({ state: 'idle', answered: 0, failed: 0 });
  route.answered(11_004, 11_005);
  expect(standing(11_005)).toMatchObject({ state: 'answering', answered: 1 });
});

test('a route’s rest is explained by the cause that keeps it longest', () => {
  route.failed(refused(401), 0, 0);
  route.failed(overloaded(300), 0, 100);
  expect(standing(200)?.rest).toEqual({
    cause: 'key_refused',
    fault: 'rejected_credentials',
    status: 401,
    forMs: 4_800,
  });
  route.failed(overloaded(9_000), 0, 300);
  expect(standing(300)?.rest).toEqual({ cause: 'provider_asked', fault: 'overloaded', status: 429, forMs: 9_000 });
});

test('a provider’s bound counts what is under way on all of its routes', () => {
  const other = health.of({ provider: 'main', upstreamModel: 'other' });
  route.begin(0);
  other.begin(0);
  expect([route.waitMs(0) > 0, other.waitMs(0) > 0]).toEqual([true, true]);
  expect(health.of({ provider: 'spare', upstreamModel: 'm' }).waitMs(0)).toBe(0);
  other.end();
  expect([route.waitMs(0), other.waitMs(0)]).toEqual([0, 0]);
});

test('a provider’s bound still counts, when the file is read again, what began before', () => {
  route.begin(0);
  health.configure(SETTINGS, [{ name: 'main', ...BASICS, concurrencyMax: 1 }]);
  expect(health.of(ROUTE).waitMs(0)).toBeGreaterThan(0);
  expect([...health.standings(0)]).toMatchObject([{ name: 'main', running: 1 }]);
  route.end();
  expect(health.of(ROUTE).waitMs(0)).toBe(0);
});

test('a rested route gets another chance when the file is read again', () => {
  route.failed(refused(401), 0, 0);
  health.configure(SETTINGS, [{ name: 'main', ...BASICS }]);
  expect(health.of(ROUTE).waitMs(0)).toBe(0);
});

test('the sandbox, which fails as it is asked to, never rests', () => {
  health.configure(SETTINGS, [{ ...BASICS, name: 'sandbox', kind: 'sandbox' }]);
  const sandbox = health.of({ provider: 'sandbox', upstreamModel: 'error' });
  for (const fault of [overloaded(7_000), refused(401), FAILED, FAILED, FAILED]) sandbox.failed(fault, 0, 0);
  expect(sandbox.waitMs(0)).toBe(0);
});

test('a route whose provider is no longer in the file can still be asked for', () => {
  expect(health.of({ provider: 'gone', upstreamModel: 'm' }).waitMs(0)).toBe(0);
  expect(['gone', 'main', 'spare'].map((name) => health.drains(name))).toEqual([false, false, true]);
});
