import type { Clock } from '../../lib/clock.ts';
import type { NanoUsd } from '../../domain/money.ts';
import type { Principal } from '../../domain/principal.ts';
import { ChangesHeard } from './changes-heard.ts';
import { Draws } from './draws.ts';
import { leasesIn, type LeaseTriple } from './hold.ts';
import type { FirstDraw } from '../ports/key-store.ts';
import type { Lease } from './lease.ts';
import { LeaseRegistry } from './lease-registry.ts';
import { Pace } from '../../lib/pace.ts';
import type { DrawReply, PurseName, PurseStore } from '../ports/purse-store.ts';
import { type HoldFailure, shortageOf } from './shortage.ts';
import { Waitlist } from './waitlist.ts';

const WAITERS_MAX = 1_000;
const SWEEP_MS = 1_000;
/** How many holds the first draw of a lease is made for, and how large one is where none has been placed yet. */
const FIRST_HOLDS = 8n;
const FIRST_HOLD: NanoUsd = 10_000_000n;

/**
 * Brings slack to where holds need it, and back to where others do: leases are drawn ahead of holds and for those that
 * wait, and give back what is idle, dry or called for by a change. Holds are placed by others, who say so here.
 */
export class Allocator {
  readonly #draws: Draws;
  readonly #waiting: Waitlist;
  readonly #leases: LeaseRegistry;
  readonly #clock: Clock;
  readonly #mayHold: () => boolean;
  readonly #changes = new ChangesHeard();
  #lastHold: NanoUsd = FIRST_HOLD;
  #ended = false;

