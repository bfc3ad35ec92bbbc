/** How much work of a turn of the event loop all requests that node:http reads may take together. */
const TURN_US = 4_000;
/** Those that wait are begun one after the other, each with its own microtasks, as far as the time allows. */
const STEPS_MAX = 64;

/**
 * Shares the turns of the event loop among all connections that node:http reads: in each, some begin requests for a few
 * milliseconds, and the others wait for one of the next, in the order of their coming. One always may, so that all go on
 * however slow the machine is.
 */
export class TurnShare {
  readonly #waiting: (() => void)[] = [];
  /** Steps that are scheduled; 0: no turn has begun. */
  #planned = 0;
  #endUs = 0;

  /** Whether work may begin now; if not, `goOn` is called as soon as it may. */
  take(goOn: () => void): boolean {
    if (this.#planned === 0) {
      this.#endUs = workUs() + TURN_US;
      this.#plan();
      return true;
    }
    if (this.#waiting.length === 0 && workUs() < this.#endUs) return true;
    this.#waiting.push(goOn);
    return false;
  }

  #plan(): void {
    this.#planned = Math.max(1, Math.min(STEPS_MAX, this.#waiting.length));
    for (let step = 0; step < this.#planned; step++) setImmediate(this.#step, step === 0);
  }

  readonly #step = (isFirst: boolean): void => {
    const nowUs = workUs();
    if (isFirst) this.#endUs = nowUs + TURN_US;
    if (isFirst || nowUs < this.#endUs) this.#waiting.shift()?.();
    this.#planned -= 1;
    if (this.#planned === 0 && this.#waiting.length > 0) this.#plan();
  };
}

/** The time that this thread has worked: what others take of a busy machine is none of its turns' work. */
function workUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
