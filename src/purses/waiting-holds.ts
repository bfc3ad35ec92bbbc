import type { Cancel, Clock } from '../lib/clock.ts';
import type { NanoUsd } from '../domain/money.ts';
import type { LeaseTriple } from './hold.ts';
import type { Lease } from './lease.ts';

const REDRAW_MS = 50;

/** How a wait ends: the hold fits now, it never will, its time is up, or the database could not be asked. */
export type WaitEnd = 'fits' | 'final' | 'timeout' | 'unavailable' | 'full';

interface Waiter {
  readonly leases: LeaseTriple;
  readonly amount: NanoUsd;
  /** Each lease's count of draw replies at the start: a verdict needs a fresher one of every lease that is short. */
  readonly drawsBefore: readonly number[];
  readonly resolve: (end: WaitEnd) => void;
  /** Places the hold; called when it fits, before anybody else can take the slack. */
  readonly place: () => void;
  readonly cancelTimeout: Cancel;
}

const triple = (leases: LeaseTriple): readonly Lease[] => [leases.credit, leases.project, leases.key];

/** Whether the amount can't ever fit, whatever other requests give back. */
export function isBeyondReach(lease: Lease, amount: NanoUsd): boolean {
  const best = lease.availableAtBest;
  return lease.isKnown && best !== null && amount > best;
}

/**
 * Holds that don't fit yet. A workspace's waiters stand in order of arrival, the oldest that fits goes first; closing
 * holds and answered draws wake them, and while any waits its leases are drawn anew every 50 ms.
 */
export class WaitingHolds {
  readonly #clock: Clock;
  readonly #draw: (lease: Lease) => void;
  readonly #isUnavailable: () => boolean;
  readonly #waitMs: number;
  readonly #most: number;
  readonly #byCredit = new Map<Lease, Set<Waiter>>();
  #count = 0;
  #redrawing = false;

  constructor(parts: {
    clock: Clock;
    draw: (lease: Lease) => void;
    isUnavailable: () => boolean;
    waitMs: number;
    most: number;
  }) {
    this.#clock = parts.clock;
    this.#draw = parts.draw;
    this.#isUnavailable = parts.isUnavailable;
    this.#waitMs = parts.waitMs;
    this.#most = parts.most;
  }

  /** Waits until the hold is placed by `place`, or until it is clear that it won't be. */
  wait(leases: LeaseTriple, amount: NanoUsd, place: () => void): Promise<WaitEnd> {
    if (this.#count >= this.#most) return Promise.resolve('full');
    return new Promise((resolve) => {
      const waiter: Waiter = {
        leases,
        amount,
        drawsBefore: triple(leases).map((lease) => lease.drawsAnswered),
        resolve,
        place,
        cancelTimeout: this.#clock.after(this.#waitMs, () =>
          this.#end(waiter, this.#isUnavailable() ? 'unavailable' : 'timeout'),
        ),
      };
      const queue = this.#byCredit.get(leases.credit);
      if (queue === undefined) this.#byCredit.set(leases.credit, new Set([waiter]));
      else queue.add(waiter);
      this.#count += 1;
      this.#drawFor(waiter);
      this.#redrawLater();
    });
  }

  /** The amounts that wait for this lease and don't fit into it together, oldest first. */
  needsOf(lease: Lease): NanoUsd[] {
    const needs: NanoUsd[] = [];
    const queues = lease.name.kind === 'credit' ? [this.#byCredit.get(lease)] : [...this.#byCredit.values()];
    for (const queue of queues) {
      for (const waiter of queue ?? []) if (triple(waiter.leases).includes(lease)) needs.push(waiter.amount);
    }
    return needs;
  }

  /** Whether any hold waits for this lease. */
  isAwaited(lease: Lease): boolean {
    return this.#count > 0 && this.needsOf(lease).length > 0;
  }

  /** Lets the waiters of one workspace go on where they can. */
  serve(credit: Lease): void {
    const queue = this.#byCredit.get(credit);
    if (queue === undefined) return;
    for (const waiter of queue) {
      const leases = triple(waiter.leases);
      if (leases.every((lease) => lease.fits(waiter.amount))) {
        waiter.place();
        this.#end(waiter, 'fits');
      } else if (leases.some((lease, index) => this.#isJudged(waiter, lease, index))) {
        this.#end(waiter, 'final');
      }
    }
  }

  /** Lets every workspace's waiters go on where they can. */
  serveAll(): void {
    for (const credit of this.#byCredit.keys()) this.serve(credit);
  }

  /** A refusal for good rests on figures that came after the request did. */
  #isJudged(waiter: Waiter, lease: Lease, index: number): boolean {
    return lease.drawsAnswered > (waiter.drawsBefore[index] ?? 0) && isBeyondReach(lease, waiter.amount);
  }

  #end(waiter: Waiter, end: WaitEnd): void {
    const queue = this.#byCredit.get(waiter.leases.credit);
    if (queue?.delete(waiter) !== true) return;
    if (queue.size === 0) this.#byCredit.delete(waiter.leases.credit);
    this.#count -= 1;
    waiter.cancelTimeout();
    waiter.resolve(end);
  }

  #drawFor(waiter: Waiter): void {
    for (const lease of triple(waiter.leases)) if (!lease.fits(waiter.amount)) this.#draw(lease);
  }

  #redrawLater(): void {
    if (this.#redrawing || this.#count === 0) return;
    this.#redrawing = true;
    this.#clock.after(REDRAW_MS, () => {
      this.#redrawing = false;
      for (const queue of this.#byCredit.values()) for (const waiter of queue) this.#drawFor(waiter);
      this.#redrawLater();
    });
  }
}
