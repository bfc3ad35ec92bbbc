import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '../../../../test/simulation/random.ts';
import type { Model, Route } from '../../../domain/model.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { likelyRoute, routeOrder } from './route-order.ts';

const ROUNDS = 20_000;

function route(provider: string, weight?: number): Route {
  return { provider, upstreamModel: 'm', ...(weight === undefined ? {} : { weight }) };
}

test('routes without weights are tried as they stand', () => {
  const routes = [route('a'), route('b'), route('c')];
  expect(routeOrder(routes, () => 0.99)).toBe(routes);
});

test('routes with weights are each tried once, whatever the draw', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 8 });
  const lot = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(weights, lot, (all, random) => {
      const routes = all.map((weight, at) => route(`p${at}`, weight));
      const order = routeOrder(routes, () => random);
      expect(order.toSorted((left, right) => routes.indexOf(left) - routes.indexOf(right))).toEqual(routes);
    }),
  );
});

test('routes come first as often as they weigh, also among those that are left where the first can’t be tried', () => {
  const random = new Random(7);
  const routes = [route('a', 5), route('b', 3), route('c', 2)];
  const first = new Map<string, number>();
  const firstWithoutA = new Map<string, number>();
  const count = (into: Map<string, number>, one: Route | undefined): void => {
    into.set(one?.provider ?? '', (into.get(one?.provider ?? '') ?? 0) + 1 / ROUNDS);
  };
  for (let round = 0; round < ROUNDS; round++) {
    const order = routeOrder(routes, () => random.unit());
    count(first, order[0]);
    count(
      firstWithoutA,
      order.find(({ provider }) => provider !== 'a'),
    );
  }
  const shares = [first.get('a'), first.get('b'), first.get('c'), firstWithoutA.get('b')];
  const expected = [0.5, 0.3, 0.2, 0.6];
  for (const [at, share] of shares.entries()) expect(Math.abs((share ?? 0) - (expected[at] ?? 0))).toBeLessThan(0.02);
});

test('without one of the routes, the order of the others is the same', () => {
  const routes = ['a', 'b', 'c', 'd'].map((provider, at) => route(provider, at + 1));
  const lots = new Map(routes.map((each, at) => [each, [0.3, 0.9, 0.01, 0.5][at] ?? 0]));
  const lotOf = (each: Route): number => lots.get(each) ?? 0;
  const order = routeOrder(routes, lotOf);
  for (const gone of routes) {
    const left = routes.filter((each) => each !== gone);
    expect(routeOrder(left, lotOf)).toEqual(order.filter((each) => each !== gone));
  }
});

test('nothing is drawn for one route or none', () => {
  const draw = (): number => {
    throw new Error('a draw');
  };
  for (const routes of [[route('a', 2)], []]) expect(routeOrder(routes, draw)).toBe(routes);
});

test.each<[string, readonly Route[], readonly string[], string | null]>([
  ['the first without weights', [route('a'), route('b')], [], 'a'],
  ['the heaviest', [route('a', 1), route('b', 3), route('c', 2)], [], 'b'],
  ['the first of the heaviest', [route('a', 1), route('b', 3), route('c', 3)], [], 'b'],
  ['the heaviest of those that can be tried', [route('a', 1), route('b', 3), route('c', 2)], ['b'], 'c'],
  ['none where all rest', [route('a'), route('b')], ['a', 'b'], null],
  ['none where none is configured', [route('gone')], [], null],
  ['the heaviest that is configured', [route('gone', 9), route('b', 3)], [], 'b'],
])('a request would most likely go to %s', (_which, routes, resting, provider) => {
  const gate = {
    clock: { monotonicMs: () => 70 },
    upstreams: { of: (each: Route) => (each.provider === 'gone' ? undefined : {}) },
    health: { of: (each: Route) => ({ waitMs: (nowMs: number) => (resting.includes(each.provider) ? nowMs : 0) }) },
  } as unknown as GatewayDeps;
  expect(likelyRoute(gate, { routes } as unknown as Model)?.provider ?? null).toBe(provider);
});
