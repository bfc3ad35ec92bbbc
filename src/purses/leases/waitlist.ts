import type { Cancel, Clock } from '../../lib/clock.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { leasesIn, type LeaseTriple } from './hold.ts';
import type { Lease } from './lease.ts';
import type { Pace } from '../../lib/pace.ts';

/** How much longer a hold waits for an answer that is under way, where everything that has been heard speaks for it. */
const LAST_ANSWER_MS = 500;

/**
 * How a wait ends: `fits`, and the hold is placed; `final`, it never will fit; `short`, other holds were in the way for as
 * long as it waits; `full`, too many wait already; `unavailable`, nobody could say, or this process may not hold.
 */
export type WaitEnd = 'fits' | 'final' | 'short' | 'full' | 'unavailable';

interface Waiter {
  readonly leases: readonly Lease[];
  readonly amount: NanoUsd;
  /** Each lease's last draw when the wait began: figures that say anything about this hold come from a later one. */
  readonly sentBefore: readonly bigint[];
  readonly resolve: (end: WaitEnd) => void;
  /** Places the hold; called when it fits, before anybody else can take the slack. */
  readonly place: () => void;
  /** Whether it waits for holds of others to close, or only for what its purses have now. */
  isPatient: boolean;
  /** Whether something was drawn for it since the last beat, because all that it has heard spoke for it. */
  isDrawnAtOnce: boolean;
  cancelTimeout: Cancel;
}

/** Whether the amount can't ever fit, whatever other requests give back. */
function isBeyondReach(lease: Lease, amount: NanoUsd): boolean {
  const best = lease.availableAtBest;
  return lease.isKnown && best !== null && amount > best;
}

/**
 * Holds that don't fit yet. A lease's waiters stand in order of arrival, the oldest that fits goes first; closing holds
 * and answered draws wake them, and while any waits its leases are drawn anew at each beat of `pace`.
 */
export class Waitlist {
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #draw: (lease: Lease) => void;
  readonly #mayHold: () => boolean;
  readonly #isUnavailable: () => boolean;
  readonly #isResting: (lease: Lease) => boolean;
  readonly #waitMs: number;
  readonly #most: number;
  readonly #all = new Set<Waiter>();
  readonly #byLease = new Map<Lease, Set<Waiter>>();
  #redrawing = false;

  constructor(parts: {
    clock: Clock;
    pace: Pace;
    draw: (lease: Lease) => void;
    /** Whether this process may place holds at all. */
    mayHold: () => boolean;
    isUnavailable: () => boolean;
    /** Whether nothing can be drawn for this lease, though the database answers. */
    isResting: (lease: Lease) => boolean;
    waitMs: number;
    most: number;
  }) {
    this.#clock = parts.clock;
    this.#pace = parts.pace;
    this.#draw = parts.draw;
    this.#mayHold = parts.mayHold;
    this.#isUnavailable = parts.isUnavailable;
    this.#isResting = parts.isResting;
    this.#waitMs = parts.waitMs;
    this.#most = parts.most;
  }

