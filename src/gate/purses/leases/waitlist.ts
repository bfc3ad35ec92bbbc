import type { Cancel, Clock } from '../../../lib/clock.ts';
import type { Pace } from '../../../lib/pace.ts';
import type { NanoUsd } from '../../../domain/money.ts';
import { fitsInto, type Hold, type HoldLeases, wouldFitInto } from './hold.ts';
import type { Lease } from './lease.ts';

/** How many holds wait at the same time, at most. */
const WAITERS_MAX = 1_000;
/** The extra wait for a reply in progress if all figures promise the hold. */
const LAST_ANSWER_MS = 500;

/** A requested hold that doesn't fit yet. */
export interface HoldRequest {
  readonly leases: HoldLeases;
  readonly amount: NanoUsd;
  /** True: places the hold once it fits. False: only reports that it fits. */
  readonly places: boolean;
  /** Whether it waits for other holds to close, or only for what its purses have now. */
  readonly isPatient: boolean;
}

/**
 * How a wait ends: with the hold; `fits`, if none was to be placed; `final`, it will never fit; `short`, other holds
 * took the money for the whole wait; `full`, too many holds wait; `unavailable`, no figures are known, or this process
 * may not place holds.
 */
export type WaitEnd = Hold | 'fits' | 'final' | 'short' | 'full' | 'unavailable';

/** Source of money for waiting holds. */
export interface HoldSource {
  /** Whether this process may place holds at all. */
  readonly mayHold: boolean;
  /** Whether the database failed to answer when it was last asked. */
  readonly isUnavailable: boolean;
  /** Whether nothing can be drawn for this lease, though the database answers. */
  isResting(lease: Lease): boolean;
  /** Whether another process has locked this lease's purse, so that no draw of it is answered for a while. */
  isStuck(lease: Lease): boolean;
  /** Places a hold that fits. */
  place(leases: HoldLeases, amount: NanoUsd): Hold;
  /** Draws this lease with the next round trip. */
  refill(lease: Lease): void;
}

