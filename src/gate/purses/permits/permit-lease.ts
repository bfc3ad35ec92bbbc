import { assert } from '../../../lib/assert.ts';
import type { Clock } from '../../../lib/clock.ts';
import { clampToBucket, type RateStanding } from '../../../domain/token-bucket.ts';
import type { RateLimits } from '../../../domain/principal.ts';
import { LimitsSeen } from './limits-seen.ts';
import { Permit, type PermitAnswer, type PermitSource, type PermitWaiter, type RateExceeded } from './permit.ts';
import { PermitDemand, PermitsAtHand } from './permits-at-hand.ts';
import {
  NO_STOCK,
  type PermitDraw,
  type PermitReply,
  type PermitShortage,
  type PermitStock,
} from '../ports/database.ts';

/** Stock above this multiple of its target is given back. */
const EXCESS = 4;
/** Idle stock of at most this part of each limit is kept for this long, so that a rare request finds it here. */
const IMMATERIAL_PART = 64;
const KEPT_IDLE_MS = 600_000;
const NEEDS_PER_DRAW = 1_000;
/** After a call-back nothing is stocked for this long: longer than the wait that a refused caller is given. */
const CALLED_BACK_MS = 2_000;
/** More tokens than any answer has; a larger number was misread. */
const TOKENS_MAX = 1e12;

/** Requests draws for a lease of permits. */
export interface PermitLeaseOwner {
  /** Permits were returned, or are owed, which other processes should know soon. */
  due(lease: PermitLease, wish: { giveBack: boolean }): void;
}

/**
 * One project's requests that this process may let through, in memory: a permit is taken from stock synchronously. Its
 * limits are those of the last draw. At most one draw of a lease is in progress.
 */
export class PermitLease implements PermitSource {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly waiting: PermitWaiter[] = [];
  readonly #owner: PermitLeaseOwner;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #demand = new PermitDemand();
  readonly #atHand = new PermitsAtHand();
  #drawing: readonly PermitWaiter[] = [];
  #seen: LimitsSeen | null = null;
  #stockFromMs = Number.NEGATIVE_INFINITY;

  constructor(parts: {
    workspaceId: string;
    projectId: string;
    owner: PermitLeaseOwner;
    clock: Pick<Clock, 'monotonicMs'>;
  }) {
    this.workspaceId = parts.workspaceId;
    this.projectId = parts.projectId;
    this.#owner = parts.owner;
    this.#clock = parts.clock;
  }

  get isKnown(): boolean {
    return this.#seen !== null;
  }

  /** This process's part of the project's requests. */
  get share(): number {
    return this.#seen?.share ?? 0;
  }

  get limits(): RateLimits {
    return this.#known.limits;
  }

  get #known(): LimitsSeen {
    assert(this.#seen !== null, 'a lease has limits once it has been drawn');
    return this.#seen;
  }

  /** Waiters of the draw in progress. */
  get drawing(): readonly PermitWaiter[] {
    return this.#drawing;
  }

  /** Whether these are the limits that it was last drawn under. */
  isUnder(limits: RateLimits): boolean {
    return this.#seen?.isUnder(limits) === true;
  }

  /** Counts a request that has come under these limits, whatever becomes of it. */
  note({ tokensPerMinute }: RateLimits, tokens: number): void {
    this.#demand.note(clampToBucket(tokensPerMinute, tokens), this.#atHand.running + 1, this.#clock.monotonicMs());
  }

  /** Takes a permit from stock; null if the stock of any limit is too small. */
  tryTake(quoted: number): Permit | null {
    const { limits } = this;
    const tokens = clampToBucket(limits.tokensPerMinute, quoted);
    return this.#atHand.take(limits, tokens) ? this.#permit(tokens) : null;
  }

