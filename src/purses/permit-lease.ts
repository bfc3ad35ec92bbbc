import { assert } from '../lib/assert.ts';
import { clampToBucket, type RateStanding } from '../domain/permit.ts';
import type { RateLimits } from '../domain/principal.ts';
import { AwayRefill } from './away-refill.ts';
import { LimitsSeen } from './limits-seen.ts';
import { Permit, type PermitSource, type RateExceeded } from './permit.ts';
import { PermitDemand } from './permit-demand.ts';
import { NO_STOCK, type PermitDraw, type PermitReply, type PermitShortage, type PermitStock } from './permit-store.ts';

/** How long a refusal is repeated without asking the database again. */
const REMEMBERED_MS = 100;
/** Stock that exceeds its target this many times goes back. */
const EXCESS = 4;
/** Idle stock of no more than this part of each limit stays for so long, so that a rare request finds it here. */
const IMMATERIAL_PART = 64;
const KEPT_IDLE_MS = 600_000;
const NEEDS_PER_DRAW = 1_000;
/** So long after its stock was called back, nothing is stocked: longer than a refused caller is told to wait for it. */
const CALLED_BACK_MS = 2_000;
const KINDS = ['requests', 'tokens', 'slots'] as const;
/** More tokens than any answer has; what exceeds it was misread. */
const TOKENS_MAX = 1e12;

export type PermitAnswer = Permit | RateExceeded;

/** A request that waits for a draw. Its answer may come too late, when it has been answered otherwise. */
export interface PermitWaiter {
  readonly tokens: number;
  readonly isOver: boolean;
  answer(answer: PermitAnswer): void;
}

type Mutable = { -readonly [Name in keyof PermitStock]: number };

/**
 * What this process may let through of one project's requests, in memory.
 *
 * - stock: permits and slots that were drawn and not taken yet. A permit is taken from it synchronously.
 * - `#drawn`: what the database believes to be here, running requests' slots included. Only draws change it.
 * - `#returned`: what goes back, or is owed, with the next draw because it is no part of what was drawn.
 *
 * Its limits are those of the last draw. One draw of it is under way at a time.
 */
export class PermitLease implements PermitSource {
  readonly workspaceId: string;
  readonly projectId: string;
  /** The limits that callers came with when it was last drawn: others mean that it has to be drawn anew. */
  asked: RateLimits;
  readonly waiting: PermitWaiter[] = [];
  readonly #onDue: (lease: PermitLease, wish: { giveBack: boolean }) => void;
  readonly #now: () => number;
  readonly #demand = new PermitDemand();
  readonly #away = new AwayRefill();
  #drawing: readonly PermitWaiter[] = [];
  #seen: LimitsSeen | null = null;
  #stock: Mutable = { ...NO_STOCK };
  #kept: PermitStock = NO_STOCK;
  #drawn: Mutable = { ...NO_STOCK };
  #returned = { requests: 0, tokens: 0 };
  #running = 0;
  #runningWhenDrawn = 0;
  #taken = 0;
  #refusal: { readonly shortage: PermitShortage; readonly tokens: number } | null = null;
  #stockFromMs = Number.NEGATIVE_INFINITY;

  constructor(parts: {
    workspaceId: string;
    projectId: string;
    asked: RateLimits;
    /** Other processes should hear at once of what came back, or is owed. */
    onDue: (lease: PermitLease, wish: { giveBack: boolean }) => void;
    nowMs: () => number;
  }) {
    this.workspaceId = parts.workspaceId;
    this.projectId = parts.projectId;
    this.asked = parts.asked;
    this.#onDue = parts.onDue;
    this.#now = parts.nowMs;
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

  /** Waiters of the draw under way. */
  get drawing(): readonly PermitWaiter[] {
    return this.#drawing;
  }

  /** Counts a request that has come, whatever becomes of it. */
  note(tokens: number): void {
    this.#demand.note(clampToBucket(this.asked.tokensPerMinute, tokens), this.#running + 1, this.#now());
  }

  /** Takes a permit from stock; null where some limit's stock doesn't suffice. */
  tryTake(quoted: number): Permit | null {
    const { requestsPerMinute, tokensPerMinute, concurrency } = this.limits;
    const tokens = clampToBucket(tokensPerMinute, quoted);
    const stock = this.#stock;
    if (requestsPerMinute !== null && stock.requests < 1) return null;
    if (tokensPerMinute !== null && stock.tokens < tokens) return null;
    if (concurrency !== null && stock.slots < 1) return null;
    if (requestsPerMinute !== null) stock.requests -= 1;
    if (tokensPerMinute !== null) stock.tokens -= tokens;
    if (concurrency !== null) stock.slots -= 1;
    this.#taken += 1;
    return this.#permit(tokens);
  }

  #permit(tokens: number): Permit {
    this.#running += 1;
    const { tokensPerMinute, concurrency } = this.limits;
    return new Permit(this, tokensPerMinute === null ? 0 : tokens, concurrency !== null);
  }

