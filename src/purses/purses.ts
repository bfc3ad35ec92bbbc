import type { Clock } from '../lib/clock.ts';
import type { NanoUsd } from '../domain/money.ts';
import type { Principal } from '../domain/principal.ts';
import type { Receipt } from '../domain/receipt.ts';
import { Draws } from './draws.ts';
import type { Epoch } from './epoch.ts';
import type { Journal } from './journal.ts';
import { fitsInto, Hold, leasesIn, type LeaseTriple } from './hold.ts';
import type { Lease } from './lease.ts';
import { Leases } from './leases.ts';
import type { FirstDraw } from './key-store.ts';
import { type DrawReply, EpochFenced, LeaseGone, type PurseName, type PurseStore } from './purse-store.ts';
import { Settlement } from './settlement.ts';
import type { Trail } from './trail.ts';
import { availableIn, type HoldFailure, shortageOf } from './shortage.ts';
import { WaitingHolds } from './waiting-holds.ts';

const WAITERS_MAX = 1_000;
const SWEEP_MS = 1_000;
/** How long a stop waits for the last charges to become durable. */
const STOP_MS = 5_000;
/** How many holds the first draw of a lease is made for, and how large one is where none has been placed yet. */
const FIRST_HOLDS = 8n;
const FIRST_HOLD: NanoUsd = 10_000_000n;

/**
 * The spending engine of one process: leases in memory, holds placed synchronously, draws and settlements batched.
 */