/**
 * Holds that don't fit yet. The waiters of a lease are in order of arrival, and the oldest that fits goes first.
 * Closed holds and draws' replies wake them; while any waits, its leases are drawn again at each beat of `pace`.
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

  /** The number of holds that wait. */
  get size(): number {
    return this.#all.size;
  }

  /** Waits until the hold is placed, or is known not to fit. */
  wait(request: HoldRequest): Promise<WaitEnd> {
    if (this.#all.size >= WAITERS_MAX) return Promise.resolve('full');
    const { leases, amount } = request;
    const source = this.#source;
    if (source.mayHold && isMet(request)) return Promise.resolve(this.#grant(request));
    const isHopeless = leases.all.some((lease) => !lease.fits(amount) && source.isResting(lease));
    if (isHopeless) return Promise.resolve('unavailable');
    return new Promise((resolve) => this.#add(new Waiter(request, resolve)));
  }

  /**
   * The amounts to draw for the holds that wait for this lease, oldest first. A hold that is known to lack another
   * purse, or waits for a locked one, draws nothing here until that is over: the amount would be missing to holds that
   * don't need that purse, and to smaller ones of other processes. From a brief purse it draws last: a hold that is refused is
   * to leave no row of one.
   */
  needsOf(lease: Lease): NanoUsd[] {
    const needs: NanoUsd[] = [];
    for (const waiter of this.#waitersOf(lease)) {
      const { lacking, amount } = waiter;
      if (lease.isBrief && !waiter.hasAllBut(lease)) continue;
      if (lacking.includes(lease) || (lacking.length === 0 && !this.#isStuck(waiter, lease))) needs.push(amount);
    }
    return needs;
  }

  /** Whether any hold waits for this lease without figures from after its request. */
  isAsked(lease: Lease): boolean {
    for (const waiter of this.#waitersOf(lease)) if (!lease.fits(waiter.amount) && !waiter.hasNews(lease)) return true;
    return false;
  }

  /** These leases, and the other leases of the holds that wait for them. */
  withSiblings(leases: readonly Lease[]): Iterable<Lease> {
    if (this.#all.size === 0) return leases;
    const all = new Set(leases);
    for (const lease of leases) {
      for (const waiter of this.#waitersOf(lease)) for (const each of waiter.leases) all.add(each);
    }
    return all;
  }

  /** Whether any waiting hold fits this lease's slack, and can still get what it needs of the others. */
  isUseful(lease: Lease): boolean {
    for (const waiter of this.#waitersOf(lease))
      if (waiter.lacking.length === 0 && lease.fits(waiter.amount) && !this.#isStuck(waiter, lease)) return true;
    return false;
  }

  /** Whether any hold waits for this lease. */
  isAwaited(lease: Lease): boolean {
    return this.#byLease.has(lease);
  }

  /** Places the holds that fit, ends waits that are decided, and draws for holds that the figures promise. */
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
   * Ends a wait whose time is up. Other holds may have just taken the slack of one lease while this hold waited for
   * another; then the reply in progress decides, if it comes soon.
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
   * Draws what is still missing, once per beat, without waiting for it. What a hold has of one scarce purse is missing
   * to others until it has the rest or gives it back: in that time two processes can take from each other what either
   * needs.
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

/** A waiting hold, and which of its purses' figures are newer than its request. */
export class Waiter {
  readonly request: HoldRequest;
  readonly resolve: (end: WaitEnd) => void;
  readonly leases: readonly Lease[];
  readonly amount: NanoUsd;
  isPatient: boolean;
  /** Whether it was drawn for since the last beat, because all figures promised the hold. */
  isDrawnAtOnce = false;
  cancelTimeout: Cancel = () => undefined;
  /** Each lease's last draw when the wait began: only figures of later draws count for this hold. */
  readonly #sentBefore: readonly bigint[];

  constructor(request: HoldRequest, resolve: (end: WaitEnd) => void) {
    this.request = request;
    this.resolve = resolve;
    this.leases = request.leases.all;
    this.amount = request.amount;
    this.isPatient = request.isPatient;
    this.#sentBefore = this.leases.map((lease) => lease.sent);
  }

  get fits(): boolean {
    return isMet(this.request);
  }

  /** Whether it is to be placed, fits into all leases but brief ones, and other brief purses promise it. */
  hasAllBut(brief: Lease): boolean {
    const { amount, leases } = this;
    if (!this.request.places) return false;
    return leases.every((lease) => lease === brief || lease.fits(amount) || (lease.isBrief && lease.promises(amount)));
  }

  /** Whether the refusal is final. It relies on figures that were requested after the hold was. */
  get isJudged(): boolean {
    return this.amount > 0n && this.leases.some((lease) => this.hasNews(lease) && isBeyondReach(lease, this.amount));
  }

  /** The leases whose purses lack the money now. */
  get lacking(): readonly Lease[] {
    return this.leases.filter((lease) => {
      if (lease.fits(this.amount) || !this.hasNews(lease)) return false;
      return lease.available !== null && lease.available < this.amount;
    });
  }

  /** Whether figures of a short purse are newer than the request. */
  get wasAnswered(): boolean {
    return this.leases.some((lease) => !lease.fits(this.amount) && this.hasNews(lease));
  }

  /** Whether all figures from after the request say that the money is there, so that a draw should bring the hold. */
  get isPromised(): boolean {
    return this.leases.some((lease) => this.hasNews(lease)) && this.lacking.length === 0;
  }

  /** Whether the figures of this lease's purse are newer than the request. */
  hasNews(lease: Lease): boolean {
    return lease.answered > (this.#sentBefore[this.leases.indexOf(lease)] ?? 0n);
  }
}

/** Whether a hold can be placed, or would be once its brief purses are drawn from, if none is to be placed. */
function isMet({ places, leases, amount }: HoldRequest): boolean {
  return places ? fitsInto(leases, amount) : wouldFitInto(leases, amount);
}

/** Whether the amount can never fit, even if all other holds close without a charge. */
function isBeyondReach(lease: Lease, amount: NanoUsd): boolean {
  const best = lease.availableAtBest;
  return lease.isKnown && best !== null && amount > best;
}
