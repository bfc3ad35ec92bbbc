import type { NanoUsd } from '../../src/domain/money.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import { purseIdsOf } from './model-purses.ts';
import type { DrawReply, LeaseRelease } from '../../src/gate/purses/ports/database.ts';

/** What an epoch may charge to one purse. */
interface Bound {
  /** Charged by its leases that have been closed since. */
  closed: NanoUsd;
  /** The most that the present lease was ever granted. */
  granted: NanoUsd;
  charged: NanoUsd;
  /** Whether it has ever had a lease without a bound. */
  isOpen: boolean;
}

/**
 * What each epoch may charge, in time and late together: of no purse more than it was granted of it, whichever server
 * said so and whatever that server's successor knows of it. It also bounds what is written off, which is a part of that.
 */
export class LeaseBounds {
  readonly #bounds = new Map<string, Bound>();
  readonly #counted = new Map<string, Receipt>();

  drawn(epochId: bigint, replies: Iterable<DrawReply>): void {
    for (const { purseId, granted, open } of replies) {
      const bound = this.#boundOf(epochId, purseId);
      if (granted > bound.granted) bound.granted = granted;
      bound.isOpen ||= open;
    }
  }

  released(epochId: bigint, { purseId, charged }: LeaseRelease): void {
    const bound = this.#boundOf(epochId, purseId);
    bound.closed += charged;
    bound.granted = 0n;
  }

  /** Counts a receipt of an epoch with all that it came with, once; answers with what is wrong about it, if anything is. */
  settled(epochId: bigint, receipt: Receipt): string | null {
    if (this.#counted.has(receipt.requestId)) return null;
    this.#counted.set(receipt.requestId, receipt);
    let fault: string | null = null;
    for (const bound of this.#boundsOf(epochId, receipt)) {
      bound.charged += receipt.charge;
      if (!bound.isOpen && bound.charged > bound.closed + bound.granted)
        fault = 'an epoch charges more than it was granted';
    }
    return fault;
  }

  /**
   * A receipt whose claim is gone is charged to no lease of its epoch, which may spend that again. A former server may have
   * charged it to its leases; that is lost.
   */
  settledElsewhere(epochId: bigint, { requestId }: Receipt): void {
    const counted = this.#counted.get(requestId);
    if (counted === undefined) return;
    this.#counted.delete(requestId);
    for (const bound of this.#boundsOf(epochId, counted)) bound.charged -= counted.charge;
  }

  #boundsOf(epochId: bigint, receipt: Receipt): readonly Bound[] {
    return purseIdsOf(receipt).map((purseId) => this.#boundOf(epochId, purseId));
  }

  #boundOf(epochId: bigint, purseId: bigint): Bound {
    const key = `${epochId} ${purseId}`;
    let bound = this.#bounds.get(key);
    if (bound === undefined) {
      bound = { closed: 0n, granted: 0n, charged: 0n, isOpen: false };
      this.#bounds.set(key, bound);
    }
    return bound;
  }
}
