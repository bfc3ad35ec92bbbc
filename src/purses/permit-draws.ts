import type { Clock } from '../lib/clock.ts';
import { DatabaseUnavailable } from '../lib/sql.ts';
import type { PermitLease } from './permit-lease.ts';
import type { PermitReply, PermitStore } from './permit-store.ts';

const RETRY_MS = 50;
const LEASES_PER_DRAW = 200;

/**
 * Draws of permits, batched: while one round trip is under way, wishes gather for the next. A draw whose outcome is
 * unknown is sent again as it was, and its numbers make sure that it takes effect once.
 */
export class PermitDraws {
  readonly #store: PermitStore;
  readonly #clock: Clock;
  readonly #epochId: bigint;
  readonly #answerMs: number;
  readonly #onAnswered: (leases: readonly PermitLease[]) => void;
  readonly #onAway: () => void;
  readonly #onFault: (fault: unknown) => void;
  /** Each lease that is to be drawn, and whether its stock goes back with it. */
  readonly #wishes = new Map<PermitLease, boolean>();
  #running: Promise<void> | null = null;
  #sequence = 0;
  #sentMs: number | null = null;
  #hasFailed = false;
  #isStopping = false;

  constructor(parts: {
    store: PermitStore;
    clock: Clock;
    epochId: bigint;
    /** A round trip that takes longer than this counts as no answer; milliseconds. */
    answerMs: number;
    onAnswered: (leases: readonly PermitLease[]) => void;
    /** The database could not be reached. */
    onAway: () => void;
    onFault: (fault: unknown) => void;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#epochId = parts.epochId;
    this.#answerMs = parts.answerMs;
    this.#onAnswered = parts.onAnswered;
    this.#onAway = parts.onAway;
    this.#onFault = parts.onFault;
  }

  /** Since when, in monotonic milliseconds, the database hasn't answered; null while it does. */
  get awaySinceMs(): number | null {
    if (this.#sentMs === null) return null;
    return this.#hasFailed || this.#clock.monotonicMs() - this.#sentMs >= this.#answerMs ? this.#sentMs : null;
  }

  /** A number above those of all draws so far. */
  nextSequence(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** Asks for this lease to be drawn with the next round trip. */
  want(lease: PermitLease, { giveBack = false } = {}): void {
    if (this.#isStopping) return;
    this.#wishes.set(lease, giveBack || this.#wishes.get(lease) === true);
    this.#running ??= this.#run();
  }

  /** Draws what is still wished for, as long as the database answers, and nothing from then on. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    // Wishes of the same turn of the event loop share the round trip.
    await Promise.resolve();
    try {
      while (this.#wishes.size > 0) await this.#drawOnce();
    } catch (fault) {
      this.#onFault(fault);
    } finally {
      this.#wishes.clear();
      this.#running = null;
    }
  }

  async #drawOnce(): Promise<void> {
    const chosen = this.#choose();
    const draws = chosen.map(([lease, giveBack]) => lease.beginDraw(this.nextSequence(), giveBack));
    if (draws.length === 0) return;
    const replies = await this.#untilKnown(() => this.#store.drawPermits(this.#epochId, draws));
    if (replies === null) return;
    replies.forEach((reply, index) => chosen[index]?.[0].learn(reply));
    this.#onAnswered(chosen.map(([lease]) => lease));
  }

  /** The leases of the next draw, those that somebody waits for first. */
  #choose(): [PermitLease, boolean][] {
    const wishes = [...this.#wishes];
    if (wishes.length > LEASES_PER_DRAW) {
      wishes.sort(([a], [b]) => Number(b.waiting.length > 0) - Number(a.waiting.length > 0));
      wishes.length = LEASES_PER_DRAW;
    }
    for (const [lease] of wishes) this.#wishes.delete(lease);
    // What was wished for may have come with the draw before.
    return wishes.filter(([lease, giveBack]) => giveBack || lease.isDue);
  }

  /** Repeats the round trip until its outcome is known; null if it isn't by the time that draws are to stop. */
  async #untilKnown(roundTrip: () => Promise<readonly PermitReply[]>): Promise<readonly PermitReply[] | null> {
    this.#sentMs = this.#clock.monotonicMs();
    try {
      for (;;) {
        try {
          return await roundTrip();
        } catch (fault) {
          if (!(fault instanceof DatabaseUnavailable)) throw fault;
        }
        this.#hasFailed = true;
        this.#onAway();
        if (this.#isStopping) {
          this.#wishes.clear();
          return null;
        }
        await new Promise<void>((resolve) => this.#clock.after(RETRY_MS, resolve));
      }
    } finally {
      this.#sentMs = null;
      this.#hasFailed = false;
    }
  }
}
