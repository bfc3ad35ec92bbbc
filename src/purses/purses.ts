import type { Clock } from '../lib/clock.ts';
import type { NanoUsd } from '../domain/money.ts';
import type { Principal } from '../domain/principal.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { FailingLevel } from '../domain/refusals.ts';
import { windowAt } from '../domain/window.ts';
import { Draws } from './draws.ts';
import type { Epoch } from './epoch.ts';
import { Hold, type LeaseTriple } from './hold.ts';
import { Lease } from './lease.ts';
import type { PurseKind, PurseName, PurseStore } from './purse-store.ts';
import { Settlement } from './settlement.ts';
import { isBeyondReach, WaitingHolds } from './waiting-holds.ts';

const WAITERS_MAX = 1_000;
const SWEEP_MS = 1_000;
const IDLE_MS = 2_000;
const FORGET_MS = 600_000;
const RELEASES_PER_SWEEP = 500;
/** Idle slack smaller than this part of what its purse has left stays where it is. */
const MATERIAL_PART = 64n;

/** Why a hold could not be placed. */
export type HoldFailure =
  | {
      readonly kind: 'short';
      /** Only other requests' holds were in the way. */
      readonly transient: boolean;
      readonly levels: readonly FailingLevel[];
      /** What the tightest purse could cover now; nano-USD. */
      readonly available: NanoUsd;
    }
  | { readonly kind: 'unavailable' };

const LEVELS = {
  credit: { level: 'workspace', code: 'INSUFFICIENT_BALANCE' },
  project: { level: 'project', code: 'PROJECT_BUDGET_EXCEEDED' },
  key: { level: 'key', code: 'KEY_SPEND_LIMIT_EXCEEDED' },
} as const satisfies Record<PurseKind, Pick<FailingLevel, 'level' | 'code'>>;

interface CachedTriple extends LeaseTriple {
  readonly validUntilMs: number;
  /** The count of releases it was made at: a released lease is never used again. */
  readonly releases: number;
}

/** Least of the amounts; null stands for no limit. */
function least(amounts: readonly (NanoUsd | null)[]): NanoUsd | null {
  let low: NanoUsd | null = null;
  for (const amount of amounts) if (amount !== null && (low === null || amount < low)) low = amount;
  return low;
}

/**
 * The spending engine of one process: leases in memory, holds placed synchronously, draws and settlements batched.
 */
export class Purses {
  readonly #store: PurseStore;
  readonly #clock: Clock;
  readonly #epoch: Epoch;
  readonly #draws: Draws;
  readonly #waiting: WaitingHolds;
  readonly #settlement: Settlement;
  readonly #leases = new Map<string, Lease>();
  readonly #byPurse = new Map<bigint, Lease>();
  readonly #triples = new WeakMap<Principal, CachedTriple>();
  #releases = 0;
  #stopped = false;

