import { assert } from '../../../lib/assert.ts';
import type { NanoUsd } from '../../../domain/money.ts';
import type { Receipt } from '../../../domain/receipt.ts';
import type { ChargeOwner } from '../settlement/kept-receipts.ts';
import type { SettlementEnd } from '../settlement/receipt-batches.ts';
import type { Lease } from './lease.ts';

/** The three leases of one request: its workspace's credit, its project's window, its key's month. */
export interface LeaseTriple {
  readonly credit: Lease;
  readonly project: Lease;
  readonly key: Lease;
}

/** The three of a triple, in the order in which refusals name them. */
export function leasesIn({ credit, project, key }: LeaseTriple): readonly [Lease, Lease, Lease] {
  return [credit, project, key];
}

/** Whether a hold of this amount could be placed now. */
export function fitsInto({ credit, project, key }: LeaseTriple, amount: NanoUsd): boolean {
  return credit.fits(amount) && project.fits(amount) && key.fits(amount);
}

/** A receipt without the purses, which the hold adds. */
export type ReceiptDraft = Omit<
  Receipt,
  'creditPurseId' | 'projectPurseId' | 'keyPurseId' | 'projectWindow' | 'keyWindow' | 'hold'
>;

/** The allocator, as a hold sees it. */
export interface HoldOwner {
  /** The hold has closed with this receipt. Resolves once the charge is durable. */
  closed(leases: LeaseTriple, receipt: Receipt, answer: Buffer | null): Promise<void>;
  /** Slack of these leases was freed. */
  freed(leases: LeaseTriple): void;
}

/** A request's reservation in three leases. It must be closed exactly once, on every exit. */
export class Hold {
  readonly amount: NanoUsd;
  readonly #leases: LeaseTriple;
  readonly #owner: HoldOwner;
  #closed = false;

  /** Takes the amount out of the slack of all three leases, which must have it. */
  constructor(leases: LeaseTriple, amount: NanoUsd, monotonicMs: number, owner: HoldOwner) {
    this.amount = amount;
    this.#leases = leases;
    this.#owner = owner;
    assert(fitsInto(leases, amount), 'a hold is placed only where it fits');
    leases.credit.hold(amount, monotonicMs);
    leases.project.hold(amount, monotonicMs);
    leases.key.hold(amount, monotonicMs);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Charges the receipt's amount, frees the rest, and resolves once the receipt is durable, with the answer if any. */
  close(draft: ReceiptDraft, answer: Buffer | null = null): Promise<void> {
    assert(!this.#closed, 'a hold closes once');
    assert(draft.charge >= 0n && draft.charge <= this.amount, 'a charge is within its hold');
    this.#closed = true;
    const { credit, project, key } = this.#leases;
    credit.close(this.amount, draft.charge);
    project.close(this.amount, draft.charge);
    key.close(this.amount, draft.charge);
    const receipt: Receipt = {
      ...draft,
      hold: this.amount,
      creditPurseId: credit.purseId,
      projectPurseId: project.purseId,
      keyPurseId: key.purseId,
      projectWindow: project.window,
      keyWindow: key.window,
    };
    return this.#owner.closed(this.#leases, receipt, answer);
  }
}

/** A closed hold's charge, which its leases carry until the database has taken it. */
export class LeasedCharge implements ChargeOwner {
  readonly #leases: LeaseTriple;
  readonly #amount: NanoUsd;
  readonly #owner: HoldOwner;
  #isInLeases = true;

  constructor(leases: LeaseTriple, amount: NanoUsd, owner: HoldOwner) {
    this.#leases = leases;
    this.#amount = amount;
    this.#owner = owner;
  }

  leaves(): void {
    if (!this.#isInLeases) return;
    this.#isInLeases = false;
    for (const lease of leasesIn(this.#leases)) lease.forgone(this.#amount);
    this.#owner.freed(this.#leases);
  }

  ended({ kind }: SettlementEnd): void {
    for (const lease of leasesIn(this.#leases)) lease.settled();
    if (kind !== 'timely') this.leaves();
  }

  resent(): void {
    for (const lease of leasesIn(this.#leases)) lease.unsettled();
  }
}
