import type { Cancel, Clock } from '../../../lib/clock.ts';
import type { Pace } from '../../../lib/pace.ts';
import type { NanoUsd } from '../../../domain/money.ts';
import { fitsInto, type Hold, leasesIn, type LeaseTriple } from './hold.ts';
import type { Lease } from './lease.ts';

/** How many holds wait at the same time, at most. */
const WAITERS_MAX = 1_000;
/** How much longer a hold waits for an answer that is under way, if all news speaks for it. */
const LAST_ANSWER_MS = 500;

/** A hold that is asked for while it doesn't fit. */
export interface HoldRequest {
  readonly leases: LeaseTriple;
  readonly amount: NanoUsd;
  /** Whether the hold is placed once it fits, or only found to fit. */
  readonly places: boolean;
  /** Whether it waits for holds of others to close, or only for what its purses have now. */
  readonly isPatient: boolean;
}

/**
 * How a wait ends: with the hold; `fits`, and none was to be placed; `final`, it never will fit; `short`, other holds were
 * in the way for as long as it waits; `full`, too many wait already; `unavailable`, nothing is known, or this process may
 * not hold.
 */
export type WaitEnd = Hold | 'fits' | 'final' | 'short' | 'full' | 'unavailable';

/** Where waiting holds get their money from. */
export interface HoldSource {
  /** Whether this process may place holds at all. */
  readonly mayHold: boolean;
  /** Whether the database failed to answer when it was last asked. */
  readonly isUnavailable: boolean;
  /** Whether nothing can be drawn for this lease, though the database answers. */
  isResting(lease: Lease): boolean;
  /** Whether another process has this lease's purse locked, so that no news of it comes for a while. */
  isStuck(lease: Lease): boolean;
  /** Places a hold that fits. */
  place(leases: LeaseTriple, amount: NanoUsd): Hold;
  /** Draws this lease with the next round trip. */
  refill(lease: Lease): void;
}

/**
 * Holds that don't fit yet. A lease's waiters stand in order of arrival, the oldest that fits goes first; closing holds
 * and answered draws wake them, and while any waits its leases are drawn again at each beat of `pace`.
 */
export class Waitlist {
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #waitMs: number;
  readonly #source: HoldSource;
  readonly #all = new Set<Waiter>();
  readonly #byLease = new Map<Lease, Set<Waiter>>();
  #redrawing = false;

  constructor(parts: { clock: Clock; pace: Pace; waitMs: number; source: HoldSource }) {
    this.#clock = parts.clock;
    this.#pace = parts.pace;
    this.#waitMs = parts.waitMs;
    this.#source = parts.source;
  }

