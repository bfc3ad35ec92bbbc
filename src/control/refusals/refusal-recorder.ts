import type { RefusedRequest } from '../../domain/refused-request.ts';
import { type Bucket, fullBucket, refilled, taken, waitFor } from '../../domain/token-bucket.ts';
import type { Clock } from '../../lib/clock.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import { WriteLoop } from '../../lib/write-loop.ts';
import { type RecordedRefusal, recordOf } from './recorded-refusal.ts';

/** How many refusals of one workspace with the same code are recorded a minute, so that one code hides no other. */
export const RECORDED_PER_MINUTE = 100;
/** How many may wait for the next write: of one workspace, and in all. */
const WAITING_OF_WORKSPACE_MAX = 100;
const WAITING_MAX = 500;
const BUCKETS_MAX = 10_000;
const WORKSPACES_MAX = 1_000;
const WRITE_INTERVAL_MS = 1_000;

/** What is written together. */
export interface RefusalBatch {
  readonly records: readonly RecordedRefusal[];
  /** How many others were not recorded, by workspace. */
  readonly unrecorded: ReadonlyMap<string, number>;
}

export interface RecorderParts {
  readonly clock: Clock;
  /** Writes a batch. One batch is written at a time. */
  readonly write: (batch: RefusalBatch) => Promise<void>;
  /** Called with the fault of a failed write; its records are dropped. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * Records refusals of known callers, so that a caller can learn later why its request was refused. A request that is
 * refused waits for nothing: its record is kept in memory, and written within a second. What is too much, or fails to be
 * written, is counted and dropped.
 */
export class RefusalRecorder {
  readonly #parts: RecorderParts;
  readonly #loop: WriteLoop;
  readonly #buckets = new RecentMap<string, Bucket>(BUCKETS_MAX);
  #waiting: RecordedRefusal[] = [];
  #waitingOf = new Map<string, number>();
  #unrecordedOf = new Map<string, number>();
  #unrecorded = 0;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#loop = new WriteLoop({ clock: parts.clock, intervalMs: WRITE_INTERVAL_MS, write: () => this.#write() });
  }

  /** How many refusals of known callers were not recorded. */
  get unrecorded(): number {
    return this.#unrecorded;
  }

  /** Writes what waits from now on, once a second. */
  start(): void {
    this.#loop.start();
  }

  /** Ends the writing, by a last write that may take two seconds. */
  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  refused(request: RefusedRequest): void {
    const { principal, refusal } = request;
    if (principal === null) return;
    const { workspaceId } = principal;
    const waiting = this.#waitingOf.get(workspaceId) ?? 0;
    const isFull = this.#waiting.length >= WAITING_MAX || waiting >= WAITING_OF_WORKSPACE_MAX;
    if (isFull || !this.#take(`${workspaceId} ${refusal.code}`)) {
      this.#drop(workspaceId);
      return;
    }
    this.#waiting.push(recordOf(request, principal, this.#parts.clock.nowMs()));
    this.#waitingOf.set(workspaceId, waiting + 1);
  }

  /** Takes one record of this kind; false if it has none left. */
  #take(kind: string): boolean {
    const nowMs = this.#parts.clock.monotonicMs();
    const known = this.#buckets.get(kind);
    const bucket =
      known === undefined ? fullBucket(RECORDED_PER_MINUTE, nowMs) : refilled(known, RECORDED_PER_MINUTE, nowMs);
    const hasOne = waitFor(bucket, 1) === 0;
    this.#buckets.set(kind, hasOne ? taken(bucket, 1) : bucket);
    return hasOne;
  }

  #drop(workspaceId: string): void {
    this.#unrecorded += 1;
    this.#countOf(workspaceId, 1);
  }

  #countOf(workspaceId: string, count: number): void {
    const former = this.#unrecordedOf.get(workspaceId);
    if (former === undefined && this.#unrecordedOf.size >= WORKSPACES_MAX) return;
    this.#unrecordedOf.set(workspaceId, (former ?? 0) + count);
  }

  /** Writes what waits; null: nothing does. */
  #write(): Promise<void> | null {
    const records = this.#waiting;
    const unrecorded = this.#unrecordedOf;
    if (records.length === 0 && unrecorded.size === 0) return null;
    this.#waiting = [];
    this.#waitingOf = new Map();
    this.#unrecordedOf = new Map();
    return this.#parts.write({ records, unrecorded }).catch((fault: unknown) => {
      for (const [workspaceId, count] of unrecorded) this.#countOf(workspaceId, count);
      for (const { workspaceId } of records) this.#drop(workspaceId);
      this.#parts.onFault(fault);
    });
  }
}
