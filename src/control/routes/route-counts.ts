import { ATTEMPT_CLASSES_MS } from '../../domain/duration-classes.ts';

/** A model's route. */
export interface RoutePlace {
  readonly model: string;
  readonly provider: string;
  readonly upstreamModel: string;
}

/** The last failed attempt. */
export interface LastFault {
  readonly atMs: number;
  readonly kind: string;
  /** Of HTTP; null if there was none. */
  readonly status: number | null;
  readonly requestId: string;
}

/** How attempts ended. */
export interface AttemptCounts {
  answered: number;
  /** Those that the provider refused because of what their callers sent. */
  rejected: number;
  /** Those whose callers left before their answers began. */
  abandoned: number;
  /** Those that failed, by kind of fault. */
  readonly faults: Map<string, number>;
  /** Streams, by the class of the time to the first data event. */
  readonly firstEvent: number[];
  /** Whole answers, by the class of the time to their end. */
  readonly whole: number[];
  answeredAtMs: number | null;
  fault: LastFault | null;
}

export type RouteCounts = RoutePlace & AttemptCounts;

/** Counts of no attempt. */
export function noAttempts(): AttemptCounts {
  return {
    answered: 0,
    rejected: 0,
    abandoned: 0,
    faults: new Map(),
    firstEvent: noDurations(),
    whole: noDurations(),
    answeredAtMs: null,
    fault: null,
  };
}

function noDurations(): number[] {
  return Array.from({ length: ATTEMPT_CLASSES_MS.length + 1 }, () => 0);
}

/** Adds counts to others. */
export function addAttempts(sum: AttemptCounts, more: Readonly<AttemptCounts>): void {
  sum.answered += more.answered;
  sum.rejected += more.rejected;
  sum.abandoned += more.abandoned;
  for (const [kind, count] of more.faults) addFaults(sum, kind, count);
  addEach(sum.firstEvent, more.firstEvent);
  addEach(sum.whole, more.whole);
  if (more.answeredAtMs !== null) sum.answeredAtMs = Math.max(sum.answeredAtMs ?? 0, more.answeredAtMs);
  if (more.fault !== null && more.fault.atMs >= (sum.fault?.atMs ?? 0)) sum.fault = more.fault;
}

/** Counts attempts that failed by this kind of fault. */
export function addFaults({ faults }: AttemptCounts, kind: string, count: number): void {
  faults.set(kind, (faults.get(kind) ?? 0) + count);
}

function addEach(sums: number[], more: readonly number[]): void {
  for (const [at, count] of more.entries()) sums[at] = (sums[at] ?? 0) + count;
}
