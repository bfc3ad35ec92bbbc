/** The rate of a token bucket: its capacity, and the time in which one token is refilled. */
export interface BucketRate {
  readonly burst: number;
  readonly everyMs: number;
}

/** The share that is evicted in one pass, so that eviction costs little per bucket. */
const FORGOTTEN_SHARE = 0.1;

/**
 * Token buckets by key, in bounded memory. A bucket is stored as the time at which it is full again; from then on it
 * needs no entry. If there are too many, the buckets that are full soonest are evicted: never one with fewer tokens
 * before one with more. Only taking a token creates a bucket.
 */
export class TokenBuckets {
  readonly #rate: BucketRate;
  readonly #most: number;
  readonly #fullAtMs = new Map<string, number>();

  constructor(rate: BucketRate, most: number) {
    this.#rate = rate;
    this.#most = most;
  }

  get size(): number {
    return this.#fullAtMs.size;
  }

  /** The milliseconds until the bucket has a token; 0: it has one. */
  waitMs(key: string, nowMs: number): number {
    const { burst, everyMs } = this.#rate;
    return Math.max(0, this.#fullAt(key, nowMs) - nowMs - (burst - 1) * everyMs);
  }

  /** Takes a token, which must be available. */
  take(key: string, nowMs: number): void {
    this.#fullAtMs.set(key, this.#fullAt(key, nowMs) + this.#rate.everyMs);
    if (this.#fullAtMs.size > this.#most) this.#forget(nowMs);
  }

  giveBack(key: string, nowMs: number): void {
    const fullAtMs = this.#fullAt(key, nowMs) - this.#rate.everyMs;
    if (fullAtMs > nowMs) this.#fullAtMs.set(key, fullAtMs);
    else this.#fullAtMs.delete(key);
  }

  #fullAt(key: string, nowMs: number): number {
    return Math.max(nowMs, this.#fullAtMs.get(key) ?? 0);
  }

  #forget(nowMs: number): void {
    for (const [key, fullAtMs] of this.#fullAtMs) if (fullAtMs <= nowMs) this.#fullAtMs.delete(key);
    const excess = this.#fullAtMs.size - Math.floor(this.#most * (1 - FORGOTTEN_SHARE));
    if (excess <= 0) return;
    const soonest = [...this.#fullAtMs].toSorted(([, one], [, other]) => one - other).slice(0, excess);
    for (const [key] of soonest) this.#fullAtMs.delete(key);
  }
}
