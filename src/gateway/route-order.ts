import type { Model, Route } from '../domain/model.ts';
import type { Gate } from './gate.ts';

/**
 * The routes in the order in which they are tried: as listed, or, if they have weights, by weighted random selection of
 * those that are left, as likely as its weight is heavy. `random` gives numbers from 0 up to, but not including, 1.
 */
export function routeOrder(routes: readonly Route[], random: () => number): readonly Route[] {
  const [first] = routes;
  if (first?.weight === undefined || routes.length === 1) return routes;
  const left = [...routes];
  const order: Route[] = [];
  while (left.length > 0) order.push(...left.splice(drawn(left, random()), 1));
  return order;
}

/** A weighted random choice among these. */
function drawn(routes: readonly Route[], lot: number): number {
  const total = routes.reduce((sum, route) => sum + weightOf(route), 0);
  let rest = lot * total;
  const at = routes.findIndex((route) => (rest -= weightOf(route)) < 0);
  // A sum of fractions may fall short of its parts by a hair.
  return at === -1 ? routes.length - 1 : at;
}

function weightOf({ weight = 1 }: Route): number {
  return weight;
}

/**
 * The route that a request would try first as things stand, or most likely, by weight; null if none can be tried.
 */
export function likelyRoute(gate: Gate, model: Model): Route | null {
  const nowMs = gate.clock.monotonicMs();
  const usable = model.routes.filter(
    (route) => gate.upstreams.of(route) !== undefined && gate.health.of(route).waitMs(nowMs) === 0,
  );
  const heaviest = Math.max(...usable.map(weightOf));
  return usable.find((route) => weightOf(route) === heaviest) ?? null;
}
