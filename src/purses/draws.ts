import type { Clock } from '../lib/clock.ts';
import { DatabaseUnavailable, SqlFault } from '../lib/sql.ts';
import type { NanoUsd } from '../domain/money.ts';
import { assert } from '../lib/assert.ts';
import type { Lease } from './lease.ts';
import { type DrawRequest, LeaseGone, type PurseStore } from './purse-store.ts';

const RETRY_MS = 50;
const LEASES_PER_DRAW = 1_000;
/** How long a purse is left alone that the database has refused to draw. */
const REST_MS = 5_000;

interface Wish {
  /** Slack is to go back: the purse is dry, idle, or its limit has changed. */
  giveBack: boolean;
}

interface Drawing {
  readonly lease: Lease;
  readonly request: DrawRequest;
}

/**
 * Draws and returns, batched: while one round trip is under way, wishes gather for the next. A draw whose outcome is
 * unknown is sent again as it was, and its number makes sure that it takes effect once. Numbers rise over all leases,
 * so that a lease that follows another one of the same purse is never taken for a repeat of it. A batch that the database
 * refuses is halved until the one at fault stands alone: it rests, and holds up no other.
 */
export class Draws {
  readonly #store: PurseStore;
  readonly #clock: Clock;
  readonly #needsOf: (lease: Lease) => NanoUsd[];
  readonly #isAsked: (lease: Lease) => boolean;
  readonly #onAnswered: (leases: readonly Lease[]) => void;
  readonly #onRefused: (lease: Lease, fault: SqlFault) => void;
  readonly #onFault: (fault: unknown) => void;
  readonly #wishes = new Map<Lease, Wish>();
  /** Leases that were refused a moment ago. */
  readonly #resting = new Set<Lease>();
  readonly #epochId: bigint;
  #releasing: Lease[] = [];
  #running: Promise<void> | null = null;
  #stopped = false;
  #sequence = 0n;
  #isUnavailable = false;

