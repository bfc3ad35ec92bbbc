import type { Clock } from '../../../lib/clock.ts';
import type { SqlFault } from '../../../lib/sql.ts';
import { BatchedCalls, type Call } from '../../../lib/batched-calls.ts';
import type { EpochEvents } from '../ports/engine-events.ts';
import type { PermitLease } from './permit-lease.ts';
import type { PermitDraw, PermitReply, PermitStore } from '../ports/database.ts';

const LEASES_PER_DRAW = 200;

/** Receives the outcomes of draws. */
export interface PermitDrawsOwner {
  /** These leases have applied the replies to their draws. */
  drawn(leases: readonly PermitLease[]): void;
  /** The database rejects draws of this lease, though it answers. */
  refused(lease: PermitLease, fault: SqlFault): void;
  /** The database could not be reached. */
  away(): void;
}

/** Draws of permits, batched. A project whose draw is rejected, or whose row is locked, delays no other. */
export class PermitDraws {
  readonly #clock: Clock;
  readonly #answerMs: number;
  readonly #calls: BatchedCalls<PermitLease, PermitDraw, PermitReply>;
  /** Each lease to be drawn, and whether the draw gives its stock back. */
  readonly #wishes = new Map<PermitLease, boolean>();
  #sequence = 0;
  #isStopping = false;

  constructor(parts: {
    store: PermitStore;
    clock: Clock;
    epochId: bigint;
    /** A round trip that takes longer than this counts as no answer; milliseconds. */
    answerMs: number;
    owner: PermitDrawsOwner;
    events: Pick<EpochEvents, 'failed'>;
  }) {
    const { store, clock, epochId, owner, events } = parts;
    this.#clock = clock;
    this.#answerMs = parts.answerMs;
    this.#calls = new BatchedCalls({
      clock,
      next: () => this.#choose(),
      send: (draws, options) => store.drawPermits(epochId, draws, options),
      groupOf: ({ projectId }) => projectId,
      onAnswered: (calls) => {
        for (const { item, reply } of calls) item.learn(reply);
        owner.drawn(calls.map(({ item }) => item));
      },
      onRefused: (lease, fault) => {
        lease.undoDraw();
        owner.refused(lease, fault);
      },
      onRested: (lease) => this.want(lease, { giveBack: true }),
      onAway: () => owner.away(),
      onFault: (fault) => events.failed(fault),
    });
  }

  /** Start of the time without an answer from the database, in monotonic milliseconds; null while it answers. */
  get awaySinceMs(): number | null {
    const { unansweredSinceMs, hasFailed } = this.#calls;
    if (unansweredSinceMs === null) return null;
    return hasFailed || this.#clock.monotonicMs() - unansweredSinceMs >= this.#answerMs ? unansweredSinceMs : null;
  }

  /** A number above those of all draws so far. */
  nextSequence(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** Whether this lease was rejected a moment ago, so that it isn't drawn now. */
  isResting(lease: PermitLease): boolean {
    return this.#calls.isResting(lease);
  }

  /** Whether a draw of this lease is in progress or planned, or it rests: it must exist until the reply. */
  concern(lease: PermitLease): boolean {
    return this.#wishes.has(lease) || !this.#calls.mayAsk(lease);
  }

  /** Draws this lease with the next round trip, unless it rests. */
  want(lease: PermitLease, { giveBack = false } = {}): void {
    if (this.#isStopping || this.isResting(lease)) return;
    this.#wishes.set(lease, giveBack || this.#wishes.get(lease) === true);
    this.#calls.wake();
  }

  /** Sends the draws that are still wanted, as long as the database answers; none from then on. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#calls.drain();
    this.#wishes.clear();
  }

  /** The leases of the next draw, those that requests wait for first. */
  #choose(): readonly Call<PermitLease, PermitDraw>[] {
    const due: [PermitLease, boolean][] = [];
    for (const [lease, giveBack] of this.#wishes) {
      if (!this.#calls.mayAsk(lease)) continue;
      // The previous draw may have brought it already.
      if (giveBack || lease.isDue) due.push([lease, giveBack]);
      else this.#wishes.delete(lease);
    }
    if (due.length > LEASES_PER_DRAW) {
      due.sort(([a], [b]) => Number(b.waiting.length > 0) - Number(a.waiting.length > 0));
      due.length = LEASES_PER_DRAW;
    }
    for (const [lease] of due) this.#wishes.delete(lease);
    return due.map(([lease, giveBack]) => ({ item: lease, request: lease.beginDraw(this.nextSequence(), giveBack) }));
  }
}
