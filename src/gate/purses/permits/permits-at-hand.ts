import { assert } from '../../../lib/assert.ts';
import type { RateLimits } from '../../../domain/principal.ts';
import { NO_STOCK, type PermitDraw, type PermitStock } from '../ports/database.ts';

type ReportedDraw = Pick<PermitDraw, 'taken' | 'running' | 'stock' | 'keep' | 'returned'>;
type Mutable = { -readonly [Name in keyof PermitStock]: number };

/**
 * One process's permits of one project, and the database's record of them.
 *
 * - stock: permits and slots that are drawn and not taken.
 * - `#drawn`: the database's record, including the slots of running requests. Only draws change it.
 * - `#returned`: what is to be given back, or is owed, with the next draw, because it is no part of `#drawn`.
 */
export class PermitsAtHand {
  #stock: Mutable = { ...NO_STOCK };
  #kept: PermitStock = NO_STOCK;
  /** The report of the draw in progress, and `#drawn` before it. */
  #reported: { readonly draw: ReportedDraw; readonly drawn: Mutable } | null = null;
  #drawn: Mutable = { ...NO_STOCK };
  #returned = { requests: 0, tokens: 0 };
  #running = 0;
  #runningWhenDrawn = 0;
  #taken = 0;

  get stock(): PermitStock {
    return this.#stock;
  }

  /** Requests that run. */
  get running(): number {
    return this.#running;
  }

  /** Whether the stock of any kind is more than `times` this. */
  exceeds({ requests, tokens, slots }: PermitStock, times: number): boolean {
    const { stock } = this;
    return stock.requests > times * requests || stock.tokens > times * tokens || stock.slots > times * slots;
  }

  /** Whether the database records permits here other than the slots of running requests. */
  get hasDrawn(): boolean {
    const { requests, tokens, slots } = this.#drawn;
    return requests > 0 || tokens > 0 || slots > this.#running;
  }

