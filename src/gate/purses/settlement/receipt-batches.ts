import { DatabaseUnavailable } from '../../../lib/sql.ts';
import type { Receipt } from '../../../domain/receipt.ts';
import { inParts } from '../../../lib/in-parts.ts';
import { UNKNOWN, untilKnown } from '../../../lib/until-known.ts';
import { ClaimGone, EpochFenced, LeaseGone, type PurseStore } from '../ports/database.ts';
import { faultMessage } from '../../../lib/fault-message.ts';

/** A receipt on its way into the database. */
export interface UnsettledReceipt {
  readonly receipt: Receipt;
  /** The answer kept for repeats with the same Idempotency-Key; null if there is none, or it was not kept. */
  readonly answer: Buffer | null;
}

/**
 * Outcome of a settled receipt.
 * - `timely`: it was charged to its leases.
 * - `late`: it was charged to what its purses still had, and to no lease.
 * - `refused`: the database rejected it, because of `fault`. It is set aside, and nothing is charged.
 */
export type SettlementEnd =
  | { readonly kind: 'timely' }
  | { readonly kind: 'late' }
  | { readonly kind: 'refused'; readonly fault: unknown };

/** Why a batch is not settled: the database rejects it, or another transaction has locked rows that it needs. */
type Refusal = { readonly kind: 'refused'; readonly fault: unknown } | { readonly kind: 'busy' };

const TIMELY: SettlementEnd = { kind: 'timely' };
const LATE: SettlementEnd = { kind: 'late' };

/** Sends batches of one epoch's receipts to the database. A row that it rejects delays no other. */
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
    /** The epoch is over: later receipts are settled late. */
    onFenced: (fault: EpochFenced) => void;
    /** Returns whether to retry, or throws. If it returns false, the rows get no outcome. */
    onUnavailable: (fault: DatabaseUnavailable) => Promise<boolean>;
    /**
     * The database has lost leases of a live epoch, so the epoch must be ended; its receipts wait until then. Null if
     * no process lives in the epoch: then receipts without a lease are settled late immediately.
     */
    onLost: (() => void) | null;
    /** Takes a row that needs locked rows, to be sent later. Null: it is sent until it has an outcome. */
    onBusy: ((row: Row) => void) | null;
    /** Called before a single row is sent late although its epoch may be live. Null: nothing draws from its leases. */
    onLate: ((row: Row) => void) | null;
    /** Called once for each row, with its outcome. */
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

  /** Settles a batch. If the database rejects it, it is halved until the row at fault is alone. */
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

  /** Sends a batch once. @throws DatabaseUnavailable if the outcome is unknown, or the epoch must end first */
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

  /** Sets a receipt that the database rejects aside, for the operator to inspect. */
  async #setAside(row: Row, fault: unknown): Promise<void> {
    const reason = faultMessage(fault);
    const outcome = await untilKnown(() => this.#quarantine(row, reason), this.#onUnavailable);
    if (outcome === UNKNOWN) return;
    const why = 'a receipt is refused, and could not even be set aside';
    this.#onEnd(row, { kind: 'refused', fault: outcome === null ? fault : new AggregateError([fault, outcome], why) });
  }

  /** The reason why a receipt can't be set aside; null if it was. @throws DatabaseUnavailable */
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
