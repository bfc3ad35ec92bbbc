import type { NanoUsd } from '../../domain/money.ts';
import type { LeaseFigures } from './lease-figures.ts';

const WINDOW_MS = 1_000;

/**
 * What a lease has recently been asked for, in windows of a second: the most that was held at once, and what was charged.
 * A process that has this much at hand need not draw while a request waits.
 */
export class Demand {
  readonly #figures: LeaseFigures;

  constructor(figures: LeaseFigures, monotonicMs: number) {
    this.#figures = figures;
    figures.windowSinceMs = monotonicMs;
  }

  held(now: NanoUsd, monotonicMs: number): void {
    this.#roll(monotonicMs);
    if (now > this.#figures.heldMost) this.#figures.heldMost = now;
  }

  charged(amount: NanoUsd): void {
    this.#figures.windowCharged += amount;
  }

  /** The most that holds took at once. */
  get peak(): NanoUsd {
    return more(this.#figures.heldMost, this.#figures.heldMostBefore);
  }

  /** What was charged in a second. */
  get rate(): NanoUsd {
    return more(this.#figures.windowCharged, this.#figures.windowChargedBefore);
  }

  #roll(monotonicMs: number): void {
    const figures = this.#figures;
    const elapsedMs = monotonicMs - figures.windowSinceMs;
    if (elapsedMs < WINDOW_MS) return;
    const isFresh = elapsedMs < 2 * WINDOW_MS;
    figures.heldMostBefore = isFresh ? figures.heldMost : 0n;
    figures.windowChargedBefore = isFresh ? figures.windowCharged : 0n;
    figures.heldMost = 0n;
    figures.windowCharged = 0n;
    figures.windowSinceMs = monotonicMs;
  }
}

function more(one: NanoUsd, other: NanoUsd): NanoUsd {
  return one > other ? one : other;
}
