import type { Clock } from './clock.ts';

/** The longest rest: what has waited for others has not kept a core busy. */
const REST_MS_MAX = 50;

/**
 * Spreads long work that is done in slices, so that it delays nobody else: one slice at a time, whoever's it is, and
 * after each a rest for as long as it has taken.
 */
export class Pacer {
  readonly #clock: Pick<Clock, 'after' | 'monotonicMs'>;
  #rested: Promise<void> = Promise.resolve();

  constructor(clock: Pick<Clock, 'after' | 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Runs a slice in its turn. @throws what it throws */
  async slice<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#rested;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#rested = promise;
    await before;
    const sinceMs = this.#clock.monotonicMs();
    try {
      return await work();
    } finally {
      this.#clock.after(Math.min(REST_MS_MAX, this.#clock.monotonicMs() - sinceMs), resolve);
    }
  }
}
