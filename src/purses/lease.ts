import { assert } from '../lib/assert.ts';
import type { NanoUsd } from '../domain/money.ts';
import { Demand } from './demand.ts';
import type { DrawReply, PurseName } from './purse-store.ts';

/** How many holds of the first amount a new lease is drawn for. */
const FIRST_AHEAD = 8n;

/**
 * What this process may spend of one purse, in memory.
 *
 * - `granted`: all that was drawn less what went back; charges are inside it.
 * - `held`: reserved by open holds.
 * - `charged`: taken by closed holds, settled or not yet.
 * - slack = granted − held − charged: free to hold.
 *
 * A lease is *unknown* until its first draw is answered, then *open* (the purse has no limit, nothing bounds it) or
 * *closed* (holds must fit into the slack). Only draws change `granted`, and one draw is under way at a time.
 */
export class Lease {
  readonly name: PurseName;
  granted: NanoUsd = 0n;
  held: NanoUsd = 0n;
  charged: NanoUsd = 0n;
  /** Receipts that have charged this lease and aren't settled yet. */
  unsettled = 0;
  sequence = 0n;
  lastHoldMs: number;
  /** Counts draw replies, so that a waiting hold knows whether it has been judged by fresh figures. */
  drawsAnswered = 0;
  readonly #demand: Demand;
  /** What a lease without a history draws ahead. */
  #expected: NanoUsd = 0n;
  #seen: DrawReply | null = null;
  #open = false;

  constructor(name: PurseName, monotonicMs: number) {
    this.name = name;
    this.lastHoldMs = monotonicMs;
    this.#demand = new Demand(monotonicMs);
  }

  /** The purse's id in the database. Known since the first draw, and so for every lease that a hold is on. */
  get purseId(): bigint {
    assert(this.#seen !== null, 'a lease has its purse once it has been drawn');
    return this.#seen.purseId;
  }

  get isKnown(): boolean {
    return this.#seen !== null;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  get isDry(): boolean {
    return this.#seen?.mode === 'dry';
  }

  get modeNumber(): bigint {
    return this.#seen?.modeNumber ?? 0n;
  }

  get slack(): NanoUsd {
    return this.#open ? 0n : this.granted - this.held - this.charged;
  }

  /** The purse's limit as last seen; null where it is unlimited. */
  get limit(): NanoUsd | null {
    return this.#seen?.limit ?? null;
  }

  /** All charges against the purse, by every process, as far as this one knows. */
  get used(): NanoUsd {
    return (this.#seen?.spentByOthers ?? 0n) + this.charged;
  }

  /** What a hold could get now at most, as last seen; null where unlimited. */
  get available(): NanoUsd | null {
    return this.limit === null ? null : (this.#seen?.available ?? 0n) + this.slack;
  }

  /** What a hold could get once every other hold has closed for nothing; null where unlimited. */
  get availableAtBest(): NanoUsd | null {
    return this.limit === null ? null : this.limit - this.used;
  }

  fits(amount: NanoUsd): boolean {
    return this.#seen !== null && (this.#open || amount <= this.slack);
  }

  hold(amount: NanoUsd, monotonicMs: number): void {
    this.held += amount;
    this.lastHoldMs = monotonicMs;
    this.#demand.held(this.held, monotonicMs);
  }

  close(amount: NanoUsd, charge: NanoUsd): void {
    this.held -= amount;
    this.charged += charge;
    this.#demand.charged(charge);
    assert(this.held >= 0n, 'a lease holds no less than nothing');
  }

  /** Whether the lease should be drawn now, so that no request has to wait for it soon. */
  get runsLow(): boolean {
    return !this.#open && !this.isDry && this.held + this.slack < this.#demand.peak + this.#demand.rate / 2n;
  }

  /** Prepares a lease without a history for holds of this amount. */
  expect(likely: NanoUsd): void {
    if (likely * FIRST_AHEAD > this.#expected) this.#expected = likely * FIRST_AHEAD;
  }

  /** What to draw beyond what is needed at once: up to a second of the recent demand. */
  get ahead(): NanoUsd {
    if (this.drawsAnswered === 0) return this.#expected;
    const target = this.#demand.peak + this.#demand.rate;
    const atHand = this.held + this.slack;
    return target > atHand ? target - atHand : 0n;
  }

  /** Takes a charge back that the database has refused for good. */
  forgoCharge(charge: NanoUsd): void {
    this.charged -= charge;
  }

  /** Takes slack out of memory ahead of its return. */
  giveUpSlack(): void {
    if (!this.#open) this.granted -= this.slack;
  }

  /** Turns an open lease into a closed one without slack, because its purse may have got a limit. */
  closeOpen(): void {
    if (!this.#open) return;
    this.#open = false;
    this.granted = this.held + this.charged;
  }

  /** Takes over what a draw has answered. */
  learn(reply: DrawReply): void {
    this.#seen = reply;
    this.drawsAnswered += 1;
    this.#open = reply.limit === null;
    this.granted = this.#open ? 0n : reply.granted;
  }
}
