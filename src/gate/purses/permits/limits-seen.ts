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

/** No process stocks more than this part of a limit, so that what it doesn't use is no loss to the others. */
const STOCK_PART = 16;
/** How long a refusal is repeated without asking the database again. */
const REMEMBERED_MS = 100;
/** When a place comes free, or the database comes back, isn't known; this is how soon it is worth asking again. */
const RETRY_MS = 1_000;

const KINDS = ['requests', 'tokens', 'slots'] as const;

/** Permits that a process has beside the buckets. */
type Permits = Pick<PermitStock, 'requests' | 'tokens'>;

/**
 * A project's limits as a draw has shown them, and what follows from that until the next draw: what the buckets have if
 * no other process has drawn, which requests are refused as the last one was, and what regrows of this process's share
 * while the database is away.
 */
export class LimitsSeen {
  readonly limits: RateLimits;
  /** This process's part of the project's requests in the minute before. */
  readonly share: number;
  readonly #atMs: number;
  #left: PermitReply['left'];
  #refusal: { readonly shortage: PermitShortage; readonly tokens: number } | null = null;
  /** When this process's share was last regrown, and the fractions of permits that have regrown since the last whole one. */
  #regrownAtMs: number | null = null;
  #regrownRequests = 0;
  #regrownTokens = 0;

  constructor({ limits, share, left }: Pick<PermitReply, 'limits' | 'share' | 'left'>, atMs: number) {
    this.limits = limits;
    this.share = share;
    this.#atMs = atMs;
    this.#left = left;
  }

  /** The same, as far as it goes, under limits that were changed since; nothing is known to be left of them. */
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

  /** Whether a slot that has come free here matters to other processes, with so many in stock. */
  isSlotMissing(slots: number, nowMs: number): boolean {
    return slots > this.#stockMost('slots') || this.#spare('slots', nowMs) <= 0;
  }

  /** How the limits stand, counting what this process has at hand. */
  standing(atHand: Permits, nowMs: number): RateStanding {
    const requests = this.#bucket('requests', nowMs);
    const tokens = this.#bucket('tokens', nowMs);
    return {
      requests: requests === null ? null : allowanceOf(requests, atHand.requests),
      tokens: tokens === null ? null : allowanceOf(tokens, atHand.tokens),
    };
  }

  /** The refusal of a request for want of this, to a process that has so much at hand. */
  exceeded({ shortOf: limit, waitMs: retryAfterMs }: PermitShortage, atHand: Permits, nowMs: number): RateExceeded {
    const { requestsPerMinute, tokensPerMinute, concurrency } = this.limits;
    const most = { requests: requestsPerMinute, tokens: tokensPerMinute, concurrency }[limit] ?? 0;
    return { kind: 'exceeded', limit, most, retryAfterMs, standing: this.standing(atHand, nowMs) };
  }

  /** Takes note that the draw has refused a request of so many tokens. For a moment, that goes for others like it. */
  noteRefusal(shortage: PermitShortage, tokens: number): void {
    this.#refusal = { shortage, tokens };
  }

  /**
   * Whether a slot that has come free is one of those that were taken beyond the limit, which was lowered since: nobody may have
   * it. It counts as returned from then on.
   */
  absorbsFreedSlot(): boolean {
    const { slots } = this.#left;
    if (slots === null || slots >= 0) return false;
    this.#left = { ...this.#left, slots: slots + 1 };
    return true;
  }

  /** A slot has come free: a request that lacked one may have it. */
  noteFreedSlot(): void {
    if (this.#refusal?.shortage.shortOf === 'concurrency') this.#refusal = null;
  }

  /** Why a request of so many tokens is refused as well, and how long from now; null if the database has to be asked. */
  repeatedRefusal(tokens: number, nowMs: number): PermitShortage | null {
    if (this.#refusal === null) return null;
    const { shortage, tokens: refusedTokens } = this.#refusal;
    const elapsedMs = nowMs - this.#atMs;
    if (elapsedMs >= Math.min(REMEMBERED_MS, shortage.waitMs)) return null;
    // How long a request waits for tokens is known for that many alone. Short of anything else, one of fewer tokens waits
    // as long; one of more might lack those as well.
    const fits = shortage.shortOf === 'tokens' ? tokens === refusedTokens : tokens <= refusedTokens;
    if (!fits && this.limits.tokensPerMinute !== null) return null;
    return { shortOf: shortage.shortOf, waitMs: Math.ceil(shortage.waitMs - elapsedMs) };
  }

  /**
   * Whole permits that have regrown since the database went away, or since the last call: the process's share of the rate,
   * up to its share of the limit. Places among the concurrent requests don't regrow.
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

  /** Why this stock doesn't suffice while the database is away, and when it will. */
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

  /** What there is to stock of a kind: half of each limit stays where every process can reach it. */
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