  /** Waits until the hold is placed, or until it is clear that it won't be. */
  wait(request: HoldRequest): Promise<WaitEnd> {
    if (this.#all.size >= WAITERS_MAX) return Promise.resolve('full');
    const { leases, amount } = request;
    const source = this.#source;
    if (source.mayHold && fitsInto(leases, amount)) return Promise.resolve(this.#grant(request));
    const isHopeless = leasesIn(leases).some((lease) => !lease.fits(amount) && source.isResting(lease));
    if (isHopeless) return Promise.resolve('unavailable');
    return new Promise((resolve) => this.#add(new Waiter(request, resolve)));
  }

  /**
   * The amounts to draw for the holds that wait for this lease, oldest first. A hold that is known to lack one purse, or
   * waits for one that is locked, needs nothing of its others until then: what was drawn for it there would be missing to
   * holds that don't pass that purse, and to smaller ones of other processes.
   */
  needsOf(lease: Lease): NanoUsd[] {
    const needs: NanoUsd[] = [];
    for (const waiter of this.#waitersOf(lease)) {
      const { lacking, amount } = waiter;
      if (lacking.includes(lease) || (lacking.length === 0 && !this.#isStuck(waiter, lease))) needs.push(amount);
    }
    return needs;
  }

  /** Whether a hold waits for this lease that has had no news of its purse since it came. */
  isAsked(lease: Lease): boolean {
    for (const waiter of this.#waitersOf(lease)) if (!lease.fits(waiter.amount) && !waiter.hasNews(lease)) return true;
    return false;
  }

  /** These leases, and all others that holds wait for which wait for one of these. */
  withSiblings(leases: readonly Lease[]): Iterable<Lease> {
    if (this.#all.size === 0) return leases;
    const all = new Set(leases);
    for (const lease of leases) {
      for (const waiter of this.#waitersOf(lease)) for (const each of waiter.leases) all.add(each);
    }
    return all;
  }

  /** Whether a hold waits that could go on with the slack of this lease, once it has what it still needs of others. */
  isUseful(lease: Lease): boolean {
    for (const waiter of this.#waitersOf(lease))
      if (waiter.lacking.length === 0 && lease.fits(waiter.amount) && !this.#isStuck(waiter, lease)) return true;
    return false;
  }

  /** Whether any hold waits for this lease. */
  isAwaited(lease: Lease): boolean {
    return this.#byLease.has(lease);
  }

  /** Lets the waiters of this lease go on where they can. */
  serve(lease: Lease): void {
    for (const waiter of this.#waitersOf(lease)) {
      if (!this.#source.mayHold) {
        this.#end(waiter, 'unavailable');
      } else if (waiter.fits) {
        this.#end(waiter, this.#grant(waiter.request));
      } else if (waiter.isJudged) {
        this.#end(waiter, 'final');
      } else if (waiter.lacking.length === 0) {
        this.#drawAtOnce(waiter);
      } else if (!waiter.isPatient) {
        this.#end(waiter, 'short');
      }
    }
  }

  /** Ends every wait for this lease: when it will be drawn is not known. */
  giveUp(lease: Lease): void {
    for (const waiter of this.#waitersOf(lease)) this.#end(waiter, 'unavailable');
  }

  /** Ends every wait: this process may not hold any more. */
  stop(): void {
    for (const waiter of this.#all) this.#end(waiter, 'unavailable');
  }

  /** Whether the hold waits for a purse, other than this one, that is locked. */
  #isStuck({ leases, amount }: Waiter, but: Lease): boolean {
    return leases.some((lease) => lease !== but && !lease.fits(amount) && this.#source.isStuck(lease));
  }

  #waitersOf(lease: Lease): Iterable<Waiter> {
    return this.#byLease.get(lease) ?? [];
  }

  /** Places the hold, if it is to be placed, before anything else can take the slack. */
  #grant({ places, leases, amount }: HoldRequest): Hold | 'fits' {
    return places ? this.#source.place(leases, amount) : 'fits';
  }

  #add(waiter: Waiter): void {
    waiter.cancelTimeout = this.#clock.after(this.#waitMs, () => this.#timeUp(waiter));
    this.#all.add(waiter);
    for (const lease of waiter.leases) {
      const queue = this.#byLease.get(lease);
      if (queue === undefined) this.#byLease.set(lease, new Set([waiter]));
      else queue.add(waiter);
    }
    this.#drawFor(waiter);
    this.#redrawLater();
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
    if (this.#source.isUnavailable) {
      this.#end(waiter, 'unavailable');
    } else if (waiter.isPatient && waiter.isPromised) {
      waiter.isPatient = false;
      waiter.cancelTimeout = this.#clock.after(LAST_ANSWER_MS, () => this.#timeUp(waiter));
      this.#drawFor(waiter);
    } else {
      this.#end(waiter, waiter.wasAnswered ? 'short' : 'unavailable');
    }
  }

  #drawFor(waiter: Waiter): void {
    for (const lease of waiter.leases) if (!lease.fits(waiter.amount)) this.#source.refill(lease);
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
      if (!this.#source.mayHold) this.stop();
      for (const waiter of this.#all) {
        waiter.isDrawnAtOnce = false;
        this.#drawFor(waiter);
      }
      this.#redrawLater();
    });
  }
}

/** A hold that waits, and the news of its purses since it came. */
export class Waiter {
  readonly request: HoldRequest;
  readonly resolve: (end: WaitEnd) => void;
  readonly leases: readonly Lease[];
  readonly amount: NanoUsd;
  isPatient: boolean;
  /** Whether something was drawn for it since the last beat, because all news spoke for it. */
  isDrawnAtOnce = false;
  cancelTimeout: Cancel = () => undefined;
  /** Each lease's last draw when the wait began: figures that say anything about this hold come from a later one. */
  readonly #sentBefore: readonly bigint[];

  constructor(request: HoldRequest, resolve: (end: WaitEnd) => void) {
    this.request = request;
    this.resolve = resolve;
    this.leases = leasesIn(request.leases);
    this.amount = request.amount;
    this.isPatient = request.isPatient;
    this.#sentBefore = this.leases.map((lease) => lease.sent);
  }

  get fits(): boolean {
    return fitsInto(this.request.leases, this.amount);
  }

  /** Whether the refusal is final. It rests on figures that were asked for after the request came. */
  get isJudged(): boolean {
    return this.amount > 0n && this.leases.some((lease) => this.hasNews(lease) && isBeyondReach(lease, this.amount));
  }

  /** The leases whose purses don't have the money now. */
  get lacking(): readonly Lease[] {
    return this.leases.filter((lease) => {
      if (lease.fits(this.amount) || !this.hasNews(lease)) return false;
      return lease.available !== null && lease.available < this.amount;
    });
  }

  /** Whether news of a purse that is short has come since the request. */
  get wasAnswered(): boolean {
    return this.leases.some((lease) => !lease.fits(this.amount) && this.hasNews(lease));
  }

  /** Whether the money is there by all news since the request came, so that a draw should bring the hold. */
  get isPromised(): boolean {
    return this.leases.some((lease) => this.hasNews(lease)) && this.lacking.length === 0;
  }

  /** Whether news of this lease's purse has come since the request. */
  hasNews(lease: Lease): boolean {
    return lease.answered > (this.#sentBefore[this.leases.indexOf(lease)] ?? 0n);
  }
}

/** Whether the amount can't ever fit, whatever other requests give back. */
function isBeyondReach(lease: Lease, amount: NanoUsd): boolean {
  const best = lease.availableAtBest;
  return lease.isKnown && best !== null && amount > best;
}