  constructor(parts: {
    store: PurseStore;
    clock: Clock;
    epochId: bigint;
    /** How long a hold waits for money that others hold; milliseconds. */
    holdWaitMs: number;
    /** Whether this process may place holds at all. */
    mayHold: () => boolean;
    /** A purse that the database refuses to draw from for this process. */
    onRefusedPurse: (purse: PurseName, fault: unknown) => void;
    onFault: (fault: unknown) => void;
  }) {
    const { store, clock, epochId, mayHold, onFault } = parts;
    this.#clock = clock;
    this.#mayHold = mayHold;
    this.#waiting = new Waitlist({
      clock,
      pace: new Pace(epochId),
      draw: (lease) => this.#draws.want(lease),
      mayHold,
      isUnavailable: () => this.#draws.isUnavailable,
      isResting: (lease) => this.#draws.isResting(lease),
      waitMs: parts.holdWaitMs,
      most: WAITERS_MAX,
    });
    this.#leases = new LeaseRegistry(clock, (lease) => this.#waiting.isAwaited(lease));
    this.#draws = new Draws({
      store,
      clock,
      epochId,
      needsOf: (lease) => this.#waiting.needsOf(lease),
      isAsked: (lease) => this.#waiting.isAsked(lease),
      onAnswered: (leases) => this.#learned(leases),
      onRefused: (lease, fault) => {
        this.#waiting.giveUp(lease);
        parts.onRefusedPurse(lease.name, fault);
      },
      onFault,
    });
    this.#sweepLater();
  }

  /** The leases that the caller's requests pass now. */
  leasesOf(principal: Principal): LeaseTriple {
    return this.#leases.of(principal);
  }

  /** Draws the leases that have never been drawn, with enough for a few holds of the `likely` amount. */
  async acquaint(leases: LeaseTriple, likely: NanoUsd): Promise<HoldFailure | null> {
    for (const lease of leasesIn(leases)) lease.expect(likely);
    const end = await this.#waiting.wait(leases, 0n, () => undefined);
    return end === 'fits' ? null : { kind: 'unavailable' };
  }

  /** Draws, with nothing ahead, what has never been drawn of the caller's purses. */
  drawUnknown(principal: Principal): void {
    if (this.#ended) return;
    for (const lease of leasesIn(this.#leases.of(principal))) {
      if (lease.sent === 0n) this.#draws.want(lease, { giveBack: true });
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
    if (this.#ended) return;
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

  /** A hold has been placed in these leases: those that run low are drawn. */
  taken(leases: LeaseTriple, amount: NanoUsd): void {
    this.#lastHold = amount;
    for (const lease of leasesIn(leases)) if (lease.runsLow) this.#draws.want(lease);
  }

  /** Slack has come free: all who wait for any of the three wait for the credit as well. */
  freed(leases: LeaseTriple): void {
    for (const lease of leasesIn(leases)) this.#leases.noteUsed(lease);
    this.#serve([leases.credit], leasesIn(leases));
  }

  /** Draws, and calls `place` if the amount then fits; false where it doesn't, or where nothing can be drawn. */
  async drawNow(principal: Principal, amount: NanoUsd, place: (leases: LeaseTriple) => void): Promise<boolean> {
    if (!this.#mayHold() || this.#draws.isUnavailable) return false;
    const leases = this.#leases.of(principal);
    const end = await this.#waiting.wait(leases, amount, () => place(leases), { isPatient: false });
    this.giveBackWhereDry(leasesIn(leases));
    return end === 'fits';
  }

  /** Draws and waits until the amount fits, and calls `place` at that moment; or says why it doesn't. */
  async waitUntilFits(
    principal: Principal,
    amount: NanoUsd,
    place: (leases: LeaseTriple) => void,
  ): Promise<HoldFailure | null> {
    for (;;) {
      if (!this.#mayHold()) return { kind: 'unavailable' };
      const leases = this.#leases.of(principal);
      const end = await this.#waiting.wait(leases, amount, () => place(leases));
      if (end === 'fits') return null;
      this.giveBackWhereDry(leasesIn(leases));
      if (end === 'unavailable' || !this.#mayHold()) return { kind: 'unavailable' };
      const now = leasesIn(this.#leases.of(principal));
      // A window that has turned meanwhile has money of its own.
      if (leasesIn(leases).every((lease, index) => lease === now[index])) {
        return shortageOf(leases, amount, end !== 'final');
      }
    }
  }

  /** In a dry purse no process keeps what no hold here can go on with: another process may be waiting for it. */
  giveBackWhereDry(leases: Iterable<Lease>): void {
    for (const lease of leases) {
      if (lease.isDry && lease.slack > 0n && !this.#waiting.isUseful(lease))
        this.#draws.want(lease, { giveBack: true });
    }
  }

  /** A purse's limit or mode has changed: its lease gives its slack back and learns how things stand. */
  purseChanged(purseId: bigint): void {
    const lease = this.#leases.ofPurse(purseId);
    if (lease === undefined) this.#changes.note(purseId, this.#draws.lastSequence);
    else this.#draws.want(lease, { giveBack: true });
  }

  /** Changes may have been missed: every lease learns anew how its purse stands. */
  everyPurseChanged(): void {
    for (const lease of this.#leases.known()) this.#draws.want(lease, { giveBack: true });
  }

  /** Nobody waits any more, and no idle slack is looked for; what closes still gives back. */
  endWaits(): void {
    this.#ended = true;
    this.#waiting.stop();
  }

  /** The epoch is over: nobody waits any more, and nothing is drawn. */
  halt(): void {
    this.endWaits();
    this.#draws.halt();
  }

  /** Draws no more, and resolves when the last round trip is over. */
  async stop(): Promise<void> {
    await this.#draws.stop();
  }

  #learned(leases: readonly Lease[]): void {
    for (const lease of leases) this.#leases.noteDrawn(lease);
    this.#serve(leases);
    for (const lease of leases) {
      // The answer to a repeat: the limit came after the draw that left the lease open. Or the change was heard first.
      const isLate = (lease.isOpen && lease.limit !== null) || this.#changes.takeNewer(lease);
      if (isLate) this.#draws.want(lease, { giveBack: true });
    }
  }

  /**
   * Lets those who wait for these leases go on. Who goes, or has learned that one of its purses lacks the money, may leave
   * slack of its others that it needs no more.
   */
  #serve(leases: readonly Lease[], more: readonly Lease[] = []): void {
    const concerned = [...this.#waiting.withSiblings(leases), ...more];
    for (const lease of leases) this.#waiting.serve(lease);
    this.giveBackWhereDry(concerned);
  }

  #sweepLater(): void {
    this.#clock.after(SWEEP_MS, () => {
      if (this.#ended) return;
      const { idle, done } = this.#leases.sweep();
      for (const lease of idle) this.#draws.want(lease, { giveBack: true });
      if (done.length > 0) this.#draws.release(done);
      this.#changes.age();
      this.#sweepLater();
    });
  }
}
