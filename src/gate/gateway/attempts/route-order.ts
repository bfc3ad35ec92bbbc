import type { Model, Route } from '../../../domain/model.ts';
import type { GatewayDeps } from '../gateway-deps.ts';

/**
 * The routes in the order in which they are tried: as listed, or, if they have weights, by weighted random selection
 * without replacement. `random` returns numbers from 0 (inclusive) to 1 (exclusive).
 */
export function routeOrder(routes: readonly Route[], random: () => number): readonly Route[] {
  const [first] = routes;
  if (first?.weight === undefined || routes.length === 1) return routes;
  const left = [...routes];
  const order: Route[] = [];
  while (left.length > 0) order.push(...left.splice(drawn(left, random()), 1));
  return order;
}

/** The index of one of these, chosen at random by weight. */
function drawn(routes: readonly Route[], lot: number): number {
  const total = routes.reduce((sum, route) => sum + weightOf(route), 0);
  let rest = lot * total;
  // Weights are integers, so nothing is rounded, and the last route always takes it below zero.
  return routes.findIndex((route) => (rest -= weightOf(route)) < 0);
}

function weightOf({ weight = 1 }: Route): number {
  return weight;
}

/** The route that a request would currently try first, or with weights most likely; null if none can be tried. */
export function likelyRoute(gate: GatewayDeps, model: Model): Route | null {
  const nowMs = gate.clock.monotonicMs();
  const usable = model.routes.filter(
    (route) => gate.upstreams.of(route) !== undefined && gate.health.of(route).waitMs(nowMs) === 0,
  );
  const heaviest = Math.max(...usable.map(weightOf));
  return usable.find((route) => weightOf(route) === heaviest) ?? null;
}
