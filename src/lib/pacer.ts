import type { Clock } from './clock.ts';

/**
 * The length of a rest, as a multiple of the slice before it: all slices together keep at most a fifth of a core busy.
 */
const REST_SHARE = 4;
/**
 * The work after a slice (its rows become text, a client reads it) takes as long again, so at most 40 slices run per
 * second.
 */
const REST_MS_MIN = 25;
/** After this time the next slice begins anyway: a longer slice is waiting for something, and keeps no core busy. */
const TURN_MS_MAX = 100;

/**
 * Spreads long work that is done in slices, so that it delays no request: one slice at a time of all such work, and
 * after each a rest of at least four times as long as it took.
 */
export class Pacer {
  readonly #clock: Pick<Clock, 'after' | 'monotonicMs'>;
  /** Shared slices that have not begun. */
  readonly #waiting = new Map<string, Promise<unknown>>();
  #rested: Promise<void> = Promise.resolve();

  constructor(clock: Pick<Clock, 'after' | 'monotonicMs'>) {
    this.#clock = clock;
  }

  /**
   * Runs a slice once for all callers that request it before it begins, as many consoles do at the same moment. None
   * gets an older state than it would alone. The key identifies everything that the result depends on, including the
   * caller's rights. @throws what the slice throws
   */
  sharedSlice<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const known = this.#waiting.get(key);
    if (known !== undefined) return known as Promise<Result>;
    const result = this.slice(() => {
      this.#waiting.delete(key);
      return work();
    });
    this.#waiting.set(key, result);
    return result;
  }

  /** Runs a slice in its turn. @throws what the slice throws */
  async slice<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#rested;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#rested = promise;
    await before;
    const sinceMs = this.#clock.monotonicMs();
    const cancel = this.#clock.after(TURN_MS_MAX, resolve);
    try {
      return await work();
    } finally {
      const tookMs = this.#clock.monotonicMs() - sinceMs;
      if (tookMs < TURN_MS_MAX) {
        cancel();
        this.#clock.after(Math.max(REST_MS_MIN, REST_SHARE * tookMs), resolve);
      }
    }
  }
}

/** In the place of a pacer for parts of a slice, which need no turn of their own. */
export const WITHIN_SLICE: Pick<Pacer, 'sharedSlice'> = { sharedSlice: (_key, work) => work() };
