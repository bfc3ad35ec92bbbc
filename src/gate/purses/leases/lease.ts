import { assert } from '../../../lib/assert.ts';
import type { NanoUsd } from '../../../domain/money.ts';
import type { Window } from '../../../domain/window.ts';
import {
  firstAhead,
  isMaterial,
  largestReserve,
  type LeaseNeeds,
  refillBelow,
  refillTo,
  reserveAt,
} from './draw-rule.ts';
import { Demand, type LeaseFigures } from './lease-figures.ts';
import { type DrawReply, isBriefKind, NO_ROW, type PurseName } from '../ports/database.ts';

/**
 * What this process may spend of one purse, in memory.
 *
 * - `granted`: total drawn less total given back; includes charges.
 * - `held`: reserved by open holds.
 * - `charged`: taken by closed holds, settled or not yet.
 * - slack = granted − held − charged: available to holds.
 *
 * A lease is *unknown* until its first draw is answered, then *open* (the purse has no limit, nothing bounds it) or
 * *closed* (holds must fit into the slack). Only draws change `granted` and which of the two it is, and at most one
 * draw is in progress. During a draw, an open lease is closed and has no slack: whatever the reply says, nothing is
 * held or charged beyond what the draw has reported to the database.
 */
export class Lease {
  readonly name: PurseName;
  readonly window: Window;
  /** Whether its purse is one of very many: nothing is drawn ahead for it beyond a second's demand, nor before all else that a hold needs. */
  readonly isBrief: boolean;
  /** Whether a draw of it may still take effect, though it was answered: it was sent more than once. */
  isInDoubt = false;
  /** When the last draw was answered. */
  lastDrawMs = Number.NEGATIVE_INFINITY;
  /** The figures that change with each request. */
  readonly #figures: LeaseFigures;
  readonly #demand: Demand;
  /** What a lease without a history draws ahead of need. */
  #expected: NanoUsd = 0n;
  #seen: DrawReply | null = null;
  /** Copied from `#seen` because every request reads both: saves a pointer dereference. */
  #isDry = false;
  #isShut = false;
  #isLimited = false;
  #open = false;
  #unsettled = 0;
  #sent = 0n;
  #answered = 0n;
  /** `charged` when the last draw was sent, and when the last answered draw was sent. */
  #chargedWhenSent: NanoUsd = 0n;
  #chargedWhenSeen: NanoUsd = 0n;
  /** Whether a raise of the limit has ended since the last reply. */
  #hasLapsed = false;
  /** Whether more is spent and leased than the limit allows, as last seen, or may be since a raise of it has ended. */
  #isBeyond = false;

  /** @param figures all zero, for this lease alone */
  constructor(name: PurseName, monotonicMs: number, figures: LeaseFigures) {
    this.name = name;
    this.window = { period: name.period, startMs: name.windowStartMs, endMs: name.windowEndMs };
    this.isBrief = isBriefKind(name.kind);
    this.#figures = figures;
    this.#demand = new Demand(figures, monotonicMs);
    figures.lastHoldMs = monotonicMs;
  }

  get granted(): NanoUsd {
    return this.#figures.granted;
  }

  get held(): NanoUsd {
    return this.#figures.held;
  }

  get charged(): NanoUsd {
    return this.#figures.charged;
  }

  /** Time of the last hold. */
  get lastHoldMs(): number {
    return this.#figures.lastHoldMs;
  }

  /** The purse's id in the database. Known since the first draw, and so for every lease with a hold. */
  get purseId(): bigint {
    assert(this.hasPurse, 'a lease has its purse once it has been drawn');
    return this.#figures.purseId;
  }

  get isKnown(): boolean {
    return this.#seen !== null;
  }

  /** Whether its purse is in the database: all are that were drawn from, but a brief one is not before it has granted anything. */
  get hasPurse(): boolean {
    return this.#seen !== null && this.#seen.purseId !== NO_ROW;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  get isDry(): boolean {
    return this.#isDry;
  }

  /** Whether its purse grants nothing more, as last seen: the lease is to go back as soon as it is quiet. */
  get isShut(): boolean {
    return this.#isShut;
  }

  /** The number of the last draw that was sent. */
  get sent(): bigint {
    return this.#sent;
  }

  /** The number of the last draw that was answered: its figures are newer than anything from before it was sent. */
  get answered(): bigint {
    return this.#answered;
  }

  /** The number of the lease's last draw in the database, as last seen. */
  get sequence(): bigint {
    return this.#seen?.sequence ?? 0n;
  }

  /** Whether it has open holds, or charges that the database has not settled yet. */
  get isInUse(): boolean {
    return this.held > 0n || this.#unsettled > 0;
  }

  /** Whether the database knows everything about this lease, so that it may be closed for good. */
  get isQuiet(): boolean {
    return !this.isInUse && this.#sent === this.#answered;
  }

  get slack(): NanoUsd {
    return this.#open ? 0n : this.granted - this.held - this.charged;
  }

  /** The purse's limit as last seen; null if unlimited. */
  get limit(): NanoUsd | null {
    return this.#seen?.limit ?? null;
  }

  /** Until when the limit is raised, as last seen, by the database's clock; null if it isn't. */
  get raisedUntilMs(): number | null {
    return this.#seen?.raisedUntilMs ?? null;
  }

