import type { Clock } from '../lib/clock.ts';
import type { Principal } from '../domain/principal.ts';
import { type Window, windowAt } from '../domain/window.ts';
import type { LeaseTriple } from './hold.ts';
import { Lease } from './lease.ts';
import type { PurseKind } from './purse-store.ts';

const IDLE_MS = 2_000;
const FORGET_MS = 600_000;
const RELEASES_PER_SWEEP = 500;
/** Idle slack smaller than this part of what its purse has left stays where it is. */
const MATERIAL_PART = 64n;

interface CachedTriple extends LeaseTriple {
  readonly validFromMs: number;
  readonly validUntilMs: number;
  /** The count of sweeps that forgot leases when it was made: a forgotten lease is never used again. */
  readonly forgetting: number;
}

/** What a sweep has found. */
export interface Swept {
  /** Leases whose slack lies idle. */
  readonly idle: readonly Lease[];
  /** Leases that nobody needs any more; they are forgotten already. */
  readonly done: readonly Lease[];
}

/** The leases of one process: one for each purse that its callers pass. */
export class Leases {
  readonly #clock: Clock;
  readonly #isAwaited: (lease: Lease) => boolean;
  readonly #byName = new Map<string, Lease>();
  readonly #byPurse = new Map<bigint, Lease>();
  readonly #triples = new WeakMap<Principal, CachedTriple>();
  #forgetting = 0;

  constructor(clock: Clock, isAwaited: (lease: Lease) => boolean) {
    this.#clock = clock;
    this.#isAwaited = isAwaited;
  }

  /** The leases that the caller's requests pass now. */
  of(principal: Principal): LeaseTriple {
    const nowMs = this.#clock.nowMs();
    const cached = this.#triples.get(principal);
    if (cached !== undefined && this.#isValid(cached, nowMs)) return cached;
    const { workspaceId, projectId, keyId } = principal;
    const budget = windowAt(principal.budgetPeriod, nowMs);
    const month = windowAt('month', nowMs);
    const triple: CachedTriple = {
      credit: this.#lease(workspaceId, 'credit', workspaceId, windowAt('never', nowMs)),
      project: this.#lease(workspaceId, 'project', projectId, budget),
      key: this.#lease(workspaceId, 'key', keyId, month),
      validFromMs: Math.max(budget.startMs, month.startMs),
      validUntilMs: Math.min(budget.endMs ?? Infinity, month.endMs ?? Infinity),
      forgetting: this.#forgetting,
    };
    this.#triples.set(principal, triple);
    return triple;
  }

  /** The database's clock may go back, and with it the window. */
  #isValid({ validFromMs, validUntilMs, forgetting }: CachedTriple, nowMs: number): boolean {
    return validFromMs <= nowMs && nowMs < validUntilMs && forgetting === this.#forgetting;
  }

  /** The lease of a purse, by the purse's id in the database. */
  ofPurse(purseId: bigint): Lease | undefined {
    return this.#byPurse.get(purseId);
  }

  /** All leases whose purses are known. */
  known(): Iterable<Lease> {
    return this.#byPurse.values();
  }

  /** Takes note of the purse of a lease that has been drawn. */
  noteDrawn(lease: Lease): void {
    this.#byPurse.set(lease.purseId, lease);
  }

  /** Finds idle slack, and forgets leases that nobody needs any more, so that memory and table stay bounded. */
  sweep(): Swept {
    const monotonicMs = this.#clock.monotonicMs();
    const nowMs = this.#clock.nowMs();
    const idle: Lease[] = [];
    const done: Lease[] = [];
    let forgotten = 0;
    for (const [id, lease] of this.#byName) {
      const idleMs = monotonicMs - lease.lastHoldMs;
      if (idleMs < IDLE_MS || this.#isAwaited(lease)) continue;
      const isOver = lease.name.windowEndMs !== null && lease.name.windowEndMs < nowMs;
      if (lease.isQuiet && (isOver || idleMs > FORGET_MS)) {
        this.#byName.delete(id);
        forgotten += 1;
        if (!lease.isKnown) continue;
        this.#byPurse.delete(lease.purseId);
        done.push(lease);
        if (done.length === RELEASES_PER_SWEEP) break;
      } else if (lease.slack > 0n && lease.slack * MATERIAL_PART > (lease.available ?? 0n)) {
        idle.push(lease);
      }
    }
    if (forgotten > 0) this.#forgetting += 1;
    return { idle, done };
  }

  #lease(workspaceId: string, kind: PurseKind, subjectId: string, window: Window): Lease {
    const { period, startMs: windowStartMs, endMs: windowEndMs } = window;
    const id = `${kind} ${subjectId} ${period} ${windowStartMs}`;
    let lease = this.#byName.get(id);
    if (lease === undefined) {
      lease = new Lease(
        { workspaceId, kind, subjectId, period, windowStartMs, windowEndMs },
        this.#clock.monotonicMs(),
      );
      this.#byName.set(id, lease);
    }
    return lease;
  }
}
