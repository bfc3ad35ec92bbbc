import type { Clock } from '../../../lib/clock.ts';
import type { NanoUsd } from '../../../domain/money.ts';
import type { Principal } from '../../../domain/principal.ts';
import { windowAt } from '../../../domain/window.ts';
import { type HoldLeases, holdLeases } from './hold.ts';
import { BriefLeases, type SweepResult } from './brief-leases.ts';
import { DRAW_RULE } from './draw-rule.ts';
import { Lease } from './lease.ts';
import { LeaseFigureRows } from './lease-figures.ts';
import type { LeasesInUse, PurseName } from '../ports/database.ts';
import { briefNamesOf, purseKey, purseNamesOf } from './purse-names.ts';

/** Bounds the work of one sweep; the next one continues from there. */
const LEASES_PER_SWEEP = 2_000;
const RELEASES_PER_SWEEP = 500;
/** Bounds the size of a heartbeat. */
const LEASES_SAID_MAX = 1_000;

/** The time in which the leases of a caller may be used. Most callers share one. */
interface Validity {
  readonly validFromMs: number;
  readonly validUntilMs: number;
  /** The number of sweeps that had forgotten leases when it was made: a forgotten lease is never used again. */
  readonly forgetting: number;
}

interface CachedLeases extends HoldLeases {
  readonly validity: Validity;
}

/** Leases with brief ones, as long as the others are the same, and their windows go on, until the next sweep may forget some. */
interface ServedLeases {
  readonly base: HoldLeases;
  readonly sweeps: number;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly leases: HoldLeases;
}

/** The needs of waiting holds. */
export interface HoldNeeds {
  /** Whether any hold waits for this lease. */
  isAwaited(lease: Lease): boolean;
  /** The amounts of the holds that wait for this lease, oldest first. */
  needsOf(lease: Lease): readonly NanoUsd[];
  /** Whether a hold waits for figures of this lease's purse. */
  isAsked(lease: Lease): boolean;
}

/** The leases of one process: one for each purse of its callers. */
export class LeaseRegistry {
  readonly #clock: Clock;
  readonly #isNeeded: (lease: Lease) => boolean;
  readonly #byName = new Map<string, Lease>();
  readonly #byPurse = new Map<bigint, Lease>();
  readonly #ofCallers = new WeakMap<Principal, CachedLeases>();
  readonly #brief = new BriefLeases();
  readonly #ofServedCallers = new WeakMap<Principal, ServedLeases>();
  #sweeps = 0;
  readonly #figures = new LeaseFigureRows();
  /** Leases that may have slack worth giving back; removed when found idle without any. */
  readonly #active = new Set<Lease>();
  /** Leases with a hold placed since they were last found unused. */
  readonly #held = new Set<Lease>();
  #unswept: Iterator<[string, Lease]> | null = null;
  #forgetting = 0;
  #lastValidity: Validity | null = null;
  /** Leases of purses whose limits are raised for a time, with the ends of that; and the earliest of these. */
  readonly #raised = new Map<Lease, number>();
  #lapsesAtMs = Infinity;
  /**
   * Changes of purses that had no known lease here: by purse, the number of the last draw before the change arrived. A
   * draw that creates such a lease may be in progress, with a reply from before the change. Each entry is kept for one
   * to two sweeps, which outlasts that draw.
   */
  #changes = new Map<bigint, bigint>();
  #changesBefore = new Map<bigint, bigint>();

  readonly #onLapsed: (lease: Lease) => void;

  /**
   * `isNeeded`: whether a hold waits for this lease, or a draw of it is planned, so that it must be kept. `onLapsed`: called with a
   * lease whose slack may not be held, because the raise of its purse's limit has ended: it is to be given back.
   */
  constructor(clock: Clock, isNeeded: (lease: Lease) => boolean, onLapsed: (lease: Lease) => void = () => undefined) {
    this.#clock = clock;
    this.#isNeeded = isNeeded;
    this.#onLapsed = onLapsed;
  }

