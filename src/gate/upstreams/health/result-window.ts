/** The window moves in this many steps. */
const SLOTS = 10;

/**
 * Counts recent results in slots of time, which are cleared as time passes: it needs no timer, and the same memory for
 * any number of results.
 */
export class ResultWindow {
  readonly #slotMs: number;
  readonly #good = new Uint32Array(SLOTS);
  readonly #bad = new Uint32Array(SLOTS);
  #goodCount = 0;
  #badCount = 0;
  /** The number of the slot that is counted in, from the clock's zero. */
  #slot = 0;

  constructor(windowMs: number) {
    this.#slotMs = windowMs / SLOTS;
  }

  /** Counts one result, at a time that never goes backwards. */
  add(isGood: boolean, nowMs: number): void {
    this.#moveTo(Math.floor(nowMs / this.#slotMs));
    const at = this.#slot % SLOTS;
    if (isGood) {
      this.#good[at] = (this.#good[at] ?? 0) + 1;
      this.#goodCount += 1;
    } else {
      this.#bad[at] = (this.#bad[at] ?? 0) + 1;
      this.#badCount += 1;
    }
  }

  /** The results within the window that ends at this time, which is not before the last one's. */
  at(nowMs: number): { readonly good: number; readonly bad: number } {
    this.#moveTo(Math.floor(nowMs / this.#slotMs));
    return { good: this.#goodCount, bad: this.#badCount };
  }

  /** All results that were counted within the window up to the last one. */
  get count(): number {
    return this.#goodCount + this.#badCount;
  }

  /** The share of failures: from 0 to 1, and 0 if there are no results. */
  get badRatio(): number {
    return this.count === 0 ? 0 : this.#badCount / this.count;
  }

  clear(): void {
    this.#good.fill(0);
    this.#bad.fill(0);
    this.#goodCount = 0;
    this.#badCount = 0;
  }

  #moveTo(slot: number): void {
    const steps = Math.min(slot - this.#slot, SLOTS);
    for (let step = 1; step <= steps; step++) {
      const at = (this.#slot + step) % SLOTS;
      this.#goodCount -= this.#good[at] ?? 0;
      this.#badCount -= this.#bad[at] ?? 0;
      this.#good[at] = 0;
      this.#bad[at] = 0;
    }
    if (steps > 0) this.#slot = slot;
  }
}
