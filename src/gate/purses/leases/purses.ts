import type { NanoUsd } from '../../../domain/money.ts';
import type { Principal } from '../../../domain/principal.ts';
import type { FailingLevel } from '../../../domain/refusals.ts';
import type { Allocator } from './allocator.ts';
import { fitsInto, Hold, type HoldLeases, wouldFitInto } from './hold.ts';
import type { Lease } from './lease.ts';
import type { PurseKind } from '../ports/database.ts';

/** Why a hold could not be placed. */
export type HoldFailure =
  | {
      readonly kind: 'short';
      /** Whether only other requests' holds were in the way. */
      readonly transient: boolean;
      readonly levels: readonly FailingLevel[];
      /** What the tightest known purse could cover now; nano-USD. */
      readonly available: NanoUsd;
    }
  | { readonly kind: 'unavailable' };

const UNAVAILABLE: HoldFailure = { kind: 'unavailable' };

/** The purses as requests use them. Holds are placed synchronously while the leases in memory have the money. */
export class Purses {
  /** The epoch that holds are placed in. */
  readonly epochId: bigint;
  readonly #allocator: Allocator;

  constructor(epochId: bigint, allocator: Allocator) {
    this.epochId = epochId;
    this.#allocator = allocator;
  }

  /** Whether all leases of the caller are known, so that `available` is meaningful. */
  knows(principal: Principal): boolean {
    return this.#allocator.leasesOf(principal).all.every((lease) => lease.isKnown);
  }

  /** Draws the leases that this process has never drawn, with enough for a few holds of the `likely` amount. */
  async acquaint(principal: Principal, likely: NanoUsd): Promise<HoldFailure | null> {
    if (this.knows(principal)) return null;
    const leases = this.#allocator.leasesOf(principal);
    for (const lease of leases.all) lease.expect(likely);
    const end = await this.#allocator.wait({ leases, amount: 0n, places: false, isPatient: true });
    return end === 'fits' ? null : UNAVAILABLE;
  }

