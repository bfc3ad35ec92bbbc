import type { NumberRow } from '../../lib/number-rows.ts';
import type { NanoUsd } from '../../domain/money.ts';

const WINDOW_MS = 1_000;

/** Where a demand's numbers stand, from its first cell on. */
const SINCE_MS = 0;
const HELD_MOST = 1;
const HELD_MOST_BEFORE = 2;
const CHARGED = 3;
const CHARGED_BEFORE = 4;

/** How many cells of a row a demand takes. */
export const DEMAND_CELLS = 5;

/**
 * What a lease has been asked for lately, in windows of a second: the most that was held at once, and what was charged.
 * A process that has this much at hand need not draw while a request waits.
 */
export class Demand {
  readonly #row: NumberRow;
  readonly #first: number;

  constructor(row: NumberRow, first: number, monotonicMs: number) {
    this.#row = row;
    this.#first = first;
    row.setNumber(first + SINCE_MS, monotonicMs);
  }

  held(now: NanoUsd, monotonicMs: number): void {
    this.#roll(monotonicMs);
    if (now > this.#at(HELD_MOST)) this.#set(HELD_MOST, now);
  }

  charged(amount: NanoUsd): void {
    this.#set(CHARGED, this.#at(CHARGED) + amount);
  }

  /** The most that holds took at once. */
  get peak(): NanoUsd {
    return this.#more(HELD_MOST, HELD_MOST_BEFORE);
  }

  /** What was charged in a second. */
  get rate(): NanoUsd {
    return this.#more(CHARGED, CHARGED_BEFORE);
  }

  #more(one: number, other: number): NanoUsd {
    const amount = this.#at(one);
    const otherAmount = this.#at(other);
    return amount > otherAmount ? amount : otherAmount;
  }

  #roll(monotonicMs: number): void {
    const elapsedMs = monotonicMs - this.#row.numberAt(this.#first + SINCE_MS);
    if (elapsedMs < WINDOW_MS) return;
    const isFresh = elapsedMs < 2 * WINDOW_MS;
    this.#set(HELD_MOST_BEFORE, isFresh ? this.#at(HELD_MOST) : 0n);
    this.#set(CHARGED_BEFORE, isFresh ? this.#at(CHARGED) : 0n);
    this.#set(HELD_MOST, 0n);
    this.#set(CHARGED, 0n);
    this.#row.setNumber(this.#first + SINCE_MS, monotonicMs);
  }

  #at(cell: number): NanoUsd {
    return this.#row.bigintAt(this.#first + cell);
  }

  #set(cell: number, amount: NanoUsd): void {
    this.#row.setBigint(this.#first + cell, amount);
  }
}
