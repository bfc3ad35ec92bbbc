import type { Actor } from '../../../domain/actor.ts';
import { refuse, type Refusal } from '../../../domain/refusals.ts';
import { bucketOf } from '../actor-rates.ts';

/** Fewer than the admin API serves at the same time, so that long streams never keep others from it. */
const RUNNING_MAX = 100;
const RUNNING_PER_ACTOR_MAX = 8;
const RETRY_MS = 1_000;

/** A request of the playground that runs. */
export interface PlaygroundPlace {
  /** Called once, at its end. */
  leave(): void;
}

/** Counts the requests of the playground that run in this process. */
export class PlaygroundPlaces {
  readonly #running = new Map<string, number>();
  #all = 0;

  /** A place for one more request; refused if too many are running, of this actor or of all. */
  take(actor: Actor): PlaygroundPlace | Refusal {
    const name = bucketOf(actor) ?? 'operator';
    const running = this.#running.get(name) ?? 0;
    if (running >= RUNNING_PER_ACTOR_MAX) {
      const message = `${RUNNING_PER_ACTOR_MAX} of your playground requests are running, which is the limit: stop one, or wait for one to end.`;
      return refuse('RATE_LIMITED', message, { retryAfterMs: RETRY_MS });
    }
    if (this.#all >= RUNNING_MAX) {
      const message = `${RUNNING_MAX} playground requests are running, which is the limit: try again in a moment.`;
      return refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_MS });
    }
    this.#running.set(name, running + 1);
    this.#all += 1;
    return { leave: () => this.#leave(name) };
  }

  #leave(name: string): void {
    const left = (this.#running.get(name) ?? 1) - 1;
    if (left === 0) this.#running.delete(name);
    else this.#running.set(name, left);
    this.#all -= 1;
  }
}