  /** The least that any limited purse has for one more hold, as last seen; null if none is limited. */
  available(principal: Principal): NanoUsd | null {
    return availableIn(this.#allocator.leasesOf(principal));
  }

  /** Whether a hold could be placed from memory, or needs only a draw from brief purses which have the money. */
  fits(principal: Principal, amount: NanoUsd): boolean {
    return this.#allocator.mayHold && wouldFitInto(this.#allocator.leasesOf(principal), amount);
  }

  /** Places a hold from memory, on all its leases or on none; null if it doesn't fit. */
  tryHold(principal: Principal, amount: NanoUsd): Hold | null {
    const leases = this.#allocator.leasesOf(principal);
    return this.#allocator.mayHold && fitsInto(leases, amount) ? this.#allocator.place(leases, amount) : null;
  }

  /**
   * Places a hold from memory, or else draws what the purses have left, without waiting for other holds; null if the
   * money isn't there now. A lease may be low while its purse is ample: no reason to hold less.
   */
  async drawHold(principal: Principal, amount: NanoUsd): Promise<Hold | null> {
    const placed = this.tryHold(principal, amount);
    if (placed !== null) return placed;
    const end = await this.#drawNow(principal, amount, { places: true });
    return end instanceof Hold ? end : null;
  }

  /** Whether `drawHold` would place a hold; places none. */
  async drawProbe(principal: Principal, amount: NanoUsd): Promise<boolean> {
    return this.fits(principal, amount) || (await this.#drawNow(principal, amount, { places: false })) === 'fits';
  }

  /** Places a hold; draws and waits as long as the money may still come free. */
  async hold(principal: Principal, amount: NanoUsd): Promise<Hold | HoldFailure> {
    const placed = this.tryHold(principal, amount);
    if (placed !== null) return placed;
    const end = await this.#waitUntilFits(principal, amount, { places: true });
    if (end instanceof Hold) return end;
    // Other holds may have closed since the wait ended.
    return this.tryHold(principal, amount) ?? end ?? UNAVAILABLE;
  }

  /** Null if `hold` would place one, after the same wait; places none. */
  async probe(principal: Principal, amount: NanoUsd): Promise<HoldFailure | null> {
    if (this.fits(principal, amount)) return null;
    const end = await this.#waitUntilFits(principal, amount, { places: false });
    return end instanceof Hold ? null : end;
  }

  /**
   * Why no hold of this amount can be placed, even if all other holds close; null if one may be, or if it isn't known.
   * Draws unless the amount fits in memory.
   */
  async lacks(principal: Principal, amount: NanoUsd): Promise<HoldFailure | null> {
    if (this.fits(principal, amount)) return null;
    const leases = this.#allocator.leasesOf(principal);
    if ((await this.#drawNow(principal, amount, { places: false })) !== 'final' || isShut(leases)) return null;
    const now = this.#allocator.leasesOf(principal).all;
    // A window that began since has money of its own.
    return leases.all.every((lease, index) => lease === now[index]) ? shortageOf(leases, amount, false) : null;
  }

  /** A purse's limit or mode has changed: its lease gives its slack back and is drawn again. */
  purseChanged(purseId: bigint): void {
    this.#allocator.purseChanged(purseId);
  }

  /** Changes may have been missed: every lease is drawn again. */
  everyPurseChanged(): void {
    this.#allocator.everyPurseChanged();
  }

  async #drawNow(principal: Principal, amount: NanoUsd, { places }: { places: boolean }): Promise<unknown> {
    if (!this.#allocator.mayHold || this.#allocator.isUnavailable) return null;
    const leases = this.#allocator.leasesOf(principal);
    const end = await this.#allocator.wait({ leases, amount, places, isPatient: false });
    this.#allocator.giveBackWhereDry(leases.all);
    return end;
  }

  /** Draws and waits. Returns the hold, null if it fits and none was to be placed, or the failure. */
  async #waitUntilFits(
    principal: Principal,
    amount: NanoUsd,
    { places }: { places: boolean },
  ): Promise<Hold | HoldFailure | null> {
    for (;;) {
      if (!this.#allocator.mayHold) return UNAVAILABLE;
      const leases = this.#allocator.leasesOf(principal);
      const end = await this.#allocator.wait({ leases, amount, places, isPatient: true });
      if (end instanceof Hold) return end;
      if (end === 'fits') return null;
      this.#allocator.giveBackWhereDry(leases.all);
      if (end === 'unavailable' || !this.#allocator.mayHold || isShut(leases)) return UNAVAILABLE;
      const now = this.#allocator.leasesOf(principal).all;
      // A window that began since has money of its own.
      if (leases.all.every((lease, index) => lease === now[index])) {
        return shortageOf(leases, amount, end !== 'final');
      }
    }
  }
}

const LEVELS = {
  credit: { level: 'workspace', code: 'INSUFFICIENT_BALANCE' },
  project: { level: 'project', code: 'PROJECT_BUDGET_EXCEEDED' },
  member: { level: 'member', code: 'MEMBER_SPEND_LIMIT_EXCEEDED' },
  key: { level: 'key', code: 'KEY_SPEND_LIMIT_EXCEEDED' },
  end_user: { level: 'end_user', code: 'END_USER_LIMIT_EXCEEDED' },
  session: { level: 'session', code: 'SESSION_LIMIT_EXCEEDED' },
} as const satisfies Record<PurseKind, Pick<FailingLevel, 'level' | 'code'>>;

/** Whether the workspace moves to another cell. One of its leases may learn it before the others do. */
function isShut({ all }: HoldLeases): boolean {
  return all.some((lease) => lease.isShut);
}

/** The least that any limited purse of these has for one more hold, as last seen; null if none is limited. */
function availableIn(leases: HoldLeases): NanoUsd | null {
  let least: NanoUsd | null = null;
  for (const { available } of leases.all) {
    if (available !== null && (least === null || available < least)) least = available;
  }
  return least;
}

/** Names every purse known to lack the amount. A purse that was never seen is not judged, and excuses no other. */
function shortageOf(leases: HoldLeases, amount: NanoUsd, transient: boolean): HoldFailure {
  const { all } = leases;
  const lacking = all.filter((lease) => lease.available !== null && lease.available < amount);
  if (lacking.length === 0 && !all.every((lease) => lease.isKnown)) return { kind: 'unavailable' };
  // A lease without enough slack is not short if its purse, as last seen, has the rest.
  const short = lacking.length > 0 ? lacking : all.filter((lease) => !lease.fits(amount));
  const available = availableIn(leases) ?? 0n;
  return {
    kind: 'short',
    transient,
    levels: short.map(failingLevel),
    available: available > 0n ? available : 0n,
  };
}

function failingLevel(lease: Lease): FailingLevel {
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
