import { assert } from '../lib/assert.ts';
import type { NanoUsd } from '../domain/money.ts';
import type { Window } from '../domain/window.ts';
import { Demand } from './demand.ts';
import type { DrawReply, PurseName } from './purse-store.ts';

/** How many holds of the first amount a new lease is drawn for. */
const FIRST_AHEAD = 8n;
/** How long a process may have to spend without the database: an epoch's time-out by default. Seconds. */
const RESERVE_SECONDS = 30n;
/** A reserve is this part, at most, of what is left of a purse once this many times what is in use is set aside. */
const RESERVE_PART = 16n;
const IN_USE_SET_ASIDE = 8n;

/**
 * What this process may spend of one purse, in memory.
 *
 * - `granted`: all that was drawn less what went back; charges are inside it.
 * - `held`: reserved by open holds.
 * - `charged`: taken by closed holds, settled or not yet.
 * - slack = granted − held − charged: free to hold.
 *
 * A lease is *unknown* until its first draw is answered, then *open* (the purse has no limit, nothing bounds it) or
 * *closed* (holds must fit into the slack). Only draws change `granted` and which of the two it is, and one draw is
 * under way at a time. While it is, an open lease is closed and has no slack: whatever the answer says, what was held
 * and charged by then is all that the draw has told the database of.
 */
export class Lease {
  readonly name: PurseName;
  readonly window: Window;
  granted: NanoUsd = 0n;
  held: NanoUsd = 0n;
  charged: NanoUsd = 0n;
  lastHoldMs: number;
  /** When the last draw was answered. */
  lastDrawMs = Number.NEGATIVE_INFINITY;
  readonly #demand: Demand;
  /** What a lease without a history draws ahead. */
  #expected: NanoUsd = 0n;
  #seen: DrawReply | null = null;
  #open = false;
  #unsettled = 0;
  #sent = 0n;
  #answered = 0n;
  /** Slack that goes back with the draw under way: the purse has it again, though nobody has seen it there yet. */
  #returning: NanoUsd = 0n;
  /** What was charged when the last draw was sent, and when the last that was answered was. */
  #chargedWhenSent: NanoUsd = 0n;
  #chargedWhenSeen: NanoUsd = 0n;
  #reserveMost: NanoUsd = 0n;

  constructor(name: PurseName, monotonicMs: number) {
    this.name = name;
    this.window = { period: name.period, startMs: name.windowStartMs, endMs: name.windowEndMs };
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

  /** The number of the last draw that was sent. */
  get sent(): bigint {
    return this.#sent;
  }

  /** The number of the last draw that was answered: figures are younger than whatever came before it was sent. */
  get answered(): bigint {
    return this.#answered;
  }

  /** The number that the lease stands by in the database, as last heard. */
  get sequence(): bigint {
    return this.#seen?.sequence ?? 0n;
  }

  /** Whether the database knows all that there is to know of this lease, so that it may be closed for good. */
  get isQuiet(): boolean {
    return this.held === 0n && this.#unsettled === 0 && this.#sent === this.#answered;
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
    return this.limit === null ? null : (this.#seen?.available ?? 0n) + this.slack + this.#returning;
  }

  /**
   * What a hold could have got when last seen, if every other hold had closed for nothing; null where unlimited. Charges
   * of later on don't count: the limit may have grown meanwhile too.
   */
  get availableAtBest(): NanoUsd | null {
    return this.limit === null ? null : this.limit - (this.#seen?.spentByOthers ?? 0n) - this.#chargedWhenSeen;
  }

  fits(amount: NanoUsd): boolean {
    return this.#seen !== null && (this.#open || amount <= this.slack);
  }

  hold(amount: NanoUsd, monotonicMs: number): void {
    this.held += amount;
    this.lastHoldMs = monotonicMs;
    this.#demand.held(this.held, monotonicMs);
  }

  /** Ends a hold with a charge, which counts as unsettled until it is `settled` or `forgone`. */
  close(amount: NanoUsd, charge: NanoUsd): void {
    this.held -= amount;
    this.charged += charge;
    this.#unsettled += 1;
    this.#demand.charged(charge);
    assert(this.held >= 0n, 'a lease holds no less than nothing');
  }

  /** A charge is durable. */
  settled(): void {
    this.#unsettled -= 1;
  }

  /** A charge that was durable may have been lost, and is on its way again. */
  unsettled(): void {
    this.#unsettled += 1;
  }

  /** A charge was taken from elsewhere, or was refused by the database for good: this lease has it no longer. */
  forgone(charge: NanoUsd): void {
    this.#unsettled -= 1;
    this.charged -= charge;
  }

  /** Whether the lease should be drawn now, so that no request has to wait for it soon. */
  get runsLow(): boolean {
    if (this.#open || this.isDry) return false;
    const { peak, rate } = this.#demand;
    return this.held + this.slack < peak + rate / 2n + (this.#reserve * 3n) / 4n;
  }

  /** Prepares a lease without a history for holds of this amount. */
  expect(likely: NanoUsd): void {
    if (likely * FIRST_AHEAD > this.#expected) this.#expected = likely * FIRST_AHEAD;
  }

  /** What to draw beyond what is needed at once: up to a second of the recent demand, and a reserve. */
  get ahead(): NanoUsd {
    if (this.#seen === null) return this.#expected;
    const target = this.#demand.peak + this.#demand.rate + this.#reserve;
    const atHand = this.held + this.slack;
    return target > atHand ? target - atHand : 0n;
  }

  /**
   * Takes what a draw is about to give back out of memory: all slack if told so, and an open lease's freedom always,
   * because its purse may have got a limit.
   */
  beginDraw(sequence: bigint, giveBack: boolean): void {
    assert(sequence > this.#sent, 'the numbers of draws rise');
    this.#sent = sequence;
    this.#chargedWhenSent = this.charged;
    if (giveBack) this.#returning = this.slack;
    if (this.#open || giveBack) this.granted = this.held + this.charged;
    this.#open = false;
  }

  /** Takes over what the draw that is under way has answered. */
  learn(reply: DrawReply): void {
    this.#seen = reply;
    this.#returning = 0n;
    this.#answered = this.#sent;
    this.#chargedWhenSeen = this.#chargedWhenSent;
    this.#open = reply.open;
    this.granted = reply.granted;
    this.#reserveMost = this.#reserveFrom(reply);
    assert(this.slack >= 0n, 'a draw leaves what is held and charged');
  }

  /** What this process may go on with while the database is away. */
  get #reserve(): NanoUsd {
    const wanted = this.#demand.rate * RESERVE_SECONDS;
    return wanted < this.#reserveMost ? wanted : this.#reserveMost;
  }

  /** The largest reserve that turns no purse dry, however many processes have one. */
  #reserveFrom({ limit, available, spentByOthers }: DrawReply): NanoUsd {
    if (limit === null || available === null) return 0n;
    const inUse = limit - spentByOthers - this.#chargedWhenSeen - available;
    const spare = available - inUse * IN_USE_SET_ASIDE;
    return spare > 0n ? spare / RESERVE_PART : 0n;
  }
}