  constructor(parts: {
    store: PurseStore;
    clock: Clock;
    epochId: bigint;
    /** The amounts of the holds that wait for this lease, oldest first. */
    needsOf: (lease: Lease) => NanoUsd[];
    /** Whether a hold waits for news of this lease's purse. */
    isAsked: (lease: Lease) => boolean;
    onAnswered: (leases: readonly Lease[]) => void;
    /** The database refuses to draw this lease, or to close it, though it answers. */
    onRefused: (lease: Lease, fault: SqlFault) => void;
    onFault: (fault: unknown) => void;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#epochId = parts.epochId;
    this.#needsOf = parts.needsOf;
    this.#isAsked = parts.isAsked;
    this.#onAnswered = parts.onAnswered;
    this.#onRefused = parts.onRefused;
    this.#onFault = parts.onFault;
  }

  /** Whether the database failed to answer when it was last asked. */
  get isUnavailable(): boolean {
    return this.#isUnavailable;
  }

  /** The number of the last draw that was made. */
  get lastSequence(): bigint {
    return this.#sequence;
  }

  /** A number above those of all draws so far. */
  nextSequence(): bigint {
    this.#sequence += 1n;
    return this.#sequence;
  }

  /** Whether this lease was refused a moment ago, so that nothing is drawn for it now. */
  isResting(lease: Lease): boolean {
    return this.#resting.has(lease);
  }

  /** Asks for this lease to be drawn with the next round trip, unless it rests. */
  want(lease: Lease, { giveBack = false } = {}): void {
    if (this.isResting(lease)) return;
    const wish = this.#wishes.get(lease);
    if (wish === undefined) this.#wishes.set(lease, { giveBack });
    else wish.giveBack ||= giveBack;
    this.#running ??= this.#run();
  }

  /** Closes quiet leases for good. A later lease of the purse is a new one. */
  release(leases: readonly Lease[]): void {
    this.#releasing.push(...leases);
    for (const lease of leases) this.#wishes.delete(lease);
    this.#running ??= this.#run();
  }

  /** Draws no more: the epoch is over. */
  halt(): void {
    this.#stopped = true;
    this.#wishes.clear();
    this.#releasing = [];
  }

  /** Draws no more, and resolves when the last round trip is over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    // Wishes of the same turn of the event loop share the round trip.
    await Promise.resolve();
    try {
      while (!this.#stopped && (this.#wishes.size > 0 || this.#releasing.length > 0)) {
        // Releases go first: a lease that is drawn after them may be the next one of the same purse.
        if (this.#releasing.length > 0) await this.#releaseOnce();
        else await this.#drawOnce();
      }
    } catch (fault) {
      this.#onFault(fault);
    } finally {
      this.#running = null;
    }
  }

  async #drawOnce(): Promise<void> {
    const chosen: { lease: Lease; giveBack: boolean; needs: readonly NanoUsd[] }[] = [];
    for (const [lease, { giveBack }] of this.#wishes) {
      if (chosen.length === LEASES_PER_DRAW) break;
      this.#wishes.delete(lease);
      const needs = this.#needsOf(lease);
      // What was wished for may have come with the draw before.
      const isNeeded = needs.some((need) => !lease.fits(need));
      if (giveBack || isNeeded || lease.runsLow || this.#isAsked(lease)) chosen.push({ lease, giveBack, needs });
    }
    // What a hold needs of one purse depends on what it has of the others, so no lease changes until all have been asked.
    await this.#inParts(
      chosen.map(({ lease, giveBack, needs }) => ({ lease, request: this.#requestFor(lease, giveBack, needs) })),
      (part) => this.#draw(part),
      // What it was to give back is in nobody's memory any more.
      ({ lease }, fault) => this.#rest(lease, fault, () => this.want(lease, { giveBack: true })),
    );
  }

  async #draw(drawings: readonly Drawing[]): Promise<void> {
    const requests = drawings.map(({ request }) => request);
    const replies = await this.#untilKnown(() => this.#store.draw(this.#epochId, requests));
    if (replies === null) return;
    drawings.forEach(({ lease, request }, index) => {
      const reply = replies[index];
      assert(reply !== undefined, 'a draw answers every request');
      // A first draw makes new leases alone, so it can't have taken the place of one that was there.
      if (lease.isKnown && reply.sequence !== request.sequence) {
        throw new LeaseGone('the database has made a lease anew that it had lost');
      }
      lease.learn(reply);
    });
    this.#onAnswered(drawings.map(({ lease }) => lease));
  }

  async #releaseOnce(): Promise<void> {
    await this.#inParts(
      this.#releasing.splice(0),
      async (part) => {
        const releases = part.map(({ purseId, charged, sequence }) => ({ purseId, charged, sequence }));
        await this.#untilKnown(() => this.#store.release(this.#epochId, releases));
      },
      (lease, fault) => this.#rest(lease, fault, () => this.release([lease])),
    );
  }

  /** Does it for all at once; where the database refuses that, for each half by itself. */
  async #inParts<Part>(
    parts: readonly Part[],
    work: (parts: readonly Part[]) => Promise<void>,
    onRefused: (part: Part, fault: SqlFault) => void,
  ): Promise<void> {
    const [first] = parts;
    if (first === undefined || this.#stopped) return;
    try {
      await work(parts);
    } catch (fault) {
      if (!(fault instanceof SqlFault)) throw fault;
      if (parts.length > 1) {
        const middle = parts.length >> 1;
        await this.#inParts(parts.slice(0, middle), work, onRefused);
        await this.#inParts(parts.slice(middle), work, onRefused);
      } else {
        onRefused(first, fault);
      }
    }
  }

  #rest(lease: Lease, fault: SqlFault, again: () => void): void {
    this.#resting.add(lease);
    // The timer alone says when the rest is over: it may come a little earlier than the clock says.
    this.#clock.after(REST_MS, () => {
      this.#resting.delete(lease);
      again();
    });
    this.#onRefused(lease, fault);
  }

  /** Repeats the round trip until its outcome is known; null if the draws were stopped before. */
  async #untilKnown<Reply>(roundTrip: () => Promise<Reply>): Promise<Reply | null> {
    while (!this.#stopped) {
      try {
        const reply = await roundTrip();
        this.#isUnavailable = false;
        return reply;
      } catch (fault) {
        if (!(fault instanceof DatabaseUnavailable)) throw fault;
        this.#isUnavailable = true;
        await new Promise<void>((resolve) => {
          this.#clock.after(RETRY_MS, resolve);
        });
      }
    }
    return null;
  }

  /** In a dry purse all slack goes back with every draw, so that what comes is just what the waiting holds need. */
  #requestFor(lease: Lease, giveBack: boolean, needs: readonly NanoUsd[]): DrawRequest {
    const sequence = this.nextSequence();
    lease.beginDraw(sequence, giveBack || lease.isDry);
    return {
      purse: lease.name,
      sequence,
      keep: lease.granted,
      slack: lease.slack,
      needs,
      ahead: giveBack ? 0n : lease.ahead,
    };
  }
}