  /** Whether `#drawn` is at most this part of each limit. */
  isWithin({ requestsPerMinute, tokensPerMinute, concurrency }: RateLimits, part: number): boolean {
    const { requests, tokens, slots } = this.#drawn;
    return (
      requests * part <= (requestsPerMinute ?? 0) &&
      tokens * part <= (tokensPerMinute ?? 0) &&
      (slots - this.#running) * part <= (concurrency ?? 0)
    );
  }

  /** Whether permits are owed to the database, or are to be given back. */
  get isUnbalanced(): boolean {
    return this.#returned.requests !== 0 || this.#returned.tokens !== 0;
  }

  /** The stock, plus what is to be given back, minus what is owed. */
  get balance(): { readonly requests: number; readonly tokens: number } {
    return {
      requests: this.#stock.requests + this.#returned.requests,
      tokens: this.#stock.tokens + this.#returned.tokens,
    };
  }

  /** Takes one request, its tokens and a slot from stock, as far as they are limited; false if one is missing. */
  take({ requestsPerMinute, tokensPerMinute, concurrency }: RateLimits, tokens: number): boolean {
    const stock = this.#stock;
    if (requestsPerMinute !== null && stock.requests < 1) return false;
    if (tokensPerMinute !== null && stock.tokens < tokens) return false;
    if (concurrency !== null && stock.slots < 1) return false;
    if (requestsPerMinute !== null) stock.requests -= 1;
    if (tokensPerMinute !== null) stock.tokens -= tokens;
    if (concurrency !== null) stock.slots -= 1;
    this.#taken += 1;
    return true;
  }

  /** A request runs, by a permit from stock or from a draw. */
  begin(): void {
    this.#running += 1;
  }

  /** A request runs no more; its slot is in stock again if it had one. */
  end(hasSlot: boolean): void {
    this.#running -= 1;
    if (hasSlot) this.#stock.slots += 1;
  }

  /**
   * Returns permits to stock; a negative number takes missing ones. Stock never exceeds what was drawn, so that stock
   * and bucket together stay within the limit. Returns whether something is owed then.
   */
  putBack(kind: 'requests' | 'tokens', permits: number): boolean {
    const room = Math.max(0, this.#drawn[kind] - this.#stock[kind]);
    const stocked = permits >= 0 ? Math.min(permits, room) : Math.max(permits, -this.#stock[kind]);
    this.#stock[kind] += stocked;
    this.#returned[kind] += permits - stocked;
    return this.#returned[kind] < 0;
  }

  /** Stocks permits that have regrown here without a draw: they are owed. */
  regrow({ requests, tokens }: { readonly requests: number; readonly tokens: number }): void {
    this.#stock.requests += requests;
    this.#stock.tokens += tokens;
    this.#returned.requests -= requests;
    this.#returned.tokens -= tokens;
  }

  /** The report for the next draw. Stock that it offers leaves memory before it is sent. */
  beginDraw(isOffered: boolean): ReportedDraw {
    const stock = { ...this.#stock };
    this.#kept = isOffered ? NO_STOCK : stock;
    if (isOffered) this.#stock = { ...NO_STOCK };
    const reported = { taken: this.#taken, running: this.#running, stock, keep: this.#kept, returned: this.#returned };
    this.#reported = { draw: reported, drawn: this.#drawn };
    this.#runningWhenDrawn = this.#running;
    // At least this much is drawn, whether or not the draw takes effect.
    this.#drawn = { ...this.#kept, slots: this.#kept.slots + this.#running };
    this.#returned = { requests: 0, tokens: 0 };
    this.#taken = 0;
    return reported;
  }

  /** Reverts the report of a draw that the database has rejected. */
  undoDraw(): void {
    assert(this.#reported !== null, 'what was not begun is not undone');
    const { draw, drawn } = this.#reported;
    this.#stock.requests += draw.stock.requests - draw.keep.requests;
    this.#stock.tokens += draw.stock.tokens - draw.keep.tokens;
    this.#stock.slots += draw.stock.slots - draw.keep.slots;
    this.#returned.requests += draw.returned.requests;
    this.#returned.tokens += draw.returned.tokens;
    this.#taken += draw.taken;
    this.#drawn = drawn;
    this.#reported = null;
  }

  /** Applies a draw's reply: the new stock, and this many granted requests, each in a slot. */
  learn(stock: PermitStock, granted: number): void {
    this.#stock.requests += stock.requests - this.#kept.requests;
    this.#stock.tokens += stock.tokens - this.#kept.tokens;
    this.#stock.slots += stock.slots - this.#kept.slots;
    this.#drawn = { ...stock, slots: stock.slots + this.#runningWhenDrawn + granted };
  }
}

const WINDOW_MS = 1_000;
/** After this time without a request, nothing is kept in stock. */
const IDLE_MS = 5_000;

/** Recent demand of a project's requests, in windows of a second. */
export class PermitDemand {
  #windowSinceMs = Number.NEGATIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;
  #lastTokens = 0;
  #now = NO_STOCK;
  #before = NO_STOCK;

  /** Counts one more request; `running` includes it. */
  note(tokens: number, running: number, nowMs: number): void {
    this.#roll(nowMs);
    this.#lastMs = nowMs;
    this.#lastTokens = tokens;
    const { requests, tokens: sum, slots } = this.#now;
    this.#now = { requests: requests + 1, tokens: sum + tokens, slots: Math.max(slots, running) };
  }

  /** Milliseconds since the last request. */
  idleMs(nowMs: number): number {
    return nowMs - this.#lastMs;
  }

  /** The stock for a second of requests without a draw, while this many run. */
  target(running: number, nowMs: number): PermitStock {
    if (this.idleMs(nowMs) >= IDLE_MS) return NO_STOCK;
    this.#roll(nowMs);
    return {
      requests: Math.max(1, this.#now.requests, this.#before.requests),
      tokens: Math.max(this.#lastTokens, this.#now.tokens, this.#before.tokens),
      slots: Math.max(1, Math.max(this.#now.slots, this.#before.slots) - running),
    };
  }

  #roll(nowMs: number): void {
    const elapsedMs = nowMs - this.#windowSinceMs;
    if (elapsedMs < WINDOW_MS) return;
    this.#before = elapsedMs < 2 * WINDOW_MS ? this.#now : NO_STOCK;
    this.#now = NO_STOCK;
    this.#windowSinceMs = nowMs;
  }
}
