import type { ProviderKind } from '../../../config/config.ts';
import type { UpstreamFault } from '../upstream.ts';

// States of routes and providers, for people and metrics.

/**
 * A route's state, the most urgent first.
 *
 * - `resting`: it is skipped until a known time.
 * - `probing`: its rest is over, and it has not answered since.
 * - `failing`: every recent attempt failed, and there were too few of them for a rest.
 * - `answering`: a recent attempt was answered.
 * - `idle`: there was no recent attempt.
 */
export const ROUTE_STATES = ['resting', 'probing', 'failing', 'answering', 'idle'] as const;
export type RouteState = (typeof ROUTE_STATES)[number];

/** Why a route rests: its provider asked for it, too many attempts failed, or the operator's key is refused. */
export const REST_CAUSES = ['provider_asked', 'failures', 'key_refused'] as const;
export type RestCause = (typeof REST_CAUSES)[number];

/** A rest, and the fault that caused it. It contains no text of a provider. */
export interface RouteRest {
  readonly cause: RestCause;
  readonly fault: UpstreamFault['kind'];
  /** The status of HTTP, if there was one. */
  readonly status: number | null;
  /** The remaining time; milliseconds. */
  readonly forMs: number;
}

/** The current state of one route in one process. */
export interface RouteStanding {
  readonly upstreamModel: string;
  readonly state: RouteState;
  /** Whether other requests skip it now: it rests, or its probe is in progress. */
  readonly isSkipped: boolean;
  /** Null unless the state is `resting`. */
  readonly rest: RouteRest | null;
  /** Results of the current window. */
  readonly answered: number;
  readonly failed: number;
}

/** The current state of one provider in one process. */
export interface ProviderStanding {
  readonly name: string;
  /** Null: it is not in the config file any more. */
  readonly kind: ProviderKind | null;
  /** Attempts in progress. */
  readonly running: number;
  /** The most attempts in progress; null: unbounded. */
  readonly concurrencyMax: number | null;
  /** Whether the last result of any route was a refusal of the operator's key. */
  readonly isKeyRefused: boolean;
  /** The routes that were tried. */
  readonly routes: readonly RouteStanding[];
}

/** The state of the providers as known to one process from its own attempts. */
export interface HealthReport {
  /** How far back results count; milliseconds. */
  readonly windowMs: number;
  readonly providers: readonly ProviderStanding[];
}

/** The reports of an instance's processes. */
export interface InstanceHealth {
  /** The number of serving processes. */
  readonly processes: number;
  /** One for each of them that has answered in time. */
  readonly reports: readonly HealthReport[];
}
