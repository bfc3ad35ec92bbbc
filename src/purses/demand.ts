import type { NanoUsd } from '../domain/money.ts';

const WINDOW_MS = 1_000;

/**
 * What a lease has been asked for lately, in windows of a second: the most that was held at once, and what was charged.
 * A process that has this much at hand need not draw while a request waits.
 */
export class Demand {
  #sinceMs: number;
  #heldMost: NanoUsd = 0n;
  #heldMostBefore: NanoUsd = 0n;
  #charged: NanoUsd = 0n;
  #chargedBefore: NanoUsd = 0n;

  constructor(monotonicMs: number) {
    this.#sinceMs = monotonicMs;
  }

  held(now: NanoUsd, monotonicMs: number): void {
    this.#roll(monotonicMs);
    if (now > this.#heldMost) this.#heldMost = now;
  }

  charged(amount: NanoUsd): void {
    this.#charged += amount;
  }

  /** The most that holds took at once. */
  get peak(): NanoUsd {
    return this.#heldMost > this.#heldMostBefore ? this.#heldMost : this.#heldMostBefore;
  }

  /** What was charged in a second. */
  get rate(): NanoUsd {
    return this.#charged > this.#chargedBefore ? this.#charged : this.#chargedBefore;
  }

  #roll(monotonicMs: number): void {
    const elapsedMs = monotonicMs - this.#sinceMs;
    if (elapsedMs < WINDOW_MS) return;
    const isFresh = elapsedMs < 2 * WINDOW_MS;
    this.#heldMostBefore = isFresh ? this.#heldMost : 0n;
    this.#chargedBefore = isFresh ? this.#charged : 0n;
    this.#heldMost = 0n;
    this.#charged = 0n;
    this.#sinceMs = monotonicMs;
  }
}
