import type { Clock } from '../lib/clock.ts';
import { DatabaseUnavailable } from '../lib/sql.ts';
import type { NanoUsd } from '../domain/money.ts';
import type { Lease } from './lease.ts';
import type { DrawRequest, PurseStore } from './purse-store.ts';

const RETRY_MS = 50;
const LEASES_PER_DRAW = 1_000;

interface Wish {
  /** Slack is to go back: the purse is dry, idle, or its limit has changed. */
  giveBack: boolean;
}

/**
 * Draws and returns, batched: while one round trip is under way, wishes gather for the next. A draw whose outcome is
 * unknown is sent again as it was, and its numbers make sure that it takes effect once.
 */
export class Draws {
  readonly #store: PurseStore;
  readonly #clock: Clock;
  readonly #needsOf: (lease: Lease) => NanoUsd[];
  readonly #onAnswered: (leases: readonly Lease[]) => void;
  readonly #onFault: (fault: unknown) => void;
  readonly #wishes = new Map<Lease, Wish>();
  readonly #epochId: bigint;
  #releasing: Lease[] = [];
  #running: Promise<void> | null = null;
  #stopped = false;
  /** Since when, in monotonic milliseconds, draws have failed for want of the database; null while they don't. */
  unavailableSinceMs: number | null = null;

  constructor(parts: {
    store: PurseStore;
    clock: Clock;
    epochId: bigint;
    /** The amounts of the holds that wait for this lease, oldest first. */
    needsOf: (lease: Lease) => NanoUsd[];
    onAnswered: (leases: readonly Lease[]) => void;
    onFault: (fault: unknown) => void;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#epochId = parts.epochId;
    this.#needsOf = parts.needsOf;
    this.#onAnswered = parts.onAnswered;
    this.#onFault = parts.onFault;
  }

  /** Asks for this lease to be drawn with the next round trip. */
  want(lease: Lease, { giveBack = false } = {}): void {
    const wish = this.#wishes.get(lease);
    if (wish === undefined) this.#wishes.set(lease, { giveBack });
    else wish.giveBack ||= giveBack;
    this.#running ??= this.#run();
  }

  /** Closes leases for good. They hold nothing and all their charges are settled; a later lease of the purse is a new one. */
  release(leases: readonly Lease[]): void {
    this.#releasing.push(...leases);
    for (const lease of leases) this.#wishes.delete(lease);
    this.#running ??= this.#run();
  }

  /** Draws no more, and resolves when the last round trip is over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wishes.clear();
    await this.#running;
  }

  async #run(): Promise<void> {
    // Wishes of the same turn of the event loop share the round trip.
    await Promise.resolve();
    try {
      while (!this.#stopped && (this.#wishes.size > 0 || this.#releasing.length > 0)) {
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
    const leases = [...this.#wishes.keys()].slice(0, LEASES_PER_DRAW);
    const requests = leases.map((lease) => this.#requestFor(lease));
    for (const lease of leases) this.#wishes.delete(lease);
    const replies = await this.#untilKnown(() => this.#store.draw(this.#epochId, requests));
    if (replies === null) return;
    replies.forEach((reply, index) => leases[index]?.learn(reply));
    this.#onAnswered(leases);
  }

  async #releaseOnce(): Promise<void> {
    const leases = this.#releasing.splice(0);
    const releases = leases.map((lease) => ({ purseId: lease.purseId, charged: lease.charged }));
    await this.#untilKnown(() => this.#store.release(this.#epochId, releases));
  }

  /** Repeats the round trip until its outcome is known; null if the draws were stopped before. */
  async #untilKnown<Reply>(roundTrip: () => Promise<Reply>): Promise<Reply | null> {
    while (!this.#stopped) {
      try {
        const reply = await roundTrip();
        this.unavailableSinceMs = null;
        return reply;
      } catch (fault) {
        if (!(fault instanceof DatabaseUnavailable)) throw fault;
        this.unavailableSinceMs ??= this.#clock.monotonicMs();
        await new Promise<void>((resolve) => this.#clock.after(RETRY_MS, resolve));
      }
    }
    return null;
  }

  #requestFor(lease: Lease): DrawRequest {
    const needs = this.#needsOf(lease);
    const giveBack = this.#wishes.get(lease)?.giveBack === true && needs.length === 0;
    if (giveBack) {
      lease.closeOpen();
      lease.giveUpSlack();
    }
    lease.sequence += 1n;
    return {
      purse: lease.name,
      sequence: lease.sequence,
      keep: lease.isOpen ? lease.held + lease.charged : lease.granted,
      slack: lease.slack,
      needs,
      ahead: giveBack ? 0n : lease.ahead,
      modeNumber: lease.modeNumber,
    };
  }
}