  /** Repeats the last draw's refusal, if it was just now and fits this request too. */
  remembered(quoted: number): RateExceeded | null {
    if (this.#refusal === null) return null;
    const { shortage, tokens } = this.#refusal;
    const elapsedMs = this.#now() - this.#known.atMs;
    if (elapsedMs >= Math.min(REMEMBERED_MS, shortage.waitMs)) return null;
    const fits = shortage.shortOf === 'tokens' ? quoted === tokens : quoted <= tokens;
    if (!fits && this.limits.tokensPerMinute !== null) return null;
    return this.#exceeded(shortage.shortOf, Math.ceil(shortage.waitMs - elapsedMs));
  }

  /** Takes a permit while the database has been away since then: this process's share of the limits regrows here. */
  takeAway(quoted: number, awaySinceMs: number): PermitAnswer {
    const { limits, share } = this;
    const regrown = this.#away.regrow(limits, share, awaySinceMs, this.#now(), this.#stock);
    this.#stock.requests += regrown.requests;
    this.#stock.tokens += regrown.tokens;
    this.#returned.requests -= regrown.requests;
    this.#returned.tokens -= regrown.tokens;
    const tokens = clampToBucket(Math.floor((limits.tokensPerMinute ?? Infinity) * share), quoted);
    const permit = this.tryTake(tokens);
    if (permit !== null) return permit;
    const shortage = this.#away.shortage(limits, share, this.#stock, tokens);
    return this.#exceeded(shortage.shortOf, shortage.waitMs);
  }

  takeBack(tokens: number, hasSlot: boolean): void {
    const { requestsPerMinute, tokensPerMinute } = this.limits;
    if (requestsPerMinute !== null) this.#putBack('requests', 1);
    if (tokensPerMinute !== null) this.#putBack('tokens', tokens);
    this.#end(hasSlot);
  }

  correct(tokens: number, tokensUsed: number, hasSlot: boolean): void {
    if (this.limits.tokensPerMinute !== null) {
      this.#putBack('tokens', tokens - Math.min(TOKENS_MAX, tokensUsed));
    }
    this.#end(hasSlot);
  }

  /** How the limits stand: what was left in the buckets when last seen, and what is in stock. */
  standing(): RateStanding {
    const requests = this.#stock.requests + this.#returned.requests;
    const tokens = this.#stock.tokens + this.#returned.tokens;
    return this.#known.standing({ requests, tokens }, this.#now());
  }

  /** Another process is short: all stock goes with the next draw, and none is made for a while. */
  callBack(): void {
    this.#stockFromMs = this.#now() + CALLED_BACK_MS;
  }

  get #target(): PermitStock {
    const nowMs = this.#now();
    return nowMs < this.#stockFromMs ? NO_STOCK : this.#demand.target(this.#running, nowMs);
  }

  /** Whether a draw ahead of need is due, and likely to bring something. */
  get runsLow(): boolean {
    const seen = this.#seen;
    if (seen === null) return false;
    const target = this.#target;
    return KINDS.some((kind) => {
      const wanted = Math.min(target[kind], seen.stockMost(kind));
      return this.#stock[kind] < wanted / 2 && seen.spare(kind, this.#now()) > 0;
    });
  }

  /** Whether a draw that gives nothing back has something to do. */
  get isDue(): boolean {
    return !this.isKnown || this.waiting.length > 0 || this.isUnbalanced || this.runsLow;
  }

  /** Whether something is owed to the database, or is to go back to it. */
  get isUnbalanced(): boolean {
    return this.#returned.requests !== 0 || this.#returned.tokens !== 0;
  }

  /** Whether more is in stock than lately was needed, or the database believes so. */
  get hasExcess(): boolean {
    const target = this.#target;
    if (target.requests === 0) return this.#hasStock && !this.#mayKeep;
    return KINDS.some((kind) => this.#stock[kind] > EXCESS * target[kind]);
  }

  /** Whether the database believes that anything is here which no request runs in. */
  get #hasStock(): boolean {
    const { requests, tokens, slots } = this.#drawn;
    return requests > 0 || tokens > 0 || slots > this.#running;
  }

