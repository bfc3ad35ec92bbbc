import type { NanoUsd } from '../../../domain/money.ts';
import type { Principal } from '../../../domain/principal.ts';
import type { Receipt } from '../../../domain/receipt.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Pace } from '../../../lib/pace.ts';
import type { SqlFault } from '../../../lib/sql.ts';
import type { EpochEvents } from '../ports/engine-events.ts';
import type { DrawReply, FirstDraw, LeasesInUse, PurseName, PurseStore, SpendingEpoch } from '../ports/database.ts';
import type { Settlement } from '../settlement/settlement.ts';
import { DRAW_RULE, firstAhead } from './draw-rule.ts';
import { Draws, type DrawsOwner } from './draws.ts';
import { Hold, type HoldOwner, LeasedCharge, type HoldLeases } from './hold.ts';
import type { Lease } from './lease.ts';
import { LeaseRegistry } from './lease-registry.ts';
import { type HoldRequest, type HoldSource, type WaitEnd, Waitlist } from './waitlist.ts';

const SWEEP_MS = 1_000;
/** Until a lease of a purse that is shut is looked at again: its workspace stands still until it is back. */
const SHUT_MS = 25;

/**
 * Places holds, and moves slack: refills leases ahead of need and for waiting holds, and gives slack back if it is
 * idle, its purse is dry, or its purse has changed.
 */
export class Allocator implements HoldSource, HoldOwner, DrawsOwner {
  readonly #clock: Clock;
  readonly #epoch: SpendingEpoch;
  readonly #settlement: Settlement;
  readonly #events: EpochEvents;
  readonly #waitlist: Waitlist;
  readonly #leases: LeaseRegistry;
  readonly #draws: Draws;
  #open = 0;
  #lastHold: NanoUsd = DRAW_RULE.firstHold;
  #isEnded = false;
  /** Leases that go back as soon as they are quiet. */
  readonly #shut = new Set<Lease>();

