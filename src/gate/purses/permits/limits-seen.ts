import {
  allowanceOf,
  type Bucket,
  PARTS_PER_PERMIT,
  type RateStanding,
  refilled,
  waitFor,
} from '../../../domain/token-bucket.ts';
import type { RateLimits } from '../../../domain/principal.ts';
import type { PermitReply, PermitShortage, PermitStock } from '../ports/database.ts';
import type { RateExceeded } from './permit.ts';

/** A process stocks at most this part of a limit, so that its unused stock is no loss to the others. */
const STOCK_PART = 16;
/** How long a refusal is repeated without another query. */
const REMEMBERED_MS = 100;
/** Retry interval if it isn't known when a slot comes free, or when the database returns. */
const RETRY_MS = 1_000;

const KINDS = ['requests', 'tokens', 'slots'] as const;

/** Permits that a process has in addition to those in the buckets. */
type Permits = Pick<PermitStock, 'requests' | 'tokens'>;

/**
 * A project's limits as of the last draw, and what follows from them until the next: how full the buckets are if no
 * other process draws, which requests are refused like the last one, and how fast this process's share regrows while
 * the database is away.
 */
export class LimitsSeen {
  readonly limits: RateLimits;
  /** This process's share of the project's requests in the minute before. */
  readonly share: number;
  readonly #atMs: number;
  #left: PermitReply['left'];
  #refusal: { readonly shortage: PermitShortage; readonly tokens: number } | null = null;
  /** The time of the last regrowth, and the fractions of permits that remained. */
  #regrownAtMs: number | null = null;
  #regrownRequests = 0;
  #regrownTokens = 0;

  constructor({ limits, share, left }: Pick<PermitReply, 'limits' | 'share' | 'left'>, atMs: number) {
    this.limits = limits;
    this.share = share;
    this.#atMs = atMs;
    this.#left = left;
  }

