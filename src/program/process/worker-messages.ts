import type { Settings } from '../../config/settings.ts';
import type { HealthReport, InstanceHealth } from '../../gate/upstreams/health/standing.ts';

// Messages between a supervisor and its workers. The program's files may have been replaced between the start of the
// supervisor and that of a worker. So `begin` has the supervisor's version, and a worker of another version ends with
// `failed`. These two messages keep their shape in all versions; the others, and the orders, may change.

/** The progress of a rolling restart, or the result of the last one. */
export interface RestartProgress {
  readonly running: boolean;
  /** The number of workers. */
  readonly workers: number;
  /** The number of replaced workers. */
  readonly replaced: number;
  /** The reason of its failure; null if it has not failed. */
  readonly problem: string | null;
}

/** The metrics of one worker, in the metrics library's format. */
export type MetricsSnapshot = readonly object[];

/** The questions of a worker to its supervisor, with the types of the answers. */
export interface SupervisorAnswers {
  /** The metrics of all workers. */
  readonly metrics: readonly MetricsSnapshot[];
  /** The providers as the serving workers know them. */
  readonly health: InstanceHealth;
  /** The settings, which the supervisor reloads. */
  readonly settings: Settings;
  /** Begins a rolling restart. */
  readonly restart: RestartProgress;
  readonly progress: RestartProgress;
}

/** The reason why a worker can't start or continue. */
export interface WorkerFailure {
  /** One line. */
  readonly reason: string;
  /** Whether the cause is an unreachable database rather than the program. */
  readonly isDatabaseAway: boolean;
}

export type ToWorker =
  /** The worker's orders; the composition root knows the type. */
  | { readonly kind: 'begin'; readonly version: string; readonly orders: unknown }
  /** New orders, as far as they can change while it serves. */
  | { readonly kind: 'change'; readonly orders: unknown }
  /** Its successor serves: take no new connections, end running requests, exit. */
  | { readonly kind: 'hand over' }
  /** The program stops: become unready, continue to serve for a while, then as above. */
  | { readonly kind: 'retire' }
  /**
   * The program stops now: take no new requests, end running ones, exit. Also sent to a worker that is leaving already.
   */
  | { readonly kind: 'stop' }
  | { readonly kind: 'measure'; readonly id: number }
  | { readonly kind: 'examine'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown };

export type FromWorker =
  /** The worker has begun this epoch. */
  | { readonly kind: 'epoch'; readonly epochId: bigint }
  | { readonly kind: 'serving' }
  /** The worker can't start or continue, and ends by itself. */
  | ({ readonly kind: 'failed' } & WorkerFailure)
  | { readonly kind: 'ask'; readonly id: number; readonly question: keyof SupervisorAnswers }
  | { readonly kind: 'measured'; readonly id: number; readonly metrics: MetricsSnapshot }
  | { readonly kind: 'examined'; readonly id: number; readonly health: HealthReport };
