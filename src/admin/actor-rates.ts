import type { Actor } from '../domain/actor.ts';
import { refuse, type Refusal } from '../domain/refusals.ts';

// How many requests a session or an access token may send to the admin API. The operator's tokens have no limit: nobody is
// protected from the operator.

const REQUESTS_PER_SECOND = 20;
const BURST = 200;
const ACTORS_MAX = 10_000;

/** A request in parts of which a bucket regains a whole number each millisecond, so that waits are exact. */
const PARTS_PER_REQUEST = 1_000;

interface Bucket {
  parts: number;
  filledMs: number;
}

/** Counts the requests of each actor of this process, in token buckets. Of many actors the least recent are forgotten. */
export class ActorRates {
  readonly #monotonicMs: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** `monotonicMs`: a clock that never steps back. */
  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Takes one request of the actor's rate. Null: it may go on; else the refusal, with the time until the next is left. */
  take(actor: Actor): Refusal | null {
    const name = bucketOf(actor);
    if (name === null) return null;
    const nowMs = Math.floor(this.#monotonicMs());
    const full = BURST * PARTS_PER_REQUEST;
    const bucket = this.#buckets.get(name) ?? { parts: full, filledMs: nowMs };
    bucket.parts = Math.min(full, bucket.parts + (nowMs - bucket.filledMs) * REQUESTS_PER_SECOND);
    bucket.filledMs = nowMs;
    this.#remember(name, bucket);
    if (bucket.parts >= PARTS_PER_REQUEST) {
      bucket.parts -= PARTS_PER_REQUEST;
      return null;
    }
    const message = `An actor may send ${REQUESTS_PER_SECOND} requests a second to the admin API: slow down.`;
    const retryAfterMs = Math.ceil((PARTS_PER_REQUEST - bucket.parts) / REQUESTS_PER_SECOND);
    return refuse('RATE_LIMITED', message, { retryAfterMs });
  }

  #remember(name: string, bucket: Bucket): void {
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > ACTORS_MAX && oldest !== undefined) this.#buckets.delete(oldest);
  }
}

/** By what an actor's requests are counted; null: those of the operator's tokens are not. */
export function bucketOf(actor: Actor): string | null {
  if (actor.kind === 'session') return `user ${actor.userId}`;
  return actor.kind === 'access_token' ? `token ${actor.tokenId}` : null;
}
