import { assert } from '../../../lib/assert.ts';
import type { NanoUsd } from '../../../domain/money.ts';
import type { Receipt, ServedPurse } from '../../../domain/receipt.ts';
import type { ChargeOwner } from '../settlement/kept-receipts.ts';
import type { SettlementEnd } from '../settlement/receipt-batches.ts';
import type { PurseKind } from '../ports/database.ts';
import type { Lease } from './lease.ts';

/** The leases of one request, one of each purse that it passes. */
export interface HoldLeases {
  /** All of them, in the order in which refusals name them. */
  readonly all: readonly Lease[];
  readonly credit: Lease;
  readonly project: Lease;
  readonly key: Lease;
  /** Null: the key's maker has no limit. */
  readonly member: Lease | null;
  /** Null: the request is for none that has a limit. */
  readonly endUser: Lease | null;
  readonly session: Lease | null;
}

/** These leases, by the kinds of their purses. */
export function holdLeases(all: readonly Lease[]): HoldLeases {
  const find = (kind: PurseKind): Lease | undefined => all.find(({ name }) => name.kind === kind);
  const [credit, project, key] = [find('credit'), find('project'), find('key')];
  assert(credit !== undefined && project !== undefined && key !== undefined, 'each request passes these purses');
  const [member = null, endUser = null, session = null] = [find('member'), find('end_user'), find('session')];
  return { all, credit, project, key, member, endUser, session };
}

/** Whether a hold of this amount could be placed now. */
export function fitsInto({ all }: HoldLeases, amount: NanoUsd): boolean {
  for (const lease of all) if (!lease.fits(amount)) return false;
  return true;
}

/**
 * Whether a hold of this amount could be placed now, or once brief purses are drawn from that have the money. Nothing is drawn from
 * those for what places no hold.
 */
export function wouldFitInto({ all }: HoldLeases, amount: NanoUsd): boolean {
  for (const lease of all) if (!lease.fits(amount) && !(lease.isBrief && lease.promises(amount))) return false;
  return true;
}

/** A receipt without the purses, which the hold adds. */
export type ReceiptDraft = Omit<
  Receipt,
  | 'creditPurseId'
  | 'projectPurseId'
  | 'keyPurseId'
  | 'memberPurseId'
  | 'endUserPurse'
  | 'sessionPurse'
  | 'projectWindow'
  | 'keyWindow'
  | 'hold'
>;

/** What a receipt says of the purses that few requests pass. */
function furtherPurses({ member, endUser, session }: HoldLeases): Partial<Receipt> {
  return {
    ...(member !== null && { memberPurseId: member.purseId }),
    ...(endUser !== null && { endUserPurse: servedPurse(endUser) }),
    ...(session !== null && { sessionPurse: servedPurse(session) }),
  };
}

/** What a receipt says of the purse of an end user or a session. */
function servedPurse({ purseId, name, window }: Lease): ServedPurse {
  return { purseId, subjectId: name.subjectId, window };
}

/** The allocator, as a hold sees it. */
export interface HoldOwner {
  /** The hold has closed with this receipt. Resolves once the charge is durable. */
  closed(leases: HoldLeases, receipt: Receipt, answer: Buffer | null): Promise<void>;
  /** Slack of these leases was freed. */
  freed(leases: HoldLeases): void;
}

/** A request's reservation in its leases. It must be closed exactly once, on every exit. */
export class Hold {
  readonly amount: NanoUsd;
  readonly #leases: HoldLeases;
  readonly #owner: HoldOwner;
  #closed = false;

  /** Takes the amount out of the slack of all its leases, which must have it. */
  constructor(leases: HoldLeases, amount: NanoUsd, monotonicMs: number, owner: HoldOwner) {
    this.amount = amount;
    this.#leases = leases;
    this.#owner = owner;
    assert(fitsInto(leases, amount), 'a hold is placed only where it fits');
    for (const lease of leases.all) lease.hold(amount, monotonicMs);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Charges the receipt's amount, frees the rest, and resolves once the receipt is durable, with the answer if any. */
  close(draft: ReceiptDraft, answer: Buffer | null = null): Promise<void> {
    assert(!this.#closed, 'a hold closes once');
    assert(draft.charge >= 0n && draft.charge <= this.amount, 'a charge is within its hold');
    this.#closed = true;
    const { all, credit, project, key } = this.#leases;
    for (const lease of all) lease.close(this.amount, draft.charge);
    const receipt: Receipt = {
      ...draft,
      hold: this.amount,
      creditPurseId: credit.purseId,
      projectPurseId: project.purseId,
      keyPurseId: key.purseId,
      projectWindow: project.window,
      keyWindow: key.window,
    };
    const charged = all.length === 3 ? receipt : { ...receipt, ...furtherPurses(this.#leases) };
    return this.#owner.closed(this.#leases, charged, answer);
  }
}

/** A closed hold's charge, which its leases carry until the database has taken it. */
export class LeasedCharge implements ChargeOwner {
  readonly #leases: HoldLeases;
  readonly #amount: NanoUsd;
  readonly #owner: HoldOwner;
  #isInLeases = true;

  constructor(leases: HoldLeases, amount: NanoUsd, owner: HoldOwner) {
    this.#leases = leases;
    this.#amount = amount;
    this.#owner = owner;
  }

  leaves(): void {
    if (!this.#isInLeases) return;
    this.#isInLeases = false;
    for (const lease of this.#leases.all) lease.forgone(this.#amount);
    this.#owner.freed(this.#leases);
  }

  ended({ kind }: SettlementEnd): void {
    for (const lease of this.#leases.all) lease.settled();
    if (kind !== 'timely') this.leaves();
  }

  resent(): void {
    for (const lease of this.#leases.all) lease.unsettled();
  }
}
