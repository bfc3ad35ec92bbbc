import type { Actor } from '../../domain/actor.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import { TokenBuckets } from '../../lib/token-buckets.ts';

// How many requests a session or an access token may send to the admin API. The operator's tokens have no limit: nobody is
// protected from the operator.

const REQUESTS_PER_SECOND = 20;
const RATE = { burst: 200, everyMs: 1_000 / REQUESTS_PER_SECOND };
const ACTORS_MAX = 10_000;

/** Counts the requests of each actor of this process. */
export class ActorRates {
  readonly #monotonicMs: () => number;
  readonly #buckets = new TokenBuckets(RATE, ACTORS_MAX);

  /** `monotonicMs`: a clock that never steps back. */
  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Takes one request from the actor's rate. Null: admitted; else the refusal, with the time until the next request. */
  take(actor: Actor): Refusal | null {
    const name = bucketOf(actor);
    if (name === null) return null;
    const nowMs = Math.floor(this.#monotonicMs());
    const retryAfterMs = this.#buckets.waitMs(name, nowMs);
    if (retryAfterMs === 0) {
      this.#buckets.take(name, nowMs);
      return null;
    }
    const message = `An actor may send ${REQUESTS_PER_SECOND} requests a second to the admin API: slow down.`;
    return refuse('RATE_LIMITED', message, { retryAfterMs });
  }
}

/** By what an actor's requests are counted; null: those of the operator's tokens are not. */
export function bucketOf(actor: Actor): string | null {
  if (actor.kind === 'session') return `user ${actor.userId}`;
  return actor.kind === 'access_token' ? `token ${actor.tokenId}` : null;
}