export class Purses {
  readonly #clock: Clock;
  readonly #epoch: Epoch;
  readonly #draws: Draws;
  readonly #waiting: WaitingHolds;
  readonly #settlement: Settlement;
  readonly #leases: Leases;
  readonly #onFenced: (fault: EpochFenced) => void;
  #open = 0;
  #stopped = false;
  #lastHold: NanoUsd = FIRST_HOLD;
  /**
   * Purses of no lease here that have changed since the last sweep but one, and the number of the last draw before: one of
   * them may be under way, with an answer from before the change.
   */
  #changedBefore = new Map<bigint, bigint>();
  #changedNow = new Map<bigint, bigint>();

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
    this.#waiting = new WaitingHolds({
      clock,
      draw: (lease) => this.#draws.want(lease),
      mayHold: () => this.#mayHold(),
      isUnavailable: () => this.#draws.isUnavailable,
      isResting: (lease) => this.#draws.isResting(lease),
      waitMs: parts.holdWaitMs,
      most: WAITERS_MAX,
    });
    this.#leases = new Leases(clock, (lease) => this.#waiting.isAwaited(lease));
    this.#draws = new Draws({
      store,
      clock,
      epochId: epoch.id,
      needsOf: (lease) => this.#waiting.needsOf(lease),
      isAsked: (lease) => this.#waiting.isAsked(lease),
      onAnswered: (leases) => this.#learned(leases),
      onRefused: (lease, fault) => {
        this.#waiting.giveUp(lease);
        parts.onRefusedPurse(lease.name, fault);
      },
      onFault,
    });
    const epochId = epoch.id;
    const { trail } = parts;
    this.#settlement = new Settlement({
      store,
      clock,
      journal,
      trail,
      timeline: () => epoch.timeline,
      epochId,
      onFenced,
      onLost: parts.onLost,
      onFault,
      onJournalFault,
      onPoison,
    });
    this.#sweepLater();
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
    return leasesIn(this.#leases.of(principal)).every((lease) => lease.isKnown);
  }

  /** Draws the leases that this process has never had, with enough for a few holds of the `likely` amount. */
  async acquaint(principal: Principal, likely: NanoUsd): Promise<HoldFailure | null> {
    if (this.knows(principal)) return null;
    const leases = this.#leases.of(principal);
    for (const lease of leasesIn(leases)) lease.expect(likely);
    const end = await this.#waiting.wait(leases, 0n, () => undefined);
    return end === 'fits' ? null : { kind: 'unavailable' };
  }

  /** Draws, with nothing ahead, what has never been drawn of the caller's purses. */
  drawUnknown(principal: Principal): void {
    if (this.#stopped) return;
    for (const lease of leasesIn(this.#leases.of(principal))) {
      if (!lease.isKnown) this.#draws.want(lease, { giveBack: true });
    }
  }

  /** The number of a first draw, and how much of each purse it is to bring. */
  beginFirstDraw(): Pick<FirstDraw, 'sequence' | 'ahead'> {
    return { sequence: this.#draws.nextSequence(), ahead: this.#lastHold * FIRST_HOLDS };
  }

  /**
   * Takes over what a first draw has brought. A lease that has been drawn otherwise meanwhile knows better: that draw has
   * taken the place of the first one, or tells how the first one stands.
   */
  learnFirst(sequence: bigint, drawn: readonly { readonly name: PurseName; readonly reply: DrawReply }[]): void {
    if (this.#stopped) return;
    const learned: Lease[] = [];
    for (const { name, reply } of drawn) {
      const lease = this.#leases.named(name);
      if (lease.sent > 0n) continue;
      lease.beginDraw(sequence, false);
      lease.learn(reply);
      learned.push(lease);
    }
    this.#learned(learned);
  }

  /** The least that the limited purses have for one more hold, as last seen; null where none is limited. */
  available(principal: Principal): NanoUsd | null {
    return availableIn(this.#leases.of(principal));
  }

  /** Whether a hold could be placed from memory. */
  fits(principal: Principal, amount: NanoUsd): boolean {
    return this.#mayHold() && fitsInto(this.#leases.of(principal), amount);
  }

  /** Places a hold from memory, on all three leases or on none; null where it doesn't fit. */
  tryHold(principal: Principal, amount: NanoUsd): Hold | null {
    const leases = this.#leases.of(principal);
    return this.#mayHold() && fitsInto(leases, amount) ? this.#place(leases, amount) : null;
  }

  /**
   * Places a hold from memory, else from what its purses have left, without waiting for other requests' holds; null where
   * the money isn't there now. A lease may be low while its purse is ample, and that is no reason to settle for less.
   */
  async drawHold(principal: Principal, amount: NanoUsd): Promise<Hold | null> {
    let hold: Hold | null = this.tryHold(principal, amount);
    if (hold !== null) return hold;
    await this.#drawNow(principal, amount, (leases) => {
      hold = this.#place(leases, amount);
    });
    return hold;
  }

  /** Tells whether `drawHold` would place one, but places none. */
  async drawProbe(principal: Principal, amount: NanoUsd): Promise<boolean> {
    return this.fits(principal, amount) || (await this.#drawNow(principal, amount, () => undefined));
  }

  /** Places a hold, drawing and waiting for it as long as the money may still come free. */
  async hold(principal: Principal, amount: NanoUsd): Promise<Hold | HoldFailure> {
    const placed = this.tryHold(principal, amount);
    if (placed !== null) return placed;
    let hold: Hold | null = null;
    const failure = await this.#waitUntilFits(principal, amount, (leases) => {
      hold = this.#place(leases, amount);
    });
    if (hold !== null) return hold;
    // Between the verdict and this line other holds may have closed.
    return this.tryHold(principal, amount) ?? failure ?? { kind: 'unavailable' };
  }

  /** Tells whether `hold` would place one, in the same way and after the same wait, but places none: null if it would. */
  async probe(principal: Principal, amount: NanoUsd): Promise<HoldFailure | null> {
    if (this.fits(principal, amount)) return null;
    const failure = await this.#waitUntilFits(principal, amount, () => undefined);
    this.#giveBackWhereDry(leasesIn(this.#leases.of(principal)));
    return failure;
  }

  /** A purse's limit or mode has changed: its lease gives its slack back and learns how things stand. */
  purseChanged(purseId: bigint): void {
    const lease = this.#leases.ofPurse(purseId);
    if (lease === undefined) this.#changedNow.set(purseId, this.#draws.lastSequence);
    else this.#draws.want(lease, { giveBack: true });
  }

  /** Changes may have been missed: every lease learns anew how its purse stands. */
  everyPurseChanged(): void {
    for (const lease of this.#leases.known()) this.#draws.want(lease, { giveBack: true });
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
    this.#waiting.stop();
    this.#draws.halt();
    this.#onFenced(fault);
  }

  /**
   * Ends all waits and settles what is left; with the database away, that stays in the journal. No hold may be open any
   * more. The epoch itself is for others to end.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waiting.stop();
    await this.#settlement.stop(STOP_MS);
    await this.#draws.stop();
    this.#epoch.stop();
  }

  #mayHold(): boolean {
    return !this.#stopped && this.#epoch.isLive && !this.#settlement.isOverloaded;
  }

  #place(leases: LeaseTriple, amount: NanoUsd): Hold {
    const hold = new Hold(leases, amount, this.#clock.monotonicMs(), this.#onClose);
    this.#open += 1;
    this.#lastHold = amount;
    for (const lease of leasesIn(leases)) {
      this.#leases.noteUsed(lease);
      if (lease.runsLow) this.#draws.want(lease);
    }
    return hold;
  }

  /** Draws, and calls `place` if the amount then fits; false where it doesn't, or where nothing can be drawn. */
  async #drawNow(principal: Principal, amount: NanoUsd, place: (leases: LeaseTriple) => void): Promise<boolean> {
    if (!this.#mayHold() || this.#draws.isUnavailable) return false;
    const leases = this.#leases.of(principal);
    const end = await this.#waiting.wait(leases, amount, () => place(leases), { isPatient: false });
    this.#giveBackWhereDry(leasesIn(leases));
    return end === 'fits';
  }

  /** Draws and waits until the amount fits, and calls `place` at that moment; or says why it doesn't. */
  async #waitUntilFits(
    principal: Principal,
    amount: NanoUsd,
    place: (leases: LeaseTriple) => void,
  ): Promise<HoldFailure | null> {
    for (;;) {
      if (!this.#mayHold()) return { kind: 'unavailable' };
      const leases = this.#leases.of(principal);
      const end = await this.#waiting.wait(leases, amount, () => place(leases));
      if (end === 'fits') return null;
      this.#giveBackWhereDry(leasesIn(leases));
      if (end === 'unavailable' || !this.#mayHold()) return { kind: 'unavailable' };
      const now = leasesIn(this.#leases.of(principal));
      // A window that has turned meanwhile has money of its own.
      if (leasesIn(leases).every((lease, index) => lease === now[index])) {
        return shortageOf(leases, amount, end !== 'final');
      }
    }
  }

  #learned(leases: readonly Lease[]): void {
    for (const lease of leases) this.#leases.noteDrawn(lease);
    this.#serve(leases);
    for (const lease of leases) {
      // The answer to a repeat: the limit came after the draw that left the lease open. Or the change was heard first.
      const isLate = (lease.isOpen && lease.limit !== null) || this.#hasChanged(lease);
      if (isLate) this.#draws.want(lease, { giveBack: true });
    }
  }

  /** Whether a change of its purse was heard between a new lease's draw and the answer. */
  #hasChanged({ purseId, sent }: Lease): boolean {
    const last = this.#changedNow.get(purseId) ?? this.#changedBefore.get(purseId);
    this.#changedNow.delete(purseId);
    this.#changedBefore.delete(purseId);
    return last !== undefined && sent <= last;
  }

  readonly #onClose = (leases: LeaseTriple, receipt: Receipt, answer: Buffer | null): Promise<void> => {
    this.#open -= 1;
    let isInLeases = true;
    const durable = this.#settlement.settle(receipt, answer, {
      ended: ({ kind }) => {
        const goes = kind !== 'timely' && isInLeases;
        isInLeases &&= !goes;
        for (const lease of leasesIn(leases)) {
          if (goes) lease.forgone(receipt.charge);
          else lease.settled();
        }
        if (goes) this.#freed(leases);
      },
      resent: () => {
        for (const lease of leasesIn(leases)) lease.unsettled();
      },
    });
    this.#freed(leases);
    return durable;
  };

  /** Slack has come free: all who wait for any of the three wait for the credit as well. */
  #freed(leases: LeaseTriple): void {
    for (const lease of leasesIn(leases)) this.#leases.noteUsed(lease);
    this.#serve([leases.credit], leasesIn(leases));
  }

  /**
   * Lets those who wait for these leases go on. Who goes, or has learned that one of its purses lacks the money, may leave
   * slack of its others that it needs no more.
   */
  #serve(leases: readonly Lease[], more: readonly Lease[] = []): void {
    const concerned = [...this.#waiting.withSiblings(leases), ...more];
    for (const lease of leases) this.#waiting.serve(lease);
    this.#giveBackWhereDry(concerned);
  }

  /**
   * In a dry purse no process keeps what it doesn't need: another one may be waiting for it. Where holds wait here, the
   * draw that is made for them gives it back.
   */
  #giveBackWhereDry(leases: Iterable<Lease>): void {
    for (const lease of leases) {
      if (lease.isDry && lease.slack > 0n && this.#waiting.needsOf(lease).length === 0)
        this.#draws.want(lease, { giveBack: true });
    }
  }

  #sweepLater(): void {
    this.#clock.after(SWEEP_MS, () => {
      if (this.#stopped) return;
      const { idle, done } = this.#leases.sweep();
      for (const lease of idle) this.#draws.want(lease, { giveBack: true });
      if (done.length > 0) this.#draws.release(done);
      this.#changedBefore = this.#changedNow;
      this.#changedNow = new Map();
      this.#sweepLater();
    });
  }
}
