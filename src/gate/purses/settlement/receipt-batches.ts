import { DatabaseUnavailable } from '../../../lib/sql.ts';
import type { Receipt } from '../../../domain/receipt.ts';
import { inParts } from '../../../lib/in-parts.ts';
import { UNKNOWN, untilKnown } from '../../../lib/until-known.ts';
import { ClaimGone, EpochFenced, LeaseGone, type PurseStore } from '../ports/database.ts';

/** A receipt on its way into the database. */
export interface UnsettledReceipt {
  readonly receipt: Receipt;
  /** What a repeat with the same Idempotency-Key is to get; null where there is none, or it was not kept. */
  readonly answer: Buffer | null;
}

/**
 * What became of a receipt.
 * - `timely`: it has charged its leases.
 * - `late`: it took what its purses still had, and no lease.
 * - `refused`: the database won't have it, because of `fault`. It is kept aside, and nothing is charged.
 */
export type SettlementEnd =
  | { readonly kind: 'timely' }
  | { readonly kind: 'late' }
  | { readonly kind: 'refused'; readonly fault: unknown };

/** Why a batch is not settled: the database won't have it, or another transaction has locked what one of its receipts needs. */
type Refusal = { readonly kind: 'refused'; readonly fault: unknown } | { readonly kind: 'busy' };

const TIMELY: SettlementEnd = { kind: 'timely' };
const LATE: SettlementEnd = { kind: 'late' };

/** Brings batches of one epoch's receipts into the database: a row that it refuses holds up no other. */
export class ReceiptBatches<Row extends UnsettledReceipt> {
  readonly #store: PurseStore;
  readonly #epochId: bigint;
  readonly #onFenced: (fault: EpochFenced) => void;
  readonly #onUnavailable: (fault: DatabaseUnavailable) => Promise<boolean>;
  readonly #onLost: (() => void) | null;
  readonly #onBusy: ((row: Row) => void) | null;
  readonly #onLate: ((row: Row) => void) | null;
  readonly #onEnd: (row: Row, end: SettlementEnd) => void;
  #isLate = false;

  constructor(parts: {
    store: PurseStore;
    epochId: bigint;
    /** The epoch is over: what follows is settled late. */
    onFenced: (fault: EpochFenced) => void;
    /** Answers whether to try again, or throws; where it isn't, the rows have no end. */
    onUnavailable: (fault: DatabaseUnavailable) => Promise<boolean>;
    /**
     * The database has lost leases of an epoch that lives, so it must be ended: until then its receipts wait. Null where
     * nobody lives in it: then what has no lease is late immediately.
     */
    onLost: (() => void) | null;
    /** Puts a row aside whose locks others have, to be sent later. Null: it is sent until it has an end. */
    onBusy: ((row: Row) => void) | null;
    /** Called before a row is sent late by itself, though its epoch may live. Null: nothing is drawn from its leases. */
    onLate: ((row: Row) => void) | null;
    /** Called once for each row that has come to an end. */
    onEnd: (row: Row, end: SettlementEnd) => void;
  }) {
    this.#store = parts.store;
    this.#epochId = parts.epochId;
    this.#onFenced = parts.onFenced;
    this.#onUnavailable = parts.onUnavailable;
    this.#onLost = parts.onLost;
    this.#onBusy = parts.onBusy;
    this.#onLate = parts.onLate;
    this.#onEnd = parts.onEnd;
  }

  /** The epoch is fenced: receipts are late from now on. */
  fence(): void {
    this.#isLate = true;
  }

  /** Settles what can be settled: a batch that is refused is halved until the row at fault stands alone. */
  async settle(batch: readonly Row[]): Promise<void> {
    await inParts(
      batch,
      (part) => this.#refusalOf(part),
      (row, refusal) => this.#settleAlone(row, refusal),
    );
  }

  async #settleAlone(row: Row, refusal: Refusal): Promise<void> {
    if (refusal.kind === 'busy') {
      if (this.#onBusy === null) await this.settle([row]);
      else this.#onBusy(row);
    } else if (refusal.fault instanceof LeaseGone || refusal.fault instanceof ClaimGone) {
      this.#onLate?.(row);
      const late = await this.#refusalOf([row], true);
      if (late !== null) await this.#settleAlone(row, late);
    } else {
      await this.#setAside(row, refusal.fault);
    }
  }

  /** Sends a batch until its outcome is known; null unless the database has refused it. */
  async #refusalOf(batch: readonly Row[], late = false): Promise<Refusal | null> {
    const outcome = await untilKnown(() => this.#attempt(batch, late || this.#isLate), this.#onUnavailable);
    if (outcome === UNKNOWN) return null;
    if (outcome.kind === 'refused' || outcome.kind === 'busy') return outcome;
    for (const row of batch) this.#onEnd(row, outcome);
    return null;
  }

  /** Sends a batch once. @throws DatabaseUnavailable where the outcome isn't known, or the epoch must end before */
  async #attempt(batch: readonly Row[], isLate: boolean): Promise<SettlementEnd | Refusal> {
    try {
      await this.#send(batch, isLate);
      return isLate ? LATE : TIMELY;
    } catch (fault) {
      if (fault instanceof EpochFenced) {
        this.#isLate = true;
        this.#onFenced(fault);
        return await this.#attempt(batch, true);
      }
      if (fault instanceof LeaseGone && this.#onLost !== null) {
        this.#onLost();
        throw new DatabaseUnavailable('the epoch of these receipts is to end first', { cause: fault });
      }
      if (!(fault instanceof DatabaseUnavailable)) return { kind: 'refused', fault };
      if (fault.reason === 'contended') return { kind: 'busy' };
      throw fault;
    }
  }

  #send(batch: readonly Row[], isLate: boolean): Promise<void> {
    const receipts = batch.map(({ receipt }) => receipt);
    const answers = new Map<string, Buffer>();
    for (const { receipt, answer } of batch) if (answer !== null) answers.set(receipt.requestId, answer);
    return isLate
      ? this.#store.settleLate(this.#epochId, receipts, answers)
      : this.#store.settle(this.#epochId, receipts, answers);
  }

  /** Keeps a receipt that the database refuses, for an operator to look at. */
  async #setAside(row: Row, fault: unknown): Promise<void> {
    const reason = fault instanceof Error ? fault.message : String(fault);
    const outcome = await untilKnown(() => this.#quarantine(row, reason), this.#onUnavailable);
    if (outcome === UNKNOWN) return;
    const why = 'a receipt is refused, and could not even be set aside';
    this.#onEnd(row, { kind: 'refused', fault: outcome === null ? fault : new AggregateError([fault, outcome], why) });
  }

  /** Why a receipt can't be set aside; null where it is. @throws DatabaseUnavailable */
  async #quarantine({ receipt }: Row, reason: string): Promise<unknown> {
    try {
      await this.#store.quarantine(receipt, reason);
      return null;
    } catch (fault) {
      if (fault instanceof DatabaseUnavailable) throw fault;
      return fault;
    }
  }
}
