import type { Model, Route } from '../../../domain/model.ts';
import type { GatewayDeps } from '../gateway-deps.ts';

/** Draws a number from 0 to 1 for a route: at random, or always the same (affinity.ts). */
export type RouteLot = (route: Route) => number;

/** Whether a model's routes are tried in the order of lots. */
export function areDrawn(routes: readonly Route[]): boolean {
  return routes.length > 1 && routes[0]?.weight !== undefined;
}

/**
 * The routes in the order in which they are tried: as listed, or, if they have weights, each with a share of first places
 * by its weight, and so on among those that are left.
 */
export function routeOrder(routes: readonly Route[], lotOf: RouteLot): readonly Route[] {
  if (!areDrawn(routes)) return routes;
  // Each route comes after an exponentially distributed time, with its weight as the rate: the first of several comes from
  // each as often as its part of their rates. Without one of them, the order of the others is the same.
  const drawn = routes.map((route) => ({ route, comesAt: -Math.log(lotOf(route)) / weightOf(route) }));
  return drawn.toSorted((one, other) => one.comesAt - other.comesAt).map(({ route }) => route);
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
