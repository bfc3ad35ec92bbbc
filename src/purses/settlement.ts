import type { Clock } from '../lib/clock.ts';
import { DatabaseUnavailable } from '../lib/sql.ts';
import type { Receipt } from '../domain/receipt.ts';
import { EpochFenced, type PurseStore } from './purse-store.ts';

const RECEIPTS_PER_BATCH = 500;
const RETRY_MS = 100;

interface Pending {
  readonly receipt: Receipt;
  readonly resolve: () => void;
  readonly reject: (fault: unknown) => void;
}

/**
 * Group commit: one batch is under way, whatever has gathered meanwhile goes next, without a timer. A batch whose
 * outcome is unknown is sent again as it was; receipts are unique, so that charges nothing twice.
 */
export class Settlement {
  readonly #store: PurseStore;
  readonly #clock: Clock;
  readonly #epochId: bigint;
  readonly #onFault: (fault: unknown) => void;
  readonly #onPoison: (receipt: Receipt, fault: unknown) => void;
  #queue: Pending[] = [];
  #backlog = 0;
  #running: Promise<void> | null = null;
  #givesUp = false;

  constructor(parts: {
    store: PurseStore;
    clock: Clock;
    epochId: bigint;
    onFault: (fault: unknown) => void;
    /** A receipt that the database refuses for good. It is out of the queue, so that it blocks no other. */
    onPoison: (receipt: Receipt, fault: unknown) => void;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#epochId = parts.epochId;
    this.#onFault = parts.onFault;
    this.#onPoison = parts.onPoison;
  }

  /** Receipts that aren't durable yet. */
  get backlog(): number {
    return this.#backlog;
  }

  /** Resolves once the receipt is durable; rejects if the database refuses it for good or the epoch is fenced. */
  settle(receipt: Receipt): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ receipt, resolve, reject });
      this.#backlog += 1;
      this.#running ??= this.#run();
    });
  }

  /** Resolves when nothing is left to settle; what the database hasn't taken in this time is given up, as a fault. */
  async stop(withinMs: number): Promise<void> {
    const cancel = this.#clock.after(withinMs, () => {
      this.#givesUp = true;
    });
    while (this.#running !== null) await this.#running;
    cancel();
  }

  async #run(): Promise<void> {
    // Holds that close in the same turn of the event loop share the batch.
    await Promise.resolve();
    try {
      while (this.#queue.length > 0) {
        const batch = this.#queue.slice(0, RECEIPTS_PER_BATCH);
        this.#queue = this.#queue.slice(batch.length);
        try {
          await this.#settleBatch(batch);
        } catch (fault) {
          for (const { reject } of [...batch, ...this.#queue]) reject(fault);
          this.#queue = [];
          this.#onFault(fault);
        }
        this.#backlog = this.#queue.length;
      }
    } finally {
      this.#running = null;
    }
  }

  /** Settles what can be settled: a batch that is refused is halved until the row at fault stands alone. */
  async #settleBatch(batch: readonly Pending[]): Promise<void> {
    for (;;) {
      try {
        await this.#store.settle(
          this.#epochId,
          batch.map((pending) => pending.receipt),
        );
        for (const { resolve } of batch) resolve();
        return;
      } catch (fault) {
        if (fault instanceof EpochFenced) throw fault;
        if (fault instanceof DatabaseUnavailable) {
          if (this.#givesUp) throw fault;
          await new Promise<void>((resolve) => {
            this.#clock.after(RETRY_MS, resolve);
          });
          continue;
        }
        const [first] = batch;
        if (batch.length === 1 && first !== undefined) {
          this.#onPoison(first.receipt, fault);
          first.reject(fault);
          return;
        }
        const middle = batch.length >> 1;
        await this.#settleBatch(batch.slice(0, middle));
        await this.#settleBatch(batch.slice(middle));
        return;
      }
    }
  }
}
