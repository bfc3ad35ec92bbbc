import type { NanoUsd } from '../../../domain/money.ts';
import { type NumberRow, NumberRows } from '../../../lib/number-rows.ts';

/** Positions of the figures in their row. */
const GRANTED = 0;
const HELD = 1;
const CHARGED = 2;
const AVAILABLE_BESIDE = 3;
const RESERVE_MOST = 4;
const PURSE_ID = 5;
const LAST_HOLD_MS = 6;
const WINDOW_SINCE_MS = 7;
const HELD_MOST = 8;
const HELD_MOST_BEFORE = 9;
const WINDOW_CHARGED = 10;
const WINDOW_CHARGED_BEFORE = 11;
const CELLS = 12;

/** The figures of a lease that change with each request: numbers outside of the heap, each behind its name. */
export class LeaseFigures {
  readonly #row: NumberRow;

  constructor(row: NumberRow) {
    this.#row = row;
  }

  /** Total drawn less total given back; includes charges. */
  get granted(): NanoUsd {
    return this.#row.bigintAt(GRANTED);
  }

  set granted(amount: NanoUsd) {
    this.#row.setBigint(GRANTED, amount);
  }

  /** Reserved by open holds. */
  get held(): NanoUsd {
    return this.#row.bigintAt(HELD);
  }

  set held(amount: NanoUsd) {
    this.#row.setBigint(HELD, amount);
  }

  /** Taken by closed holds, settled or not yet. */
  get charged(): NanoUsd {
    return this.#row.bigintAt(CHARGED);
  }

  set charged(amount: NanoUsd) {
    this.#row.setBigint(CHARGED, amount);
  }

  /** What the purse has in addition to this lease, slack on its way back included: no reply shows that yet. */
  get availableBeside(): NanoUsd {
    return this.#row.bigintAt(AVAILABLE_BESIDE);
  }

  set availableBeside(amount: NanoUsd) {
    this.#row.setBigint(AVAILABLE_BESIDE, amount);
  }

  /** The largest reserve, as of the last draw. */
  get reserveMost(): NanoUsd {
    return this.#row.bigintAt(RESERVE_MOST);
  }

  set reserveMost(amount: NanoUsd) {
    this.#row.setBigint(RESERVE_MOST, amount);
  }

  /** The purse's id in the database. */
  get purseId(): bigint {
    return this.#row.bigintAt(PURSE_ID);
  }

  set purseId(id: bigint) {
    this.#row.setBigint(PURSE_ID, id);
  }

  /** Time of the last hold. */
  get lastHoldMs(): number {
    return this.#row.numberAt(LAST_HOLD_MS);
  }

  set lastHoldMs(ms: number) {
    this.#row.setNumber(LAST_HOLD_MS, ms);
  }

  /** When the window of the demand began. */
  get windowSinceMs(): number {
    return this.#row.numberAt(WINDOW_SINCE_MS);
  }

  set windowSinceMs(ms: number) {
    this.#row.setNumber(WINDOW_SINCE_MS, ms);
  }

  /** The largest total held at any moment of this window, and of the previous one. */
  get heldMost(): NanoUsd {
    return this.#row.bigintAt(HELD_MOST);
  }

  set heldMost(amount: NanoUsd) {
    this.#row.setBigint(HELD_MOST, amount);
  }

  get heldMostBefore(): NanoUsd {
    return this.#row.bigintAt(HELD_MOST_BEFORE);
  }

  set heldMostBefore(amount: NanoUsd) {
    this.#row.setBigint(HELD_MOST_BEFORE, amount);
  }

  /** Total charged in this window, and in the previous one. */
  get windowCharged(): NanoUsd {
    return this.#row.bigintAt(WINDOW_CHARGED);
  }

  set windowCharged(amount: NanoUsd) {
    this.#row.setBigint(WINDOW_CHARGED, amount);
  }

  get windowChargedBefore(): NanoUsd {
    return this.#row.bigintAt(WINDOW_CHARGED_BEFORE);
  }

  set windowChargedBefore(amount: NanoUsd) {
    this.#row.setBigint(WINDOW_CHARGED_BEFORE, amount);
  }
}

/** Makes the figures of leases, all zero. Neighbouring rows share memory, which is freed with the last of them. */
export class LeaseFigureRows {
  readonly #rows = new NumberRows(CELLS);

  next(): LeaseFigures {
    return new LeaseFigures(this.#rows.next());
  }
}

const WINDOW_MS = 1_000;

/**
 * A lease's recent demand, in windows of a second: the largest total held at any moment, and the total charged. A
 * process with this much at hand need not draw while a request waits.
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

  /** The largest total held. */
  get peak(): NanoUsd {
    return more(this.#figures.heldMost, this.#figures.heldMostBefore);
  }

  /** The total charged in a second. */
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
