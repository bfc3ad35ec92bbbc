import type { NanoUsd } from '../../domain/money.ts';
import type { Cancel } from '../../lib/clock.ts';
import { fitsInto, type Hold, leasesIn, type LeaseTriple } from './hold.ts';
import type { Lease } from './lease.ts';

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

/** Whether the amount can't ever fit, whatever other requests give back. */
function isBeyondReach(lease: Lease, amount: NanoUsd): boolean {
  const best = lease.availableAtBest;
  return lease.isKnown && best !== null && amount > best;
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
