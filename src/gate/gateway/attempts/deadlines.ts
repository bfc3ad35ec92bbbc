import { Bag, type Place } from '../../../lib/bag.ts';
import type { Clock } from '../../../lib/clock.ts';

/** Work with a time limit. */
export interface Deadline {
  /** Its deadline; monotonic milliseconds. It may change. */
  readonly expiresMs: number;
  /** Called when the time is up, and again until the deadline is removed. */
  expire(nowMs: number): void;
}

/** One timer for all deadlines. It checks them at each tick, so each is exact to within one tick. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #tickMs: number;
  readonly #lasting = new Bag<Deadline>();
  #ticking = false;

  constructor(clock: Clock, tickMs: number) {
    this.#clock = clock;
    this.#tickMs = tickMs;
  }

  add(lasting: Deadline): Place<Deadline> {
    if (!this.#ticking) this.#tickLater();
    return this.#lasting.add(lasting);
  }

  remove(place: Place<Deadline>): void {
    this.#lasting.remove(place);
  }

  #tickLater(): void {
    this.#ticking = true;
    this.#clock.after(this.#tickMs, () => {
      this.#ticking = false;
      const nowMs = this.#clock.monotonicMs();
      for (const lasting of this.#lasting.items()) if (lasting.expiresMs <= nowMs) lasting.expire(nowMs);
      if (this.#lasting.size > 0 && !this.#ticking) this.#tickLater();
    });
  }
}
