import { allowanceOf, type Bucket, PARTS_PER_PERMIT, type RateStanding, refilled } from '../../domain/token-bucket.ts';
import type { RateLimits } from '../../domain/principal.ts';
import type { PermitReply, PermitShortage, PermitStock } from '../ports/permit-store.ts';

/** No process stocks more than this part of a limit, so that what it doesn't use is no loss to the others. */
const STOCK_PART = 16;

/** A project's limits as a draw has shown them, and what must have become of the buckets since if no other process drew. */
export class LimitsSeen {
  readonly limits: RateLimits;
  /** This process's part of the project's requests in the minute before. */
  readonly share: number;
  readonly atMs: number;
  readonly #left: PermitReply['left'];

  constructor({ limits, share, left }: PermitReply, atMs: number) {
    this.limits = limits;
    this.share = share;
    this.atMs = atMs;
    this.#left = left;
  }

  /** The most that this process may stock of a kind. What waiting requests need is no stock. */
  stockMost(kind: keyof PermitStock): number {
    const { requestsPerMinute, tokensPerMinute, concurrency } = this.limits;
    const limit = { requests: requestsPerMinute, tokens: tokensPerMinute, slots: concurrency }[kind];
    return Math.floor((limit ?? 0) / STOCK_PART);
  }

  /** What there is to stock of a kind: half of each limit stays where every process can reach it. */
  spare(kind: keyof PermitStock, nowMs: number): number {
    if (kind === 'slots') return (this.#left.slots ?? 0) - Math.ceil((this.limits.concurrency ?? 0) / 2);
    const bucket = this.#bucket(kind, nowMs);
    if (bucket === null) return 0;
    return Math.floor(bucket.parts / PARTS_PER_PERMIT) - Math.ceil(bucket.perMinute / 2);
  }

  /** How the limits stand, counting what this process has at hand. */
  standing(atHand: { readonly requests: number; readonly tokens: number }, nowMs: number): RateStanding {
    const requests = this.#bucket('requests', nowMs);
    const tokens = this.#bucket('tokens', nowMs);
    return {
      requests: requests === null ? null : allowanceOf(requests, atHand.requests),
      tokens: tokens === null ? null : allowanceOf(tokens, atHand.tokens),
    };
  }

  #bucket(kind: 'requests' | 'tokens', nowMs: number): Bucket | null {
    const perMinute = kind === 'requests' ? this.limits.requestsPerMinute : this.limits.tokensPerMinute;
    const parts = kind === 'requests' ? this.#left.requestParts : this.#left.tokenParts;
    if (perMinute === null || parts === null) return null;
    return refilled({ perMinute, parts, atMs: Math.floor(this.atMs) }, perMinute, nowMs);
  }
}

/** How long a refusal is repeated without asking the database again. */
const REMEMBERED_MS = 100;

interface Refusal {
  readonly shortage: PermitShortage;
  readonly tokens: number;
  /** The limits that it was refused by, and when. */
  readonly seen: LimitsSeen;
}

/** The last draw's refusal, which holds for a moment for requests that are alike. */
export class LastRefusal {
  #last: Refusal | null = null;

  note(shortage: PermitShortage, tokens: number, seen: LimitsSeen): void {
    this.#last = { shortage, tokens, seen };
  }

  forget(): void {
    this.#last = null;
  }

  /** A slot has come free: who lacked one may have it. */
  freedSlot(): void {
    if (this.#last?.shortage.shortOf === 'concurrency') this.#last = null;
  }

  /** Why a request of so many tokens is refused as well, and how long from now; null where that has to be asked. */
  repeated(tokens: number, nowMs: number): PermitShortage | null {
    if (this.#last === null) return null;
    const { shortage, seen } = this.#last;
    const elapsedMs = nowMs - seen.atMs;
    if (elapsedMs >= Math.min(REMEMBERED_MS, shortage.waitMs)) return null;
    // How long a request waits for tokens is known for that many alone. Short of anything else, one of fewer tokens waits
    // as long; one of more might lack those as well.
    const fits = shortage.shortOf === 'tokens' ? tokens === this.#last.tokens : tokens <= this.#last.tokens;
    if (!fits && seen.limits.tokensPerMinute !== null) return null;
    return { shortOf: shortage.shortOf, waitMs: Math.ceil(shortage.waitMs - elapsedMs) };
  }
}