  /** A copy under limits that were changed since the draw. How much is left of them is unknown. */
  under(limits: RateLimits): LimitsSeen {
    const left = { requestParts: null, tokenParts: null, slots: null };
    return new LimitsSeen({ limits, share: this.share, left }, this.#atMs);
  }

  /** Whether these are the limits. */
  isUnder({ requestsPerMinute, tokensPerMinute, concurrency }: RateLimits): boolean {
    const { limits } = this;
    return (
      limits.requestsPerMinute === requestsPerMinute &&
      limits.tokensPerMinute === tokensPerMinute &&
      limits.concurrency === concurrency
    );
  }

  /** Whether the stock is low for this target, and a draw ahead of need likely to bring something. */
  mayRestock(target: PermitStock, stock: PermitStock, nowMs: number): boolean {
    return KINDS.some((kind) => {
      const wanted = Math.min(target[kind], this.#stockMost(kind));
      return stock[kind] < wanted / 2 && this.#spare(kind, nowMs) > 0;
    });
  }

  /** Whether a freed slot matters to other processes, given this stock of slots. */
  isSlotMissing(slots: number, nowMs: number): boolean {
    return slots > this.#stockMost('slots') || this.#spare('slots', nowMs) <= 0;
  }

  /** State of the limits, including what this process has. */
  standing(atHand: Permits, nowMs: number): RateStanding {
    const requests = this.#bucket('requests', nowMs);
    const tokens = this.#bucket('tokens', nowMs);
    return {
      requests: requests === null ? null : allowanceOf(requests, atHand.requests),
      tokens: tokens === null ? null : allowanceOf(tokens, atHand.tokens),
    };
  }

  /** The refusal of a request that is short of this. */
  exceeded({ shortOf: limit, waitMs: retryAfterMs }: PermitShortage, atHand: Permits, nowMs: number): RateExceeded {
    const { requestsPerMinute, tokensPerMinute, concurrency } = this.limits;
    const most = { requests: requestsPerMinute, tokens: tokensPerMinute, concurrency }[limit] ?? 0;
    return { kind: 'exceeded', limit, most, retryAfterMs, standing: this.standing(atHand, nowMs) };
  }

  /** Records that the draw has refused a request of this many tokens; similar ones are refused for a moment. */
  noteRefusal(shortage: PermitShortage, tokens: number): void {
    this.#refusal = { shortage, tokens };
  }

  /**
   * Whether a freed slot was taken beyond the limit, which has been lowered since: no request may have it. It counts
   * as returned from then on.
   */
  absorbsFreedSlot(): boolean {
    const { slots } = this.#left;
    if (slots === null || slots >= 0) return false;
    this.#left = { ...this.#left, slots: slots + 1 };
    return true;
  }

  /** A slot was freed: a request that lacked one may have it. */
  noteFreedSlot(): void {
    if (this.#refusal?.shortage.shortOf === 'concurrency') this.#refusal = null;
  }

  /** The last refusal, if it applies to a request of this many tokens; null if the database must be queried. */
  repeatedRefusal(tokens: number, nowMs: number): PermitShortage | null {
    if (this.#refusal === null) return null;
    const { shortage, tokens: refusedTokens } = this.#refusal;
    const elapsedMs = nowMs - this.#atMs;
    if (elapsedMs >= Math.min(REMEMBERED_MS, shortage.waitMs)) return null;
    // The wait for tokens is known for exactly that many. If something else is short, a request of fewer tokens waits
    // as long; one of more might lack tokens too.
    const fits = shortage.shortOf === 'tokens' ? tokens === refusedTokens : tokens <= refusedTokens;
    if (!fits && this.limits.tokensPerMinute !== null) return null;
    return { shortOf: shortage.shortOf, waitMs: Math.ceil(shortage.waitMs - elapsedMs) };
  }

  /**
   * Whole permits that have regrown since the database went away, or since the last call: the process's share of the
   * rate, up to its share of the limit. Slots don't regrow.
   */
  regrow(awaySinceMs: number, nowMs: number, stock: PermitStock): Permits {
    const { limits, share } = this;
    const elapsedMs = nowMs - (this.#regrownAtMs ?? awaySinceMs);
    this.#regrownAtMs = nowMs;
    const grown = (fraction: number, perMinute: number | null, inStock: number): number => {
      const room = (perMinute ?? 0) * share - inStock;
      return Math.min(fraction + (elapsedMs * share * (perMinute ?? 0)) / PARTS_PER_PERMIT, Math.max(0, room));
    };
    this.#regrownRequests = grown(this.#regrownRequests, limits.requestsPerMinute, stock.requests);
    this.#regrownTokens = grown(this.#regrownTokens, limits.tokensPerMinute, stock.tokens);
    const whole = { requests: Math.floor(this.#regrownRequests), tokens: Math.floor(this.#regrownTokens) };
    this.#regrownRequests -= whole.requests;
    this.#regrownTokens -= whole.tokens;
    return whole;
  }

  /** Why this stock is too small while the database is away, and when it will suffice. */
  shortageAway(stock: PermitStock, tokens: number): PermitShortage {
    const { limits, share } = this;
    const wait = (perMinute: number | null, have: number, need: number): number =>
      perMinute === null ? 0 : waitFor({ perMinute: perMinute * share, parts: have * PARTS_PER_PERMIT, atMs: 0 }, need);
    const waits: PermitShortage[] = [
      { shortOf: 'requests', waitMs: wait(limits.requestsPerMinute, stock.requests + this.#regrownRequests, 1) },
      { shortOf: 'tokens', waitMs: wait(limits.tokensPerMinute, stock.tokens + this.#regrownTokens, tokens) },
    ];
    const longest = waits.reduce((long, each) => (each.waitMs > long.waitMs ? each : long));
    if (longest.waitMs === 0 && limits.concurrency !== null && stock.slots < 1)
      return { shortOf: 'concurrency', waitMs: RETRY_MS };
    // A share of less than one permit never suffices; the database may be back by then.
    return longest.waitMs === 0 ? { ...longest, waitMs: RETRY_MS } : longest;
  }

  /** The most that this process may stock of a kind. What waiting requests need is no stock. */
  #stockMost(kind: keyof PermitStock): number {
    const { requestsPerMinute, tokensPerMinute, concurrency } = this.limits;
    const limit = { requests: requestsPerMinute, tokens: tokensPerMinute, slots: concurrency }[kind];
    return Math.floor((limit ?? 0) / STOCK_PART);
  }

  /** How much of a kind may be stocked: half of each limit stays available to every process. */
  #spare(kind: keyof PermitStock, nowMs: number): number {
    if (kind === 'slots') return (this.#left.slots ?? 0) - Math.ceil((this.limits.concurrency ?? 0) / 2);
    const bucket = this.#bucket(kind, nowMs);
    if (bucket === null) return 0;
    return Math.floor(bucket.parts / PARTS_PER_PERMIT) - Math.ceil(bucket.perMinute / 2);
  }

  #bucket(kind: 'requests' | 'tokens', nowMs: number): Bucket | null {
    const perMinute = kind === 'requests' ? this.limits.requestsPerMinute : this.limits.tokensPerMinute;
    const parts = kind === 'requests' ? this.#left.requestParts : this.#left.tokenParts;
    if (perMinute === null || parts === null) return null;
    return refilled({ perMinute, parts, atMs: Math.floor(this.#atMs) }, perMinute, nowMs);
  }
}
