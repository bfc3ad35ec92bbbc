import type { Clock } from '../../../lib/clock.ts';
import type { SqlFault } from '../../../lib/sql.ts';
import { BatchedCalls, type Call } from '../../../lib/batched-calls.ts';
import type { EpochEvents } from '../ports/engine-events.ts';
import type { PermitLease } from './permit-lease.ts';
import type { PermitDraw, PermitReply, PermitStore } from '../ports/database.ts';

const LEASES_PER_DRAW = 200;

/** What permits are drawn for. */
export interface PermitDrawsOwner {
  /** These leases have learned what their draws have brought. */
  drawn(leases: readonly PermitLease[]): void;
  /** The database refuses to draw this lease, though it answers. */
  refused(lease: PermitLease, fault: SqlFault): void;
  /** The database could not be reached. */
  away(): void;
}

/** Draws of permits, batched. A project that the database refuses, or whose row is locked, holds up no other. */
export class PermitDraws {
  readonly #clock: Clock;
  readonly #answerMs: number;
  readonly #calls: BatchedCalls<PermitLease, PermitDraw, PermitReply>;
  /** Each lease that is to be drawn, and whether its stock goes back with it. */
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

  /** Since when, in monotonic milliseconds, the database hasn't answered; null while it does. */
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

  /** Whether this lease was refused a moment ago, so that nothing is drawn for it now. */
  isResting(lease: PermitLease): boolean {
    return this.#calls.isResting(lease);
  }

  /** Whether this lease is drawn, is to be, or rests: until it is answered it has to be there. */
  concern(lease: PermitLease): boolean {
    return this.#wishes.has(lease) || !this.#calls.mayAsk(lease);
  }

  /** Asks for this lease to be drawn with the next round trip, unless it rests. */
  want(lease: PermitLease, { giveBack = false } = {}): void {
    if (this.#isStopping || this.isResting(lease)) return;
    this.#wishes.set(lease, giveBack || this.#wishes.get(lease) === true);
    this.#calls.wake();
  }

  /** Draws what is still wished for, as long as the database answers, and nothing from then on. */
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
      // What was wished for may have come with the draw before.
      if (giveBack || lease.isDue) due.push([lease, giveBack]);
      else this.#wishes.delete(lease);
    }
    if (due.length > LEASES_PER_DRAW) {
      due.sort(([a], [b]) => Number(b.waiting.length > 0) - Number(a.waiting.length > 0));
      due.length = LEASES_PER_DRAW;
    }
    for (const [lease] of due) this.#wishes.delete(lease);
    return due.map(([lease, giveBack]) => ({ item: lease, asked: lease.beginDraw(this.nextSequence(), giveBack) }));
  }
}