  /** The leases for the caller's requests at this time. */
  of(principal: Principal): HoldLeases {
    if (principal.served !== null) return this.#ofServed(principal, principal.served.caller);
    const nowMs = this.#clock.nowMs();
    this.#lapse(nowMs);
    const cached = this.#ofCallers.get(principal);
    if (cached !== undefined && this.#isValid(cached.validity, nowMs)) return cached;
    const names = purseNamesOf(principal, (period) => windowAt(period, nowMs));
    const leases = { ...holdLeases(names.map((name) => this.named(name))), validity: this.#validityOf(names) };
    this.#ofCallers.set(principal, leases);
    return leases;
  }

  /** Ends raises of limits whose time is up. Called before slack is given to a hold, so that none is placed by a limit that is over. */
  endRaises(): void {
    if (this.#lapsesAtMs < Infinity) this.#lapse(this.#clock.nowMs());
  }

  #lapse(nowMs: number): void {
    if (nowMs < this.#lapsesAtMs) return;
    const over: Lease[] = [];
    this.#lapsesAtMs = Infinity;
    for (const [lease, untilMs] of this.#raised) {
      if (untilMs <= nowMs) over.push(lease);
      else this.#lapsesAtMs = Math.min(this.#lapsesAtMs, untilMs);
    }
    for (const lease of over) this.#raised.delete(lease);
    for (const lease of over) lease.lapse();
    for (const lease of over) this.#onLapsed(lease);
  }

  #noteRaise(lease: Lease): void {
    const { raisedUntilMs: untilMs } = lease;
    if (untilMs === null) return void this.#raised.delete(lease);
    this.#raised.set(lease, untilMs);
    this.#lapsesAtMs = Math.min(this.#lapsesAtMs, untilMs);
  }

  /** Those of its caller, and brief ones behind them. */
  #ofServed(principal: Principal, caller: Principal): HoldLeases {
    const base = this.of(caller);
    const nowMs = this.#clock.nowMs();
    const known = this.#ofServedCallers.get(principal);
    if (known !== undefined && known.base === base && known.sweeps === this.#sweeps)
      if (known.fromMs <= nowMs && nowMs < known.untilMs) return known.leases;
    // Most windows are months, as the key's is.
    const { window: month } = base.key;
    const names = briefNamesOf(principal, (period) => (period === 'month' ? month : windowAt(period, nowMs)));
    const brief = names.map((name) => this.#brief.get(name) ?? this.#beginBrief(name));
    const leases = {
      ...base,
      all: [...base.all, ...brief],
      endUser: brief.find(({ name }) => name.kind === 'end_user') ?? null,
      session: brief.find(({ name }) => name.kind === 'session') ?? null,
    };
    const fromMs = Math.max(...names.map(({ windowStartMs }) => windowStartMs));
    const untilMs = Math.min(...names.map(({ windowEndMs }) => windowEndMs ?? Infinity));
    // A lease for which there was no room may have it soon.
    if (brief.every((lease) => this.keeps(lease)))
      this.#ofServedCallers.set(principal, { base, sweeps: this.#sweeps, fromMs, untilMs, leases });
    return leases;
  }

  /** The lease is kept if there is room for it; otherwise it is never drawn. */
  #beginBrief(name: PurseName): Lease {
    const lease = new Lease(name, this.#clock.monotonicMs(), this.#figures.next());
    this.#brief.add(lease);
    return lease;
  }

  /** Whether this lease is the one of its purse: one for which there was no room is not. */
  keeps(lease: Lease): boolean {
    return !lease.isBrief || this.#brief.get(lease.name) === lease;
  }

  #validityOf(names: readonly PurseName[]): Validity {
    const validFromMs = Math.max(...names.map(({ windowStartMs }) => windowStartMs));
    const validUntilMs = Math.min(...names.map(({ windowEndMs }) => windowEndMs ?? Infinity));
    const last = this.#lastValidity;
    const forgetting = this.#forgetting;
    const isSame = last?.validFromMs === validFromMs && last.validUntilMs === validUntilMs;
    if (isSame && last.forgetting === forgetting) return last;
    this.#lastValidity = { validFromMs, validUntilMs, forgetting };
    return this.#lastValidity;
  }

  /** The database's clock may go back, and with it the window. */
  #isValid({ validFromMs, validUntilMs, forgetting }: Validity, nowMs: number): boolean {
    return validFromMs <= nowMs && nowMs < validUntilMs && forgetting === this.#forgetting;
  }

  /** The lease of a purse, by the purse's id in the database. */
  ofPurse(purseId: bigint): Lease | undefined {
    return this.#byPurse.get(purseId);
  }

  /** All leases whose purses are known. */
  known(): Iterable<Lease> {
    return this.#byPurse.values();
  }

  /** Records the purse of a lease that has been drawn. */
  noteDrawn(lease: Lease): void {
    if (lease.hasPurse) this.#byPurse.set(lease.purseId, lease);
    if (!lease.isBrief) this.#active.add(lease);
    this.#noteRaise(lease);
    this.noteSent(lease);
  }

  /** Records that a draw of a lease was sent and may take effect late, so that the lease is kept until then. */
  noteSent(lease: Lease): void {
    lease.lastDrawMs = this.#clock.monotonicMs();
  }

  /** Records that a hold was placed on a lease. */
  noteHeld(lease: Lease): void {
    // There may be too many of brief purses to be said.
    if (!lease.isBrief) this.#held.add(lease);
  }

  /** Held and charged amounts of the leases in use. */
  inUse(): LeasesInUse {
    for (const lease of this.#held) if (!lease.isInUse) this.#held.delete(lease);
    if (this.#held.size > LEASES_SAID_MAX) return null;
    return new Map(Array.from(this.#held, (lease) => [lease.purseId, lease.held + lease.charged]));
  }

  /** Records that a hold on a lease has closed: only that and a draw add to its slack. */
  noteUsed(lease: Lease): void {
    if (!lease.isBrief && lease.hasMaterialSlack) this.#active.add(lease);
  }

  /** Records a change of a purse with no known lease; `lastSequence` is the number of the last draw so far. */
  noteChange(purseId: bigint, lastSequence: bigint): void {
    this.#changes.set(purseId, lastSequence);
  }

  /** Whether the purse of a new lease changed between the draw and its reply. Returns true once. */
  takeNewerChange(lease: Lease): boolean {
    if (!lease.hasPurse) return false;
    const { purseId, sent } = lease;
    const last = this.#changes.get(purseId) ?? this.#changesBefore.get(purseId);
    this.#changes.delete(purseId);
    this.#changesBefore.delete(purseId);
    return last !== undefined && sent <= last;
  }

  /** Finds idle slack, and forgets leases that nothing needs any more, so that memory and table stay bounded. */
  sweep(): SweepResult {
    this.#changesBefore = this.#changes;
    this.#changes = new Map();
    this.#sweeps += 1;
    // Those of brief purses all at a time, because as many may come as go.
    const brief = this.#brief.sweep(this.#clock.monotonicMs(), this.#isNeeded);
    for (const lease of brief.done) {
      this.#byPurse.delete(lease.purseId);
      this.#raised.delete(lease);
    }
    return { idle: [...this.#findIdle(), ...brief.idle], done: [...this.#forget(), ...brief.done] };
  }

  /** Only use or a draw changes whether slack is material, so a lease without any is skipped until then. */
  #findIdle(): readonly Lease[] {
    const monotonicMs = this.#clock.monotonicMs();
    const idle: Lease[] = [];
    for (const lease of this.#active) {
      if (monotonicMs - lease.lastHoldMs < DRAW_RULE.idleMs || this.#isNeeded(lease)) continue;
      // A lease may not have given back by the next sweep; then it is reported again.
      if (lease.hasMaterialSlack) idle.push(lease);
      else this.#active.delete(lease);
    }
    return idle;
  }

  #forget(): readonly Lease[] {
    const monotonicMs = this.#clock.monotonicMs();
    const nowMs = this.#clock.nowMs();
    const done: Lease[] = [];
    this.#unswept ??= this.#byName.entries();
    for (let swept = 0; swept < LEASES_PER_SWEEP && done.length < RELEASES_PER_SWEEP; swept++) {
      const next = this.#unswept.next();
      if (next.done === true) {
        this.#unswept = null;
        break;
      }
      const [id, lease] = next.value;
      // A draw may still take effect, late, and must find its lease.
      const idleMs = monotonicMs - Math.max(lease.lastHoldMs, lease.lastDrawMs);
      const isOver = lease.name.windowEndMs !== null && lease.name.windowEndMs < nowMs;
      if (idleMs < (isOver ? DRAW_RULE.idleMs : DRAW_RULE.forgetMs) || !this.forgetQuiet(lease, id)) continue;
      if (lease.isKnown) done.push(lease);
    }
    return done;
  }

  /** Forgets a lease, if it is quiet and nothing needs it. Returns whether it did. */
  forgetQuiet(lease: Lease, id = purseKey(lease.name)): boolean {
    if (!lease.isQuiet || this.#isNeeded(lease)) return false;
    if (lease.isBrief) {
      if (lease.isInDoubt) return false;
      this.#brief.forget(lease);
      // Callers find their brief leases once more after each sweep.
      this.#sweeps += 1;
    } else {
      this.#byName.delete(id);
    }
    this.#active.delete(lease);
    this.#held.delete(lease);
    this.#raised.delete(lease);
    this.#forgetting += 1;
    if (lease.isKnown) this.#byPurse.delete(lease.purseId);
    return true;
  }

  /** The lease of a purse, by the purse's name. */
  named(name: PurseName): Lease {
    const id = purseKey(name);
    let lease = this.#byName.get(id);
    if (lease === undefined) {
      lease = new Lease(name, this.#clock.monotonicMs(), this.#figures.next());
      this.#byName.set(id, lease);
    }
    return lease;
  }
}