  /** All charges against the purse, by every process, as far as this one knows. */
  get used(): NanoUsd {
    return (this.#seen?.spentByOthers ?? 0n) + this.charged;
  }

  /** The largest hold that could be placed now, as last seen; null if unlimited. */
  get available(): NanoUsd | null {
    return this.#isLimited ? this.#figures.availableBeside + this.slack : null;
  }

  /**
   * The largest hold that could have been placed when last seen if every other hold had closed without a charge; null
   * if unlimited. Later charges don't count, because the limit may have grown too.
   */
  get availableAtBest(): NanoUsd | null {
    return this.limit === null ? null : this.limit - (this.#seen?.spentByOthers ?? 0n) - this.#chargedWhenSeen;
  }

  fits(amount: NanoUsd): boolean {
    if (this.#seen === null || this.#isShut) return false;
    return this.#open || (amount <= this.slack && (!this.#isBeyond || this.#fitsBeyond(amount)));
  }

  /** Slack that holds leave is not held again as long as the purse is beyond its limit, which has come down. */
  #fitsBeyond(amount: NanoUsd): boolean {
    if (amount === 0n) return true;
    return !this.#hasLapsed && amount <= this.slack + this.#figures.availableBeside;
  }

  /** Whether the purse, as last seen, has as much for a hold. */
  promises(amount: NanoUsd): boolean {
    const { available } = this;
    return this.#seen !== null && (available === null || amount <= available);
  }

  hold(amount: NanoUsd, monotonicMs: number): void {
    const held = this.held + amount;
    this.#figures.held = held;
    this.#figures.lastHoldMs = monotonicMs;
    this.#demand.held(held, monotonicMs);
  }

  /** Ends a hold with a charge, which counts as unsettled until it is `settled`. */
  close(amount: NanoUsd, charge: NanoUsd): void {
    const held = this.held - amount;
    this.#figures.held = held;
    this.#figures.charged = this.charged + charge;
    this.#unsettled += 1;
    this.#demand.charged(charge);
    assert(held >= 0n, 'a lease holds no less than nothing');
  }

  /** The database has settled a charge, from this lease or elsewhere, or has refused it for good. */
  settled(): void {
    this.#unsettled -= 1;
  }

  /** A settled charge may have been lost, and is sent again. */
  unsettled(): void {
    this.#unsettled += 1;
  }

  /**
   * A charge is taken from elsewhere, or the database has refused it for good, so it leaves this lease. The draw in
   * progress may count it as spent by others, so its reply must not count it a second time.
   */
  forgone(charge: NanoUsd): void {
    this.#figures.charged = this.charged - charge;
    this.#chargedWhenSent -= charge;
  }

  /** Whether its slack, if unneeded here, is worth giving back. Only holds, charges and draws change it. */
  get hasMaterialSlack(): boolean {
    return isMaterial(this.slack, this.available);
  }

  /** Whether the lease should be drawn now, so that no request has to wait for it soon. */
  get runsLow(): boolean {
    if (this.#open || this.isDry) return false;
    return this.held + this.slack < refillBelow(this.#needs);
  }

  /** Prepares a lease without a history for holds of this amount. */
  expect(likely: NanoUsd): void {
    if (this.isBrief) return;
    const ahead = firstAhead(likely);
    if (ahead > this.#expected) this.#expected = ahead;
  }

  /** What to draw in addition to the needs of waiting holds: up to a second of recent demand, and a reserve. */
  get ahead(): NanoUsd {
    if (this.#seen === null) return this.#expected;
    const target = refillTo(this.#needs);
    const atHand = this.held + this.slack;
    return target > atHand ? target - atHand : 0n;
  }

  /**
   * Removes from memory what a draw is about to give back: all slack if `giveBack`, and always the freedom of an open
   * lease, because its purse may have got a limit.
   */
  beginDraw(sequence: bigint, giveBack: boolean): void {
    assert(sequence > this.#sent, 'the numbers of draws rise');
    this.#sent = sequence;
    this.#chargedWhenSent = this.charged;
    if (giveBack) this.#figures.availableBeside = (this.#seen?.available ?? 0n) + this.slack;
    if (this.#open || giveBack) this.#figures.granted = this.held + this.charged;
    this.#open = false;
  }

  /** The raise of the limit has ended: the slack was granted by a limit that is over, and nothing is held of it. */
  lapse(): void {
    this.#hasLapsed = true;
    this.#isBeyond = true;
  }

  /** Applies the reply to the draw in progress. */
  learn(reply: DrawReply): void {
    this.#seen = reply;
    this.#isDry = reply.mode !== 'wet';
    this.#isShut = reply.mode === 'shut';
    this.#isLimited = reply.limit !== null;
    this.#figures.purseId = reply.purseId;
    this.#figures.availableBeside = reply.available ?? 0n;
    this.#answered = this.#sent;
    this.#chargedWhenSeen = this.#chargedWhenSent;
    this.#open = reply.open;
    this.#figures.granted = reply.granted;
    this.#figures.reserveMost = this.isBrief ? 0n : largestReserve(reply, this.#chargedWhenSeen);
    assert(this.slack >= 0n, 'a draw leaves what is held and charged');
    this.#hasLapsed = false;
    this.#isBeyond = this.#figures.availableBeside < 0n;
  }

  get #needs(): LeaseNeeds {
    const { peak, rate } = this.#demand;
    return { peak, rate, reserve: reserveAt(rate, this.#figures.reserveMost) };
  }
}