  /** Whether what is in stock matters to nobody else, now that nothing is needed here. */
  get #mayKeep(): boolean {
    const nowMs = this.#now();
    if (nowMs < this.#stockFromMs || this.#demand.idleMs(nowMs) >= KEPT_IDLE_MS) return false;
    const { requestsPerMinute, tokensPerMinute, concurrency } = this.limits;
    const { requests, tokens, slots } = this.#drawn;
    return (
      requests * IMMATERIAL_PART <= (requestsPerMinute ?? 0) &&
      tokens * IMMATERIAL_PART <= (tokensPerMinute ?? 0) &&
      (slots - this.#running) * IMMATERIAL_PART <= (concurrency ?? 0)
    );
  }

  /** Whether it can be forgotten: nobody uses it, and the database believes that nothing is here. */
  isForgettable(idleMs: number): boolean {
    return (
      this.#demand.idleMs(this.#now()) > idleMs &&
      this.#running === 0 &&
      this.waiting.length === 0 &&
      this.#drawing.length === 0 &&
      !this.isUnbalanced &&
      !this.#hasStock
    );
  }

  /** Makes the next draw of this lease; stock that is offered with it leaves memory before it is sent. */
  beginDraw(sequence: number, giveBack: boolean): PermitDraw {
    this.#drawing = this.waiting.splice(0, NEEDS_PER_DRAW);
    const stock = { ...this.#stock };
    const isOffered = giveBack || this.#drawing.length > 0;
    this.#kept = isOffered ? NO_STOCK : stock;
    if (isOffered) this.#stock = { ...NO_STOCK };
    const draw = {
      workspaceId: this.workspaceId,
      projectId: this.projectId,
      sequence,
      taken: this.#taken,
      running: this.#running,
      stock,
      keep: this.#kept,
      returned: this.#returned,
      needs: this.#drawing.map((waiter) => waiter.tokens),
      target: this.#target,
    };
    this.#runningWhenDrawn = this.#running;
    // Whether or not the draw takes effect, at least this much is drawn.
    this.#drawn = { ...this.#kept, slots: this.#kept.slots + this.#running };
    this.#returned = { requests: 0, tokens: 0 };
    this.#taken = 0;
    return draw;
  }

  /** Takes over what a draw has answered, and answers those who waited for it. */
  learn(reply: PermitReply): void {
    this.#seen = new LimitsSeen(reply, this.#now());
    this.#refusal = null;
    this.#away.end();
    const { stock } = reply;
    for (const kind of KINDS) this.#stock[kind] += stock[kind] - this.#kept[kind];
    const granted = reply.shortages.filter((shortage) => shortage === null).length;
    this.#drawn = { ...stock, slots: stock.slots + this.#runningWhenDrawn + granted };
    const waiters = this.#drawing;
    this.#drawing = [];
    for (const [index, waiter] of waiters.entries()) {
      const shortage = reply.shortages[index];
      // A draw whose place a first draw has taken is told how the lease stands, and nothing of its needs.
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
    this.#refusal = { shortage, tokens: waiter.tokens };
    if (!waiter.isOver) waiter.answer(this.#exceeded(shortage.shortOf, shortage.waitMs));
  }

  #exceeded(limit: PermitShortage['shortOf'], retryAfterMs: number): RateExceeded {
    const { requestsPerMinute, tokensPerMinute, concurrency } = this.limits;
    const most = { requests: requestsPerMinute, tokens: tokensPerMinute, concurrency }[limit] ?? 0;
    return { kind: 'exceeded', limit, most, retryAfterMs, standing: this.standing() };
  }

  /** Into stock goes no more than was drawn, so that stock and bucket together never exceed the limit. */
  #putBack(kind: 'requests' | 'tokens', permits: number): void {
    const room = Math.max(0, this.#drawn[kind] - this.#stock[kind]);
    const stocked = permits >= 0 ? Math.min(permits, room) : Math.max(permits, -this.#stock[kind]);
    this.#stock[kind] += stocked;
    this.#returned[kind] += permits - stocked;
    if (this.#returned[kind] < 0) this.#onDue(this, { giveBack: false });
  }

  #end(hasSlot: boolean): void {
    this.#running -= 1;
    if (!hasSlot) return;
    this.#stock.slots += 1;
    if (this.#refusal?.shortage.shortOf === 'concurrency') this.#refusal = null;
    const seen = this.#known;
    if (this.#stock.slots > seen.stockMost('slots') || seen.spare('slots', this.#now()) <= 0) {
      this.#onDue(this, { giveBack: true });
    }
  }
}
