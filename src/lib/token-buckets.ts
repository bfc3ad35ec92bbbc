/** The rate of a token bucket: how many tokens it holds at most, and how long one takes to come back. */
export interface BucketRate {
  readonly burst: number;
  readonly everyMs: number;
}

/** How much is forgotten at a time, so that forgetting costs little per bucket. */
const FORGOTTEN_SHARE = 0.1;

/**
 * Token buckets by key, in bounded memory. A bucket is the moment at which it is full again; from then on it is the same as
 * none. Of too many, those that are full soonest are forgotten: never one with fewer tokens before one with more. Only
 * tokens that are taken make a bucket.
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

  /** Takes a token, which must be there. */
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