  constructor(parts: {
    store: PurseStore;
    clock: Clock;
    epoch: Epoch;
    holdWaitMs: number;
    onFault: (fault: unknown) => void;
    onPoison: (receipt: Receipt, fault: unknown) => void;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#epoch = parts.epoch;
    const { store, clock, onFault, onPoison } = parts;
    const epochId = parts.epoch.id;
    this.#waiting = new WaitingHolds({
      clock,
      draw: (lease) => this.#draws.want(lease),
      isUnavailable: () => this.#draws.unavailableSinceMs !== null,
      waitMs: parts.holdWaitMs,
      most: WAITERS_MAX,
    });
    this.#draws = new Draws({
      store,
      clock,
      epochId,
      needsOf: (lease) => this.#waiting.needsOf(lease),
      onAnswered: (leases) => this.#learned(leases),
      onFault,
    });
    this.#settlement = new Settlement({ store, clock, epochId, onFault, onPoison });
    this.#sweepLater();
  }

  /** Receipts that aren't durable yet. */
  get unsettled(): number {
    return this.#settlement.backlog;
  }

  #leasesOf(principal: Principal): LeaseTriple {
    const nowMs = this.#clock.nowMs();
    const cached = this.#triples.get(principal);
    if (cached !== undefined && nowMs < cached.validUntilMs && cached.releases === this.#releases) return cached;
    const { workspaceId, projectId, keyId } = principal;
    const never = windowAt('never', nowMs);
    const budget = windowAt(principal.budgetPeriod, nowMs);
    const month = windowAt('month', nowMs);
    const lease = (kind: PurseKind, subjectId: string, window: typeof never): Lease =>
      this.#lease({
        workspaceId,
        kind,
        subjectId,
        period: window.period,
        windowStartMs: window.startMs,
        windowEndMs: window.endMs,
      });
    const triple: CachedTriple = {
      credit: lease('credit', workspaceId, never),
      project: lease('project', projectId, budget),
      key: lease('key', keyId, month),
      validUntilMs: Math.min(budget.endMs ?? Infinity, month.endMs ?? Infinity),
      releases: this.#releases,
    };
    this.#triples.set(principal, triple);
    return triple;
  }

  /** Whether this process has leases of all the caller's purses, so that `available` means something. */
  knows(principal: Principal): boolean {
    const leases = this.#leasesOf(principal);
    return leases.credit.isKnown && leases.project.isKnown && leases.key.isKnown;
  }

  /** Draws the leases that this process has never had, with enough for a few holds of the `likely` amount. */
  async acquaint(principal: Principal, likely: NanoUsd): Promise<HoldFailure | null> {
    if (this.knows(principal)) return null;
    const leases = this.#leasesOf(principal);
    for (const lease of [leases.credit, leases.project, leases.key]) lease.expect(likely);
    const end = await this.#waiting.wait(leases, 0n, () => undefined);
    return end === 'fits' ? null : { kind: 'unavailable' };
  }

  /** The least that the limited purses have for one more hold, as last seen; null where none is limited. */
  available(principal: Principal): NanoUsd | null {
    return this.#availableIn(this.#leasesOf(principal));
  }

  #availableIn(leases: LeaseTriple): NanoUsd | null {
    return least([leases.credit.available, leases.project.available, leases.key.available]);
  }

  /** Whether a hold could be placed from memory. */
  fits(principal: Principal, amount: NanoUsd): boolean {
    const leases = this.#leasesOf(principal);
    return this.#mayHold() && leases.credit.fits(amount) && leases.project.fits(amount) && leases.key.fits(amount);
  }

  /** Places a hold from memory, on all three leases or on none; null where it doesn't fit. */
  tryHold(principal: Principal, amount: NanoUsd): Hold | null {
    if (!this.fits(principal, amount)) return null;
    const leases = this.#leasesOf(principal);
    const hold = new Hold(leases, amount, this.#clock.monotonicMs(), this.#onClose);
    for (const lease of [leases.credit, leases.project, leases.key]) if (lease.runsLow) this.#draws.want(lease);
    return hold;
  }

  /** Places a hold, drawing and waiting for it as long as the money may still come free. */
  async hold(principal: Principal, amount: NanoUsd): Promise<Hold | HoldFailure> {
    const placed = this.tryHold(principal, amount);
    if (placed !== null) return placed;
    let hold: Hold | null = null;
    const failure = await this.#waitUntilFits(principal, amount, (leases) => {
      hold = new Hold(leases, amount, this.#clock.monotonicMs(), this.#onClose);
    });
    if (hold !== null) return hold;
    // Between the verdict and this line other holds may have closed.
    return this.tryHold(principal, amount) ?? failure ?? { kind: 'unavailable' };
  }

  /** Tells whether `hold` would place one, in the same way and after the same wait, but places none: null if it would. */
  async probe(principal: Principal, amount: NanoUsd): Promise<HoldFailure | null> {
    if (this.fits(principal, amount)) return null;
    const failure = await this.#waitUntilFits(principal, amount, () => undefined);
    return this.fits(principal, amount) ? null : failure;
  }

  /** Draws and waits until the amount fits, and calls `place` at that moment; or says why it doesn't. */
  async #waitUntilFits(
    principal: Principal,
    amount: NanoUsd,
    place: (leases: LeaseTriple) => void,
  ): Promise<HoldFailure | null> {
    if (!this.#mayHold()) return { kind: 'unavailable' };
    const leases = this.#leasesOf(principal);
    const end = await this.#waiting.wait(leases, amount, () => place(leases));
    if (end === 'fits') return null;
    return end === 'unavailable' || !this.#mayHold() ? { kind: 'unavailable' } : this.#shortage(leases, amount);
  }

  /** A purse's limit or mode has changed: its lease gives its slack back and learns how things stand. */
  purseChanged(purseId: bigint): void {
    const lease = this.#byPurse.get(purseId);
    if (lease !== undefined) this.#draws.want(lease, { giveBack: true });
  }

  /** Changes may have been missed: every lease learns anew how its purse stands. */
  everyPurseChanged(): void {
    for (const lease of this.#byPurse.values()) this.#draws.want(lease, { giveBack: true });
  }

  /** Settles what is left, gives every lease back and closes the epoch. No hold may be open any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#settlement.drained();
    await this.#draws.stop();
    await this.#store.endEpoch(this.#epoch.id);
  }

  #mayHold(): boolean {
    return !this.#stopped && this.#epoch.isLive;
  }

  #lease(name: PurseName): Lease {
    const id = `${name.kind} ${name.subjectId} ${name.period} ${name.windowStartMs}`;
    let lease = this.#leases.get(id);
    if (lease === undefined) {
      lease = new Lease(name, this.#clock.monotonicMs());
      this.#leases.set(id, lease);
    }
    return lease;
  }

  #learned(leases: readonly Lease[]): void {
    for (const lease of leases) if (lease.isKnown) this.#byPurse.set(lease.purseId, lease);
    this.#waiting.serveAll();
    for (const lease of leases) this.#giveBackIfDry(lease);
  }

  readonly #onClose = async (leases: LeaseTriple, receipt: Receipt): Promise<void> => {
    this.#waiting.serve(leases.credit);
    const three = [leases.credit, leases.project, leases.key];
    for (const lease of three) this.#giveBackIfDry(lease);
    try {
      await this.#settlement.settle(receipt);
    } catch (fault) {
      for (const lease of three) lease.forgoCharge(receipt.charge);
      throw fault;
    } finally {
      for (const lease of three) lease.unsettled -= 1;
    }
  };

  /** In a dry purse no process keeps what it doesn't need: another one may be waiting for it. */
  #giveBackIfDry(lease: Lease): void {
    if (lease.isDry && lease.slack > 0n) this.#draws.want(lease, { giveBack: true });
  }

  #shortage(leases: LeaseTriple, amount: NanoUsd): HoldFailure {
    const three = [leases.credit, leases.project, leases.key];
    // A lease without enough slack is no shortage where its purse, as last seen, has the rest.
    const lacking = three.filter((lease) => lease.available !== null && lease.available < amount);
    const short = lacking.length > 0 ? lacking : three.filter((lease) => !lease.fits(amount));
    return {
      kind: 'short',
      transient: !short.some((lease) => isBeyondReach(lease, amount)),
      levels: short.map((lease) => this.#failingLevel(lease)),
      available: this.#availableIn(leases) ?? 0n,
    };
  }

  #failingLevel(lease: Lease): FailingLevel {
    const limit = lease.limit ?? 0n;
    const held = limit - lease.used - (lease.available ?? 0n);
    return {
      ...LEVELS[lease.name.kind],
      limit,
      used: lease.used,
      held: held > 0n ? held : 0n,
      resetsAtMs: lease.name.windowEndMs,
    };
  }

  #sweepLater(): void {
    this.#clock.after(SWEEP_MS, () => {
      if (this.#stopped) return;
      this.#sweep();
      this.#sweepLater();
    });
  }

  /** Idle slack goes back, and leases that nobody needs any more are closed, so that memory and table stay bounded. */
  #sweep(): void {
    const monotonicMs = this.#clock.monotonicMs();
    const nowMs = this.#clock.nowMs();
    const done: Lease[] = [];
    const before = this.#leases.size;
    for (const [id, lease] of this.#leases) {
      const idleMs = monotonicMs - lease.lastHoldMs;
      if (idleMs < IDLE_MS || lease.held > 0n || lease.unsettled > 0 || this.#waiting.isAwaited(lease)) continue;
      const isOver = lease.name.windowEndMs !== null && lease.name.windowEndMs < nowMs;
      if (isOver || idleMs > FORGET_MS) {
        this.#leases.delete(id);
        if (lease.isKnown) done.push(lease);
      } else if (lease.slack > 0n && lease.slack * MATERIAL_PART > (lease.available ?? 0n)) {
        this.#draws.want(lease, { giveBack: true });
      }
      if (done.length === RELEASES_PER_SWEEP) break;
    }
    if (this.#leases.size < before) this.#releases += 1;
    for (const lease of done) this.#byPurse.delete(lease.purseId);
    if (done.length > 0) this.#draws.release(done);
  }
}
