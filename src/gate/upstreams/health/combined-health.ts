import type { ProviderKind } from '../../../config/config.ts';
import {
  type HealthReport,
  type ProviderStanding,
  ROUTE_STATES,
  type RouteRest,
  type RouteStanding,
  type RouteState,
} from './standing.ts';

/** A route in all processes that have reported. */
export interface CombinedRoute {
  /** The worst of their states. */
  readonly state: RouteState;
  /** The number of processes in each state. */
  readonly processes: Readonly<Record<RouteState, number>>;
  /** The rest that ends last; null unless it rests in one of them. */
  readonly rest: RouteRest | null;
  readonly answered: number;
  readonly failed: number;
}

/** A provider in all processes that have reported. */
export interface CombinedProvider {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly running: number;
  /** The most attempts that each process may have in progress; null: unbounded. */
  readonly concurrencyMax: number | null;
  /** The number of processes at that limit. */
  readonly full: number;
  readonly isKeyRefused: boolean;
  /** Its route to this model there; one that no process has tried is idle. */
  readonly route: (upstreamModel: string) => CombinedRoute;
}

/** Combines the processes' reports on the providers in the config file, in its order. */
export function combinedHealth(reports: readonly HealthReport[]): readonly CombinedProvider[] {
  const standings = Map.groupBy(
    reports.flatMap(({ providers }) => providers),
    ({ name }) => name,
  );
  return [...standings.values()].flatMap((known) => combinedProvider(known, reports.length));
}

function combinedProvider(known: readonly ProviderStanding[], processes: number): readonly CombinedProvider[] {
  const configured = known.find(({ kind }) => kind !== null);
  if (configured === undefined || configured.kind === null) return [];
  const { name, kind, concurrencyMax } = configured;
  const routes = Map.groupBy(
    known.flatMap((standing) => standing.routes),
    ({ upstreamModel }) => upstreamModel,
  );
  return [
    {
      name,
      kind,
      running: sum(known.map(({ running }) => running)),
      concurrencyMax,
      full: known.filter((each) => each.concurrencyMax !== null && each.running >= each.concurrencyMax).length,
      isKeyRefused: known.some(({ isKeyRefused }) => isKeyRefused),
      route: (upstreamModel) => combinedRoute(routes.get(upstreamModel) ?? [], processes),
    },
  ];
}

function combinedRoute(known: readonly RouteStanding[], processes: number): CombinedRoute {
  const countOf = (state: RouteState): number => known.filter((each) => each.state === state).length;
  const untried = processes - known.length;
  const counts = {
    resting: countOf('resting'),
    probing: countOf('probing'),
    failing: countOf('failing'),
    answering: countOf('answering'),
    idle: countOf('idle') + untried,
  };
  const rests = known.flatMap(({ rest }) => (rest === null ? [] : [rest]));
  return {
    state: ROUTE_STATES.find((state) => counts[state] > 0) ?? 'idle',
    processes: counts,
    rest: rests.toSorted((one, other) => other.forMs - one.forMs)[0] ?? null,
    answered: sum(known.map(({ answered }) => answered)),
    failed: sum(known.map(({ failed }) => failed)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
