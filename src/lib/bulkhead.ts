import type { Cancel, Clock } from './clock.ts';

/** All places are taken, and there is no time or room left to wait for one. */
export class BulkheadFull extends Error {
  override readonly name = 'BulkheadFull';
}

export interface BulkheadOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** How much work runs concurrently. */
  readonly places: number;
  /** How much of it may be long, so that short work soon finds a place. */
  readonly longPlaces: number;
  /** How much work may wait, and how long. */
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

interface Waiter {
  readonly isLong: boolean;
  readonly enter: () => void;
  readonly cancelTimer: Cancel;
}

/** Limits how much work of a kind runs concurrently, and how much of it waits. First come, first served, by kind. */
export class Bulkhead {
  readonly #options: BulkheadOptions;
  readonly #waiting: Waiter[] = [];
  #taken = 0;
  #takenByLong = 0;

  constructor(options: BulkheadOptions) {
    this.#options = options;
  }

  /** Runs the work once there is a place for it. @throws BulkheadFull, and what the work throws */
  async run<Result>(work: () => Promise<Result>, options: { readonly isLong?: boolean } = {}): Promise<Result> {
    const leave = await this.enter(options);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Takes a place, and returns a function that releases it. @throws BulkheadFull */
  async enter({ isLong = false }: { readonly isLong?: boolean } = {}): Promise<() => void> {
    if (!this.#fits(isLong)) await this.#wait(isLong);
    else this.#take(isLong);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.#leave(isLong);
    };
  }

  #fits(isLong: boolean): boolean {
    const { places, longPlaces } = this.#options;
    return this.#taken < places && (!isLong || this.#takenByLong < longPlaces);
  }

  #take(isLong: boolean): void {
    this.#taken += 1;
    if (isLong) this.#takenByLong += 1;
  }

  #wait(isLong: boolean): Promise<void> {
    const { clock, waitingMax, waitMsMax } = this.#options;
    if (this.#waiting.length >= waitingMax) throw new BulkheadFull('too much work waits already');
    return new Promise((resolve, reject) => {
      const cancelTimer = clock.after(waitMsMax, () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(new BulkheadFull(`no place was free for ${waitMsMax} ms`));
      });
      const waiter = { isLong, enter: resolve, cancelTimer };
      this.#waiting.push(waiter);
    });
  }

  #leave(isLong: boolean): void {
    this.#taken -= 1;
    if (isLong) this.#takenByLong -= 1;
    const at = this.#waiting.findIndex((waiter) => this.#fits(waiter.isLong));
    const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (next === undefined) return;
    next.cancelTimer();
    this.#take(next.isLong);
    next.enter();
  }
}
