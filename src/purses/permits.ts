import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { type Bucket, clampToBucket, fullBucket, isFull, refilled, taken, waitFor } from '../domain/permit.ts';
import type { RateLimits } from '../domain/principal.ts';

/** Beyond this many projects, those whose buckets are full are forgotten: a full bucket says nothing. */
const PROJECTS_BEFORE_SWEEP = 10_000;
/** When a place among the concurrent requests comes free isn't known; this is how soon it is worth asking again. */
const CONCURRENCY_RETRY_MS = 1_000;

interface ProjectRate {
  requests: Bucket | null;
  tokens: Bucket | null;
  running: number;
}

/** Why a request may not run now, and when it may. */
export interface RateExceeded {
  readonly limit: 'requests' | 'tokens' | 'concurrency';
  readonly perMinute: number;
  readonly retryAfterMs: number;
}

/** The right to run one request under its project's rate limits. Ends exactly once. */
export class Permit {
  readonly #rate: ProjectRate;
  readonly #tokens: number;
  #ended = false;

  constructor(rate: ProjectRate, tokens: number) {
    this.#rate = rate;
    this.#tokens = tokens;
  }

  /** The request was refused later on: all goes back. */
  giveBack(): void {
    this.#end();
    if (this.#rate.requests !== null) this.#rate.requests = taken(this.#rate.requests, -1);
    if (this.#rate.tokens !== null) this.#rate.tokens = taken(this.#rate.tokens, -this.#tokens);
  }

  /** The request has ended: what it used replaces what it was quoted. */
  finish(tokensUsed: number): void {
    this.#end();
    if (this.#rate.tokens !== null) this.#rate.tokens = taken(this.#rate.tokens, tokensUsed - this.#tokens);
  }

  #end(): void {
    assert(!this.#ended, 'a permit ends once');
    this.#ended = true;
    this.#rate.running -= 1;
  }
}

/** Rate limits of the projects whose requests this process serves. */
export class Permits {
  readonly #clock: Clock;
  readonly #projects = new Map<string, ProjectRate>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes one request and its quoted tokens out of the project's buckets, or says how long to wait. */
  take(projectId: string, limits: RateLimits, quotedTokens: number): Permit | RateExceeded {
    const nowMs = this.#clock.monotonicMs();
    const rate = this.#rateOf(projectId);
    rate.requests = bucketAt(rate.requests, limits.requestsPerMinute, nowMs);
    rate.tokens = bucketAt(rate.tokens, limits.tokensPerMinute, nowMs);
    const tokens = rate.tokens === null ? 0 : clampToBucket(rate.tokens, quotedTokens);
    const exceeded = longestWait(rate, limits, tokens);
    if (exceeded !== null) return exceeded;
    if (rate.requests !== null) rate.requests = taken(rate.requests, 1);
    if (rate.tokens !== null) rate.tokens = taken(rate.tokens, tokens);
    rate.running += 1;
    return new Permit(rate, tokens);
  }

  #rateOf(projectId: string): ProjectRate {
    let rate = this.#projects.get(projectId);
    if (rate === undefined) {
      if (this.#projects.size >= PROJECTS_BEFORE_SWEEP) this.#sweep();
      rate = { requests: null, tokens: null, running: 0 };
      this.#projects.set(projectId, rate);
    }
    return rate;
  }

  #sweep(): void {
    const nowMs = this.#clock.monotonicMs();
    const isIdle = (bucket: Bucket | null): boolean =>
      bucket === null || isFull(refilled(bucket, bucket.perMinute, nowMs));
    for (const [projectId, rate] of this.#projects) {
      if (rate.running === 0 && isIdle(rate.requests) && isIdle(rate.tokens)) this.#projects.delete(projectId);
    }
  }
}

function bucketAt(bucket: Bucket | null, perMinute: number | null, nowMs: number): Bucket | null {
  if (perMinute === null) return null;
  return bucket === null ? fullBucket(perMinute, nowMs) : refilled(bucket, perMinute, nowMs);
}

function longestWait(rate: ProjectRate, limits: RateLimits, tokens: number): RateExceeded | null {
  const waits: RateExceeded[] = [];
  const { requests, tokens: tokenBucket } = rate;
  if (requests !== null) {
    waits.push({ limit: 'requests', perMinute: requests.perMinute, retryAfterMs: waitFor(requests, 1) });
  }
  if (tokenBucket !== null) {
    waits.push({ limit: 'tokens', perMinute: tokenBucket.perMinute, retryAfterMs: waitFor(tokenBucket, tokens) });
  }
  if (limits.concurrency !== null && rate.running >= limits.concurrency) {
    waits.push({ limit: 'concurrency', perMinute: limits.concurrency, retryAfterMs: CONCURRENCY_RETRY_MS });
  }
  return waits.reduce<RateExceeded | null>(
    (longest, wait) => (wait.retryAfterMs > (longest?.retryAfterMs ?? 0) ? wait : longest),
    null,
  );
}
