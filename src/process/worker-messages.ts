// Messages between a supervisor and its workers. A worker runs the files as they are when it starts, which may have
// been replaced since its supervisor did: so `begin` has the supervisor's version, and a worker of another one ends with
// `failed`. These two keep their shape in all versions; the other messages, and the orders, may change with each.

/** How a rolling restart stands, or how the last one ended. */
export interface RestartProgress {
  readonly running: boolean;
  /** How many workers there are. */
  readonly workers: number;
  /** How many of them it has replaced. */
  readonly replaced: number;
  /** The reason of its failure; null if it hasn't failed. */
  readonly problem: string | null;
}

/** The numbers of one worker, in the form that its metrics' library adds up. */
export type MetricsSnapshot = readonly object[];

/** The questions of a worker to its supervisor, with the types of the answers. */
export interface SupervisorAnswers {
  /** The numbers of all workers. */
  readonly metrics: readonly MetricsSnapshot[];
  /** Begins a rolling restart. */
  readonly restart: RestartProgress;
  readonly progress: RestartProgress;
}

/** Why a worker can't start or go on. */
export interface WorkerFailure {
  /** One line. */
  readonly reason: string;
  /** Whether the database is away, so that the program has done nothing wrong. */
  readonly isDatabaseAway: boolean;
}

export type ToWorker =
  /** The parts that it needs to start; the composition root knows the type. */
  | { readonly kind: 'begin'; readonly version: string; readonly orders: unknown }
  /** Its orders are others from now on, as far as they can change while it serves. */
  | { readonly kind: 'change'; readonly orders: unknown }
  /** Its successor serves: take no new connections, end running requests, exit. */
  | { readonly kind: 'hand over' }
  /** The program stops: say so to load balancers and serve on for a while, then as above. */
  | { readonly kind: 'retire' }
  /** The program stops now: take no new requests, end what runs, go. Also to one that is leaving already. */
  | { readonly kind: 'stop' }
  | { readonly kind: 'measure'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown };

export type FromWorker =
  /** It has begun this epoch. */
  | { readonly kind: 'epoch'; readonly epochId: bigint }
  | { readonly kind: 'serving' }
  /** It can't start or go on, and ends by itself. */
  | ({ readonly kind: 'failed' } & WorkerFailure)
  | { readonly kind: 'ask'; readonly id: number; readonly question: keyof SupervisorAnswers }
  | { readonly kind: 'measured'; readonly id: number; readonly metrics: MetricsSnapshot };