  constructor(parts: {
    store: PurseStore;
    clock: Clock;
    epoch: SpendingEpoch;
    /** How long a hold waits for money that others hold; milliseconds. */
    holdWaitMs: number;
    settlement: Settlement;
    events: EpochEvents;
  }) {
    const { store, clock, epoch, holdWaitMs, events } = parts;
    this.#clock = clock;
    this.#epoch = epoch;
    this.#settlement = parts.settlement;
    this.#events = events;
    this.#waitlist = new Waitlist({ clock, pace: new Pace(epoch.id), waitMs: holdWaitMs, source: this });
    this.#leases = new LeaseRegistry(
      clock,
      (lease) => this.#waitlist.isAwaited(lease) || this.#draws.isWanted(lease),
      (lease) => this.#giveBack(lease),
    );
    this.#draws = new Draws({ store, clock, epochId: epoch.id, needs: this.#waitlist, owner: this, events });
    this.#sweepLater();
  }

  get mayHold(): boolean {
    return !this.#isEnded && this.#epoch.isLive && !this.#settlement.isOverloaded;
  }

  get isUnavailable(): boolean {
    return this.#draws.isUnavailable;
  }

  /** Holds that have not closed. */
  get open(): number {
    return this.#open;
  }

  /** Holds that wait for money. */
  get waiting(): number {
    return this.#waitlist.size;
  }

  /** Whether nothing is placed or drawn here any more. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Held and charged amounts of the leases in use. */
  leasesInUse(): LeasesInUse {
    return this.#leases.inUse();
  }

  isResting(lease: Lease): boolean {
    return this.#draws.isResting(lease);
  }

  isStuck(lease: Lease): boolean {
    return this.#draws.isStuck(lease);
  }

  /** The leases that the caller's requests pass now. */
  leasesOf(principal: Principal): HoldLeases {
    return this.#leases.of(principal);
  }

  /** Places a hold that fits, and refills leases that run low. */
  place(leases: HoldLeases, amount: NanoUsd): Hold {
    const hold = new Hold(leases, amount, this.#clock.monotonicMs(), this);
    this.#open += 1;
    this.#lastHold = amount;
    for (const lease of leases.all) {
      this.#leases.noteHeld(lease);
      if (lease.runsLow) this.refill(lease);
    }
    return hold;
  }

  /** Refills the leases until the hold is placed, or until it is clear that it won't be. */
  wait(request: HoldRequest): Promise<WaitEnd> {
    // What is drawn for a lease that is not kept would never go back.
    const isKept = request.leases.all.every((lease) => this.#leases.keeps(lease));
    return isKept ? this.#waitlist.wait(request) : Promise.resolve('unavailable');
  }

  closed(leases: HoldLeases, receipt: Receipt, answer: Buffer | null): Promise<void> {
    this.#open -= 1;
    const charge = new LeasedCharge(leases, receipt.charge, this);
    const durable = this.#settlement.settle(receipt, answer, charge);
    this.freed(leases);
    return durable;
  }

  /** Serves the waitlist. Holds that wait for any of these wait for the credit as well. */
  freed(leases: HoldLeases): void {
    for (const lease of leases.all) this.#leases.noteUsed(lease);
    this.#serve([leases.credit], leases.all);
  }

  refill(lease: Lease): void {
    this.#draws.want(lease);
  }

  /**
   * Prepares the purses of a first draw, which may still take effect, late, and must find a lease of each. Purses that
   * were never drawn are drawn, with nothing ahead; the leases of the others are kept for a while.
   */
  outrunFirst(names: readonly PurseName[]): void {
    if (this.#isEnded) return;
    for (const lease of names.map((name) => this.#leases.named(name))) {
      if (lease.sent === 0n) this.#giveBack(lease);
      else this.#leases.noteSent(lease);
    }
  }

  /** The number of a first draw, and the amount that it draws from each purse. */
  beginFirstDraw(): Pick<FirstDraw, 'sequence' | 'ahead'> {
    return { sequence: this.#draws.nextSequence(), ahead: firstAhead(this.#lastHold) };
  }

  /**
   * Applies a first draw's reply. If another draw was sent for a lease, that one's reply counts: it took precedence
   * over the first draw, or reports its result.
   */
  learnFirst(sequence: bigint, drawn: readonly { readonly name: PurseName; readonly reply: DrawReply }[]): void {
    if (this.#isEnded) return;
    const learned: Lease[] = [];
    for (const { name, reply } of drawn) {
      const lease = this.#leases.named(name);
      if (lease.sent > 0n) continue;
      lease.beginDraw(sequence, false);
      lease.learn(reply);
      learned.push(lease);
    }
    this.drawn(learned);
  }

  drawn(leases: readonly Lease[]): void {
    for (const lease of leases) {
      this.#leases.noteDrawn(lease);
      if (lease.isShut) this.#shutDown(lease);
    }
    this.#serve(leases);
    for (const lease of leases) {
      // A repeat was answered after a limit was set, or the change arrived before the reply.
      const isLate = (lease.isOpen && lease.limit !== null) || this.#leases.takeNewerChange(lease);
      if (isLate) this.#giveBack(lease);
    }
  }

  /** Holds that wait for these leases have no use for their slack in other leases for now. */
  stuck(leases: readonly Lease[]): void {
    this.giveBackWhereDry(this.#waitlist.withSiblings(leases));
  }

  refused(lease: Lease, fault: SqlFault): void {
    this.#waitlist.giveUp(lease);
    this.#events.purseRefused(lease.name, fault);
  }

  /** In a dry purse no process keeps slack that no hold here can use: another process may be waiting for it. */
  giveBackWhereDry(leases: Iterable<Lease>): void {
    for (const lease of leases) {
      if (lease.isDry && lease.slack > 0n && !this.#waitlist.isUseful(lease)) this.#giveBack(lease);
    }
  }

  /** A purse's limit or mode has changed: its lease gives its slack back and is drawn again. */
  purseChanged(purseId: bigint): void {
    const lease = this.#leases.ofPurse(purseId);
    if (lease === undefined) this.#leases.noteChange(purseId, this.#draws.lastSequence);
    else this.#giveBack(lease);
  }

  /** Changes may have been missed: every lease is drawn again. */
  everyPurseChanged(): void {
    for (const lease of this.#leases.known()) this.#giveBack(lease);
  }

  /** Ends all waits, and stops looking for idle slack; closing holds still give back. */
  endWaits(): void {
    this.#isEnded = true;
    this.#waitlist.stop();
  }

  /** The epoch is over: ends all waits, and draws nothing more. */
  halt(): void {
    this.endWaits();
    this.#draws.halt();
  }

  /** Draws nothing more, and resolves when the last round trip is over. */
  async stop(): Promise<void> {
    await this.#draws.stop();
  }

  /** Its workspace moves: its purse grants nothing more. */
  #shutDown(lease: Lease): void {
    this.#waitlist.giveUp(lease);
    if (lease.slack > 0n) this.#giveBack(lease);
    if (this.#shut.size === 0) this.#returnShutLater();
    this.#shut.add(lease);
  }

  #returnShutLater(): void {
    this.#clock.after(SHUT_MS, () => {
      if (this.#isEnded) return;
      const done = [...this.#shut].filter((lease) => !lease.isShut || this.#leases.forgetQuiet(lease));
      for (const lease of done) this.#shut.delete(lease);
      const back = done.filter((lease) => lease.isShut && lease.hasPurse);
      if (back.length > 0) this.#draws.release(back);
      if (this.#shut.size > 0) this.#returnShutLater();
    });
  }

  #giveBack(lease: Lease): void {
    this.#draws.want(lease, { giveBack: true });
  }

  /**
   * Serves holds that wait for these leases. A waiter that leaves, or turns out to lack money in one purse, may free
   * slack in the others.
   */
  #serve(leases: readonly Lease[], more: readonly Lease[] = []): void {
    this.#leases.endRaises();
    const concerned = [...this.#waitlist.withSiblings(leases), ...more];
    for (const lease of leases) this.#waitlist.serve(lease);
    this.giveBackWhereDry(concerned);
  }

  #sweepLater(): void {
    this.#clock.after(SWEEP_MS, () => {
      if (this.#isEnded) return;
      this.#leases.endRaises();
      const { idle, done } = this.#leases.sweep();
      for (const lease of idle) this.#giveBack(lease);
      if (done.length > 0) this.#draws.release(done);
      this.#sweepLater();
    });
  }
}
