import { PARTS_PER_PERMIT, waitFor } from '../../domain/token-bucket.ts';
import type { RateLimits } from '../../domain/principal.ts';
import type { PermitShortage, PermitStock } from '../ports/permit-store.ts';

/** When a place comes free, or the database comes back, isn't known; this is how soon it is worth asking again. */
const RETRY_MS = 1_000;

/**
 * What regrows of a project's limits in a process that is out of touch with the database: its share of the rate, up to
 * its share of the limit. Places among the concurrent requests don't regrow.
 */
export class AwayRefill {
  #atMs: number | null = null;
  /** Fractions of a permit. */
  #requests = 0;
  #tokens = 0;

  /** The database is back: the next absence begins with nothing. */
  end(): void {
    this.#atMs = null;
    this.#requests = 0;
    this.#tokens = 0;
  }

  /** Whole permits that have regrown since the absence began, or since it was last asked. */
  regrow(
    limits: RateLimits,
    share: number,
    awaySinceMs: number,
    nowMs: number,
    stock: PermitStock,
  ): { readonly requests: number; readonly tokens: number } {
    const elapsedMs = nowMs - (this.#atMs ?? awaySinceMs);
    this.#atMs = nowMs;
    const grown = (fraction: number, perMinute: number | null, inStock: number): number => {
      const room = (perMinute ?? 0) * share - inStock;
      return Math.min(fraction + (elapsedMs * share * (perMinute ?? 0)) / PARTS_PER_PERMIT, Math.max(0, room));
    };
    this.#requests = grown(this.#requests, limits.requestsPerMinute, stock.requests);
    this.#tokens = grown(this.#tokens, limits.tokensPerMinute, stock.tokens);
    const whole = { requests: Math.floor(this.#requests), tokens: Math.floor(this.#tokens) };
    this.#requests -= whole.requests;
    this.#tokens -= whole.tokens;
    return whole;
  }

  /** Why the stock doesn't suffice, and when it will. */
  shortage(limits: RateLimits, share: number, stock: PermitStock, tokens: number): PermitShortage {
    const wait = (perMinute: number | null, have: number, need: number): number =>
      perMinute === null ? 0 : waitFor({ perMinute: perMinute * share, parts: have * PARTS_PER_PERMIT, atMs: 0 }, need);
    const waits: PermitShortage[] = [
      { shortOf: 'requests', waitMs: wait(limits.requestsPerMinute, stock.requests + this.#requests, 1) },
      { shortOf: 'tokens', waitMs: wait(limits.tokensPerMinute, stock.tokens + this.#tokens, tokens) },
    ];
    const longest = waits.reduce((long, each) => (each.waitMs > long.waitMs ? each : long));
    if (longest.waitMs === 0 && limits.concurrency !== null && stock.slots < 1)
      return { shortOf: 'concurrency', waitMs: RETRY_MS };
    // A share of less than one permit never suffices; the database may be back by then.
    return longest.waitMs === 0 ? { ...longest, waitMs: RETRY_MS } : longest;
  }
}
