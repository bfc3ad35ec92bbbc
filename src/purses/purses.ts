import type { Clock } from '../lib/clock.ts';
import type { NanoUsd } from '../domain/money.ts';
import type { Principal } from '../domain/principal.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { Epoch } from './epoch.ts';
import type { Journal } from './ports/journal.ts';
import { fitsInto, Hold, leasesIn, type LeaseTriple } from './leases/hold.ts';
import type { FirstDraw } from './ports/key-store.ts';
import { type DrawReply, EpochFenced, LeaseGone, type PurseName, type PurseStore } from './ports/purse-store.ts';
import { Settlement } from './settlement/settlement.ts';
import type { Trail } from './ports/trail.ts';
import { availableIn, type HoldFailure } from './leases/shortage.ts';
import { Allocator } from './leases/allocator.ts';

/** How long a stop waits for the last charges to become durable. */
const STOP_MS = 5_000;

/**
 * The spending engine of one process: leases in memory, holds placed synchronously, draws and settlements batched.
 */
export class Purses {
  readonly #clock: Clock;
  readonly #epoch: Epoch;
  readonly #allocator: Allocator;
  readonly #settlement: Settlement;
  readonly #onFenced: (fault: EpochFenced) => void;
  #open = 0;
  #stopped = false;

  constructor(parts: {
    store: PurseStore;
    clock: Clock;
    epoch: Epoch;
    journal: Journal;
    /** Null where no other server can take over. */
    trail: Trail | null;
    holdWaitMs: number;
    /** The database no longer knows what this epoch has leased: it can't go on, and must be ended. */
    onLost: () => void;
    /** The epoch is over: nothing more is held here, and what is still to be charged is late. */
    onFenced: (fault: EpochFenced) => void;
    onFault: (fault: unknown) => void;
    onJournalFault: (fault: unknown) => void;
    onPoison: (receipt: Receipt, fault: unknown) => void;
    /** A purse that the database refuses to draw from for this process. */
    onRefusedPurse: (purse: PurseName, fault: unknown) => void;
  }) {
    const { store, clock, epoch, journal, onJournalFault, onPoison } = parts;
    this.#clock = clock;
    this.#epoch = epoch;
    this.#onFenced = parts.onFenced;
    const onFenced = (fault: EpochFenced): void => this.fenced(fault);
    const onFault = (fault: unknown): void => {
      if (fault instanceof EpochFenced) onFenced(fault);
      else if (fault instanceof LeaseGone) parts.onLost();
      else parts.onFault(fault);
    };
    this.#allocator = new Allocator({
      store,
      clock,
      epochId: epoch.id,
      holdWaitMs: parts.holdWaitMs,
      mayHold: () => this.#mayHold(),
      onRefusedPurse: parts.onRefusedPurse,
      onFault,
    });
    this.#settlement = new Settlement({
      store,
      clock,
      journal,
      trail: parts.trail,
      timeline: () => epoch.timeline,
      epochId: epoch.id,
      onFenced,
      onLost: parts.onLost,
      onFault,
      onJournalFault,
      onPoison,
    });
  }

  /** Receipts that aren't durable yet. */
  get unsettled(): number {
    return this.#settlement.backlog;
  }

  /** The epoch that this process spends in. */
  get epochId(): bigint {
    return this.#epoch.id;
  }

  /** Whether this process has leases of all the caller's purses, so that `available` means something. */
  knows(principal: Principal): boolean {
    return leasesIn(this.#allocator.leasesOf(principal)).every((lease) => lease.isKnown);
  }

  /** Draws the leases that this process has never had, with enough for a few holds of the `likely` amount. */
  async acquaint(principal: Principal, likely: NanoUsd): Promise<HoldFailure | null> {
    return this.knows(principal) ? null : await this.#allocator.acquaint(this.#allocator.leasesOf(principal), likely);
  }

  /** Draws, with nothing ahead, what has never been drawn of the caller's purses. */
  drawUnknown(principal: Principal): void {
    this.#allocator.drawUnknown(principal);
  }

  /** The number of a first draw, and how much of each purse it is to bring. */
  beginFirstDraw(): Pick<FirstDraw, 'sequence' | 'ahead'> {
    return this.#allocator.beginFirstDraw();
  }

  /** Takes over what a first draw has brought. */
  learnFirst(sequence: bigint, drawn: readonly { readonly name: PurseName; readonly reply: DrawReply }[]): void {
    this.#allocator.learnFirst(sequence, drawn);
  }

  /** The least that the limited purses have for one more hold, as last seen; null where none is limited. */
  available(principal: Principal): NanoUsd | null {
    return availableIn(this.#allocator.leasesOf(principal));
  }

  /** Whether a hold could be placed from memory. */
  fits(principal: Principal, amount: NanoUsd): boolean {
    return this.#mayHold() && fitsInto(this.#allocator.leasesOf(principal), amount);
  }

  /** Places a hold from memory, on all three leases or on none; null where it doesn't fit. */
  tryHold(principal: Principal, amount: NanoUsd): Hold | null {
    const leases = this.#allocator.leasesOf(principal);
    return this.#mayHold() && fitsInto(leases, amount) ? this.#place(leases, amount) : null;
  }

  /**
   * Places a hold from memory, else from what its purses have left, without waiting for other requests' holds; null where
   * the money isn't there now. A lease may be low while its purse is ample, and that is no reason to settle for less.
   */
  async drawHold(principal: Principal, amount: NanoUsd): Promise<Hold | null> {
    let hold: Hold | null = this.tryHold(principal, amount);
    if (hold !== null) return hold;
    await this.#allocator.drawNow(principal, amount, (leases) => {
      hold = this.#place(leases, amount);
    });
    return hold;
  }

  /** Tells whether `drawHold` would place one, but places none. */
  async drawProbe(principal: Principal, amount: NanoUsd): Promise<boolean> {
    return this.fits(principal, amount) || (await this.#allocator.drawNow(principal, amount, () => undefined));
  }

  /** Places a hold, drawing and waiting for it as long as the money may still come free. */
  async hold(principal: Principal, amount: NanoUsd): Promise<Hold | HoldFailure> {
    const placed = this.tryHold(principal, amount);
    if (placed !== null) return placed;
    let hold: Hold | null = null;
    const failure = await this.#allocator.waitUntilFits(principal, amount, (leases) => {
      hold = this.#place(leases, amount);
    });
    if (hold !== null) return hold;
    // Between the verdict and this line other holds may have closed.
    return this.tryHold(principal, amount) ?? failure ?? { kind: 'unavailable' };
  }

  /** Tells whether `hold` would place one, in the same way and after the same wait, but places none: null if it would. */
  async probe(principal: Principal, amount: NanoUsd): Promise<HoldFailure | null> {
    if (this.fits(principal, amount)) return null;
    const failure = await this.#allocator.waitUntilFits(principal, amount, () => undefined);
    this.#allocator.giveBackWhereDry(leasesIn(this.#allocator.leasesOf(principal)));
    return failure;
  }

  /** A purse's limit or mode has changed: its lease gives its slack back and learns how things stand. */
  purseChanged(purseId: bigint): void {
    this.#allocator.purseChanged(purseId);
  }

  /** Changes may have been missed: every lease learns anew how its purse stands. */
  everyPurseChanged(): void {
    this.#allocator.everyPurseChanged();
  }

  /** Sends what was settled in the last minute again: another server has taken over, and may lack it. */
  resend(): void {
    this.#settlement.resend();
  }

  /** Whether nothing is held or drawn here any more. */
  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Whether nothing is held here, and nothing may have to be settled any more. */
  get isOver(): boolean {
    return this.#open === 0 && this.#settlement.isOver;
  }

  /** The database has said that the epoch is over. Waits end, nothing is drawn any more, and open holds close late. */
  fenced(fault: EpochFenced): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#epoch.declareDead();
    this.#settlement.fence();
    this.#allocator.halt();
    this.#onFenced(fault);
  }

  /**
   * Ends all waits and settles what is left; with the database away, that stays in the journal. No hold may be open any
   * more. The epoch itself is for others to end.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#allocator.endWaits();
    await this.#settlement.stop(STOP_MS);
    await this.#allocator.stop();
    this.#epoch.stop();
  }

  #mayHold(): boolean {
    return !this.#stopped && this.#epoch.isLive && !this.#settlement.isOverloaded;
  }

  #place(leases: LeaseTriple, amount: NanoUsd): Hold {
    const hold = new Hold(leases, amount, this.#clock.monotonicMs(), this.#onClose);
    this.#open += 1;
    this.#allocator.taken(leases, amount);
    return hold;
  }

  readonly #onClose = (leases: LeaseTriple, receipt: Receipt, answer: Buffer | null): Promise<void> => {
    this.#open -= 1;
    let isInLeases = true;
    const leave = (): void => {
      if (!isInLeases) return;
      isInLeases = false;
      for (const lease of leasesIn(leases)) lease.forgone(receipt.charge);
      this.#allocator.freed(leases);
    };
    const durable = this.#settlement.settle(receipt, answer, {
      leaves: leave,
      ended: ({ kind }) => {
        for (const lease of leasesIn(leases)) lease.settled();
        if (kind !== 'timely') leave();
      },
      resent: () => {
        for (const lease of leasesIn(leases)) lease.unsettled();
      },
    });
    this.#allocator.freed(leases);
    return durable;
  };
}
