import { type Bucket, fullBucket, refilled, taken, waitFor } from '../../../domain/token-bucket.ts';
import type { Clock } from '../../../lib/clock.ts';
import { RecentMap } from '../../../lib/recent-map.ts';

const BUCKETS_MAX = 10_000;

/** A rate limit per key, in this process, for requests that are free and count towards no other limit. */
export class KeyRate {
  readonly perMinute: number;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #buckets = new RecentMap<string, Bucket>(BUCKETS_MAX);

  constructor(perMinute: number, clock: Pick<Clock, 'monotonicMs'>) {
    this.perMinute = perMinute;
    this.#clock = clock;
  }

  /** Takes one request of this key; returns the milliseconds to wait if none is left, else zero. */
  take(keyId: string): number {
    const nowMs = this.#clock.monotonicMs();
    const known = this.#buckets.get(keyId);
    const bucket = known === undefined ? fullBucket(this.perMinute, nowMs) : refilled(known, this.perMinute, nowMs);
    const waitMs = waitFor(bucket, 1);
    this.#buckets.set(keyId, waitMs === 0 ? taken(bucket, 1) : bucket);
    return waitMs;
  }
}