  /** Waits until the hold is placed by `place`, or until it is clear that it won't be. */
  wait(triple: LeaseTriple, amount: NanoUsd, place: () => void, { isPatient = true } = {}): Promise<WaitEnd> {
    if (this.#all.size >= this.#most) return Promise.resolve('full');
    const leases = leasesIn(triple);
    if (this.#mayHold() && leases.every((lease) => lease.fits(amount))) {
      place();
      return Promise.resolve('fits');
    }
    if (leases.some((lease) => !lease.fits(amount) && this.#isResting(lease))) return Promise.resolve('unavailable');
    return new Promise((resolve) => {
      const waiter: Waiter = {
        leases,
        amount,
        sentBefore: leases.map((lease) => lease.sent),
        resolve,
        place,
        isPatient,
        isDrawnAtOnce: false,
        cancelTimeout: this.#clock.after(this.#waitMs, () => this.#timeUp(waiter)),
      };
      this.#all.add(waiter);
      for (const lease of leases) {
        const queue = this.#byLease.get(lease);
        if (queue === undefined) this.#byLease.set(lease, new Set([waiter]));
        else queue.add(waiter);
      }
      this.#drawFor(waiter);
      this.#redrawLater();
    });
  }

  /**
   * The amounts to draw for the holds that wait for this lease, oldest first. A hold that is known to lack one purse needs
   * nothing of its others meanwhile: what was drawn for it there would be missing to holds that don't pass the one that
   * lacks, and to smaller ones of other processes.
   */
  needsOf(lease: Lease): NanoUsd[] {
    const needs: NanoUsd[] = [];
    for (const waiter of this.#byLease.get(lease) ?? []) {
      const lacking = waiter.leases.filter((each, index) => this.#isLacking(waiter, each, index));
      if (lacking.length === 0 || lacking.includes(lease)) needs.push(waiter.amount);
    }
    return needs;
  }

  /** Whether a hold waits for this lease that has not heard since it came how its purse stands. */
  isAsked(lease: Lease): boolean {
    for (const waiter of this.#byLease.get(lease) ?? []) {
      if (!lease.fits(waiter.amount) && !this.#isFresh(waiter, lease, waiter.leases.indexOf(lease))) return true;
    }
    return false;
  }

  /** These leases, and all others that holds wait for which wait for one of these. */
  withSiblings(leases: readonly Lease[]): Iterable<Lease> {
    if (this.#all.size === 0) return leases;
    const all = new Set(leases);
    for (const lease of leases) {
      for (const waiter of this.#byLease.get(lease) ?? []) for (const each of waiter.leases) all.add(each);
    }
    return all;
  }

  /** Whether a hold waits that could go on with the slack of this lease, once it has what it still needs of others. */
  isUseful(lease: Lease): boolean {
    for (const waiter of this.#byLease.get(lease) ?? []) {
      const isOnItsWay = !waiter.leases.some((each, index) => this.#isLacking(waiter, each, index));
      if (isOnItsWay && lease.fits(waiter.amount)) return true;
    }
    return false;
  }

  /** Whether any hold waits for this lease. */
  isAwaited(lease: Lease): boolean {
    return this.#byLease.has(lease);
  }

  /** Lets the waiters of this lease go on where they can. */
  serve(lease: Lease): void {
    for (const waiter of this.#byLease.get(lease) ?? []) {
      if (!this.#mayHold()) {
        this.#end(waiter, 'unavailable');
      } else if (waiter.leases.every((each) => each.fits(waiter.amount))) {
        waiter.place();
        this.#end(waiter, 'fits');
      } else if (waiter.leases.some((each, index) => this.#isJudged(waiter, each, index))) {
        this.#end(waiter, 'final');
      } else if (!waiter.leases.some((each, index) => this.#isLacking(waiter, each, index))) {
        this.#drawAtOnce(waiter);
      } else if (!waiter.isPatient) {
        this.#end(waiter, 'short');
      }
    }
  }

  /** Ends every wait for this lease: nobody can say when it will be drawn. */
  giveUp(lease: Lease): void {
    for (const waiter of this.#byLease.get(lease) ?? []) this.#end(waiter, 'unavailable');
  }

  /** Ends every wait: this process may not hold any more. */
  stop(): void {
    for (const waiter of this.#all) this.#end(waiter, 'unavailable');
  }

  /** A refusal for good rests on figures that were asked for after the request came. */
  #isJudged(waiter: Waiter, lease: Lease, index: number): boolean {
    return waiter.amount > 0n && this.#isFresh(waiter, lease, index) && isBeyondReach(lease, waiter.amount);
  }

  /** Whether a purse doesn't have the money now. */
  #isLacking(waiter: Waiter, lease: Lease, index: number): boolean {
    if (lease.fits(waiter.amount) || !this.#isFresh(waiter, lease, index)) return false;
    return lease.available !== null && lease.available < waiter.amount;
  }

  /** Whether the database has been heard, since the request came, on a purse that is short. */
  #wasAnswered(waiter: Waiter): boolean {
    return waiter.leases.some((lease, index) => !lease.fits(waiter.amount) && this.#isFresh(waiter, lease, index));
  }

  /** Whether the money is there by all that has been heard since the request came, so that a draw should bring the hold. */
  #isPromised(waiter: Waiter): boolean {
    return (
      waiter.leases.some((lease, index) => this.#isFresh(waiter, lease, index)) &&
      !waiter.leases.some((lease, index) => this.#isLacking(waiter, lease, index))
    );
  }

  #isFresh(waiter: Waiter, lease: Lease, index: number): boolean {
    return lease.answered > (waiter.sentBefore[index] ?? 0n);
  }

  #end(waiter: Waiter, end: WaitEnd): void {
    if (!this.#all.delete(waiter)) return;
    for (const lease of waiter.leases) {
      const queue = this.#byLease.get(lease);
      queue?.delete(waiter);
      if (queue?.size === 0) this.#byLease.delete(lease);
    }
    waiter.cancelTimeout();
    waiter.resolve(end);
  }

  /**
   * Ends a wait whose time is up. Others may just have taken the slack of one lease while this hold waited for another; then
   * the draw that is under way for it has the last word, if it comes soon.
   */
  #timeUp(waiter: Waiter): void {
    if (this.#isUnavailable()) {
      this.#end(waiter, 'unavailable');
    } else if (waiter.isPatient && this.#isPromised(waiter)) {
      waiter.isPatient = false;
      waiter.cancelTimeout = this.#clock.after(LAST_ANSWER_MS, () => this.#timeUp(waiter));
      this.#drawFor(waiter);
    } else {
      this.#end(waiter, this.#wasAnswered(waiter) ? 'short' : 'unavailable');
    }
  }

  #drawFor(waiter: Waiter): void {
    for (const lease of waiter.leases) if (!lease.fits(waiter.amount)) this.#draw(lease);
  }

  /**
   * Draws what is still missing, once in each beat. What a hold has got of one scarce purse is missing to others until it
   * has the rest, or gives it back: in that time two processes can take from each other what either needs.
   */
  #drawAtOnce(waiter: Waiter): void {
    if (waiter.isDrawnAtOnce) return;
    waiter.isDrawnAtOnce = true;
    this.#drawFor(waiter);
  }

  #redrawLater(): void {
    if (this.#redrawing || this.#all.size === 0) return;
    this.#redrawing = true;
    this.#clock.after(this.#pace.nextMs(), () => {
      this.#redrawing = false;
      if (!this.#mayHold()) this.stop();
      for (const waiter of this.#all) {
        waiter.isDrawnAtOnce = false;
        this.#drawFor(waiter);
      }
      this.#redrawLater();
    });
  }
}
