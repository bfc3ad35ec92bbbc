import type { NanoUsd } from '../../src/domain/money.ts';
import { type ModelPurse, purseIdsOf, type Raise } from './model-purses.ts';
import { must } from './must.ts';
import type { SharedDatabase } from './shared-database.ts';

/** The part of what its purse has left that a lease keeps at most while nobody spends. */
const IDLE_PART = 32n;

/** By how much a limited purse exceeds its limit, and the limit of then. */
interface Excess {
  readonly excess: NanoUsd;
  readonly limit: NanoUsd | null;
  readonly raise: Raise | null;
  readonly isLoose: boolean;
}

/** What has to hold of the purses and leases in the database, at any time and in the end. */
export class Invariants {
  readonly #database: SharedDatabase;
  readonly #excess = new Map<bigint, Excess>();
  /** The latest that any clock has said; it may have gone back since. */
  #latestMs = 0;

  constructor(database: SharedDatabase) {
    this.#database = database;
  }

  /** Another server has taken over, and knows limits of before. */
  tookOver(): void {
    this.#excess.clear();
  }

  /** `nowMs`: the latest that any clock says now. */
  check(nowMs: number): void {
    const { model, isShaken } = this.#database;
    this.#latestMs = Math.max(this.#latestMs, nowMs);
    for (const purse of model.purses.values()) {
      let [charged, granted, open] = [0n, 0n, 0n];
      // What was lost with a server may have been leased to others before its holders ask to keep it.
      let isLoose = isShaken;
      for (const { lease } of model.leasesOf(purse.id)) {
        must(lease.open || lease.charged <= lease.granted, 'a lease is overdrawn');
        charged += lease.charged;
        granted += lease.granted;
        if (lease.open) open += lease.charged;
        isLoose ||= lease.open;
      }
      must(purse.leased === granted, 'leased is what closed leases have been granted');
      must(purse.spent + charged === (model.receiptsOf.get(purse.id) ?? 0n), 'spent is what receipts say');
      this.#checkExcess(purse, open, isLoose);
    }
  }

  /**
   * Whether any clock has been past the end of this window. A draw that takes effect after its lease was closed for that
   * leaves one that nobody knows of, though clocks may have gone back since.
   */
  wasOver(windowEndMs: number | null): boolean {
    return windowEndMs !== null && windowEndMs <= this.#latestMs;
  }

  /**
   * Nobody has anything open: of what may still be spent, little beside what its purse has left lies in leases. What was
   * a 64th of it when its process asked may be somewhat more, once others have spent, and any part after a late charge,
   * which is no process's draw. A look-up that takes effect late may leave a lease in a window that a clock has gone back
   * from; its process draws it again when that window begins.
   */
  checkIdle(): void {
    const { model, nowMs } = this.#database;
    const late = [...model.late.keys()].map((requestId) => model.receipts.get(requestId));
    const chargedLate = new Set(late.flatMap((receipt) => (receipt === undefined ? [] : purseIdsOf(receipt))));
    for (const purse of model.purses.values()) {
      const { id, name, spent, leased } = purse;
      const limit = model.limitNow(purse);
      if (limit === null || chargedLate.has(id)) continue;
      if (name.windowStartMs > nowMs || this.wasOver(name.windowEndMs)) continue;
      const left = limit - spent - leased;
      for (const { lease } of model.leasesOf(id)) {
        if (lease.open) continue;
        const idle = lease.granted - lease.charged;
        must(idle * IDLE_PART <= (left > 0n ? left : 0n) + idle, 'money lies idle');
      }
    }
  }

  /** All epochs have ended. */
  checkEnded(): void {
    const { model } = this.#database;
    for (const { id, leased, spent } of model.purses.values()) {
      must(model.leasesOf(id).length === 0 && leased === 0n, 'something is leased when all epochs have ended');
      must(spent === (model.receiptsOf.get(id) ?? 0n), 'spent is not what receipts say when all has ended');
    }
  }

  /** A purse exceeds its limit only after the limit has come down, and never by more than it has come down. */
  #checkExcess(purse: ModelPurse, openCharges: NanoUsd, isLoose: boolean): void {
    const { id, name, spent, leased, raise } = purse;
    const limit = this.#database.model.limitNow(purse);
    const before = this.#excess.get(id);
    const beyond = limit === null ? 0n : spent + leased + openCharges - limit;
    const excess = beyond > 0n ? beyond : 0n;
    this.#excess.set(id, { excess, limit, raise, isLoose });
    must(name.kind !== 'credit' || excess === 0n, 'credit below zero');
    if (this.wasOver(name.windowEndMs)) return;
    // What an open lease takes has no bound until it is closed.
    if (limit === null || before === undefined || before.limit === null || isLoose || before.isLoose) return;
    // A raise that was set since may have held until now.
    const set = raise === before.raise ? null : raise;
    const highest = set !== null && set.limit > before.limit ? set.limit : before.limit;
    const lowered = highest > limit ? highest - limit : 0n;
    must(excess <= before.excess + lowered, 'a limit is oversold');
  }
}
