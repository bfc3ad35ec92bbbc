import { type Bucket, fullBucket, refilled, taken, waitFor } from '../../../domain/token-bucket.ts';
import type { Clock } from '../../../lib/clock.ts';
import { RecentMap } from '../../../lib/recent-map.ts';

const BUCKETS_MAX = 10_000;

/** How often a minute each key may do what is free and counts towards no rate limit of its project, in this process. */
export class KeyRate {
  readonly perMinute: number;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #buckets = new RecentMap<string, Bucket>(BUCKETS_MAX);

  constructor(perMinute: number, clock: Pick<Clock, 'monotonicMs'>) {
    this.perMinute = perMinute;
    this.#clock = clock;
  }

  /** Takes one of this key's turns; the milliseconds to wait if it has none left, else zero. */
  take(keyId: string): number {
    const nowMs = this.#clock.monotonicMs();
    const known = this.#buckets.get(keyId);
    const bucket = known === undefined ? fullBucket(this.perMinute, nowMs) : refilled(known, this.perMinute, nowMs);
    const waitMs = waitFor(bucket, 1);
    this.#buckets.set(keyId, waitMs === 0 ? taken(bucket, 1) : bucket);
    return waitMs;
  }
}