  #permit(tokens: number): Permit {
    this.#atHand.begin();
    const { tokensPerMinute, concurrency } = this.limits;
    return new Permit(this, tokensPerMinute === null ? 0 : tokens, concurrency !== null);
  }

  /** Repeats the last draw's refusal if it is recent and applies to this request too. */
  remembered(quoted: number): RateExceeded | null {
    const shortage = this.#known.repeatedRefusal(quoted, this.#clock.monotonicMs());
    return shortage === null ? null : this.#exceeded(shortage);
  }

  /**
   * Takes a permit while the database is away: this process's share of the limits regrows here. If the limits were
   * changed after the last draw, the caller's apply. Null if only a slot is missing: how many are taken elsewhere is
   * unknown.
   */
  takeAway(quoted: number, limits: RateLimits, awaySinceMs: number): PermitAnswer | null {
    if (!this.isUnder(limits)) this.#seen = this.#known.under(limits);
    const seen = this.#known;
    const { share } = seen;
    this.#atHand.regrow(seen.regrow(awaySinceMs, this.#clock.monotonicMs(), this.#atHand.stock));
    const tokens = clampToBucket(Math.floor((limits.tokensPerMinute ?? Infinity) * share), quoted);
    const permit = this.tryTake(tokens);
    if (permit !== null) return permit;
    const shortage = seen.shortageAway(this.#atHand.stock, tokens);
    return shortage.shortOf === 'concurrency' ? null : this.#exceeded(shortage);
  }

  takeBack(tokens: number, hasSlot: boolean): void {
    const { requestsPerMinute, tokensPerMinute } = this.limits;
    if (requestsPerMinute !== null) this.#putBack('requests', 1);
    if (tokensPerMinute !== null) this.#putBack('tokens', tokens);
    this.#end(hasSlot);
  }

  correct(tokens: number, tokensUsed: number, hasSlot: boolean): void {
    const { tokensPerMinute } = this.limits;
    if (tokensPerMinute !== null) this.#putBack('tokens', tokens - Math.min(TOKENS_MAX, tokensUsed));
    this.#end(hasSlot);
  }

  /** State of the limits: what was left in the buckets when last seen, plus the stock. */
  standing(): RateStanding {
    return this.#known.standing(this.#atHand.balance, this.#clock.monotonicMs());
  }

  /** Another process is short: the next draw gives all stock back, and none is drawn for a while. */
  callBack(): void {
    this.#stockFromMs = this.#clock.monotonicMs() + CALLED_BACK_MS;
  }

  get #target(): PermitStock {
    const nowMs = this.#clock.monotonicMs();
    return nowMs < this.#stockFromMs ? NO_STOCK : this.#demand.target(this.#atHand.running, nowMs);
  }

  /** Whether a draw ahead of need is due, and likely to bring something. */
  get runsLow(): boolean {
    return this.#seen?.mayRestock(this.#target, this.#atHand.stock, this.#clock.monotonicMs()) === true;
  }

  /** Whether a draw that gives nothing back is needed. */
  get isDue(): boolean {
    return !this.isKnown || this.waiting.length > 0 || this.isUnbalanced || this.runsLow;
  }

  /** Whether permits are owed to the database, or are to be given back. */
  get isUnbalanced(): boolean {
    return this.#atHand.isUnbalanced;
  }

  /** Whether the stock, or the database's record of it, is more than was recently needed. */
  get hasExcess(): boolean {
    const target = this.#target;
    if (target.requests === 0) return this.#atHand.hasDrawn && !this.#mayKeep;
    return this.#atHand.exceeds(target, EXCESS);
  }

  /** Whether the stock, no longer needed here, is too small to matter to other processes. */
  get #mayKeep(): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < this.#stockFromMs || this.#demand.idleMs(nowMs) >= KEPT_IDLE_MS) return false;
    return this.#atHand.isWithin(this.limits, IMMATERIAL_PART);
  }

  /** Whether it can be forgotten: no request uses it, and the database records no permits here. */
  isForgettable(idleMs: number): boolean {
    return (
      this.#demand.idleMs(this.#clock.monotonicMs()) > idleMs &&
      this.#atHand.running === 0 &&
      this.waiting.length === 0 &&
      !this.isUnbalanced &&
      !this.#atHand.hasDrawn
    );
  }

  /** Begins the next draw of this lease; stock that it offers leaves memory before it is sent. */
  beginDraw(sequence: number, giveBack: boolean): PermitDraw {
    this.#drawing = this.waiting.splice(0, NEEDS_PER_DRAW);
    return {
      workspaceId: this.workspaceId,
      projectId: this.projectId,
      sequence,
      needs: this.#drawing.map((waiter) => waiter.tokens),
      target: this.#target,
      ...this.#atHand.beginDraw(giveBack || this.#drawing.length > 0),
    };
  }

  /** The database has rejected the draw in progress: its waiters wait again. */
  undoDraw(): void {
    this.#atHand.undoDraw();
    this.waiting.unshift(...this.#drawing);
    this.#drawing = [];
  }

  /** Applies a draw's reply, and answers the waiters. */
  learn(reply: PermitReply): void {
    this.#seen = new LimitsSeen(reply, this.#clock.monotonicMs());
    const granted = reply.shortages.filter((shortage) => shortage === null).length;
    this.#atHand.learn(reply.stock, granted);
    const waiters = this.#drawing;
    this.#drawing = [];
    for (const [index, waiter] of waiters.entries()) {
      const shortage = reply.shortages[index];
      // After a first draw took precedence, the reply has the lease's state and no answer to the needs.
      if (shortage === undefined) this.waiting.push(waiter);
      else this.#answer(waiter, shortage);
    }
  }

  #answer(waiter: PermitWaiter, shortage: PermitShortage | null): void {
    if (shortage === null) {
      const permit = this.#permit(clampToBucket(this.limits.tokensPerMinute, waiter.tokens));
      if (waiter.isOver) permit.giveBack();
      else waiter.answer(permit);
      return;
    }
    this.#known.noteRefusal(shortage, waiter.tokens);
    if (!waiter.isOver) waiter.answer(this.#exceeded(shortage));
  }

  #exceeded(shortage: PermitShortage): RateExceeded {
    return this.#known.exceeded(shortage, this.#atHand.balance, this.#clock.monotonicMs());
  }

  #putBack(kind: 'requests' | 'tokens', permits: number): void {
    if (this.#atHand.putBack(kind, permits)) this.#owner.due(this, { giveBack: false });
  }

  #end(hasSlot: boolean): void {
    // A slot beyond a limit that has been lowered is not restocked: this process, or all processes together, would
    // have more than the limit.
    const isBeyond = this.#atHand.running + this.#atHand.stock.slots > (this.limits.concurrency ?? Infinity);
    const isStocked = hasSlot && !this.#known.absorbsFreedSlot() && !isBeyond;
    this.#atHand.end(isStocked);
    if (!hasSlot) return;
    const seen = this.#known;
    seen.noteFreedSlot();
    const isMissing = seen.isSlotMissing(this.#atHand.stock.slots, this.#clock.monotonicMs());
    if (isMissing) this.#owner.due(this, { giveBack: true });
  }
}
