import type { Clock } from '../lib/clock.ts';
import { DatabaseUnavailable } from '../lib/sql.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { Journal } from './journal.ts';
import { EpochFenced, LeaseGone, type PurseStore } from './purse-store.ts';

const RECEIPTS_PER_BATCH = 500;
const RETRY_MS = 100;
/** What is unsettled for this long goes to the journal as well. */
const JOURNAL_MS = 1_000;
/** How long an answer's end waits for the database, once its charge is in the journal. */
const COMMIT_MS = 5_000;
/** Beyond this backlog no more holds are placed: what waits here is in memory. */
const BACKLOG_MAX = 50_000;

/** How far back commits may be lost when another server takes over, and how many receipts are kept for it at least. */
const RECENT_MS = 60_000;
const RECENT_MAX = 10_000;

interface Pending {
  readonly receipt: Receipt;
  /** What a repeat with the same Idempotency-Key is to get; null where there is none, or it was not kept. */
  readonly answer: Buffer | null;
  readonly sinceMs: number;
  /** Told once, when the database has the receipt, or has refused it for good. */
  readonly onSettled: (fault: unknown) => void;
  readonly resolve: () => void;
  readonly reject: (fault: unknown) => void;
  journaled: boolean;
}

/**
 * Group commit: one batch is under way, whatever has gathered meanwhile goes next, without a timer. A batch whose
 * outcome is unknown is sent again as it was; receipts are unique, so that charges nothing twice. What the database
 * doesn't take within a second is written to the local journal too, and counts as durable some seconds later.
 *
 * - *timely*: the epoch lives, receipts charge its leases.
 * - *late*: the epoch is fenced and its leases are gone; receipts take what their purses still have.
 */
export class Settlement {
  readonly #store: PurseStore;
  readonly #clock: Clock;
  readonly #journal: Journal;
  readonly #epochId: bigint;
  readonly #onFenced: (fault: EpochFenced) => void;
  readonly #onFault: (fault: unknown) => void;
  readonly #onJournalFault: (fault: unknown) => void;
  readonly #onPoison: (receipt: Receipt, fault: unknown) => void;
  readonly #pending = new Set<Pending>();
  /** What was settled lately, oldest first: an unclean failover may have lost it. */
  readonly #recent: { readonly receipt: Receipt; readonly atMs: number }[] = [];
  #queue: Pending[] = [];
  #running: Promise<void> | null = null;
  #journalIdle: Promise<void> = Promise.resolve();
  #isWatched = false;
  #hasJournaled = false;
  #isLate = false;
  #givesUp = false;

  constructor(parts: {
    store: PurseStore;
    clock: Clock;
    journal: Journal;
    epochId: bigint;
    /** The epoch is over: what follows is settled late. */
    onFenced: (fault: EpochFenced) => void;
    onFault: (fault: unknown) => void;
    /** The journal could not be written; what should have gone there waits for the database. */
    onJournalFault: (fault: unknown) => void;
    /** A receipt that the database refuses for good. It is out of the queue, so that it blocks no other. */
    onPoison: (receipt: Receipt, fault: unknown) => void;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#journal = parts.journal;
    this.#epochId = parts.epochId;
    this.#onFenced = parts.onFenced;
    this.#onFault = parts.onFault;
    this.#onJournalFault = parts.onJournalFault;
    this.#onPoison = parts.onPoison;
  }

  /** Receipts that the database doesn't have yet. */
  get backlog(): number {
    return this.#pending.size;
  }

  get isOverloaded(): boolean {
    return this.#pending.size >= BACKLOG_MAX;
  }

  /**
   * Resolves once the receipt is durable, here or in the database; rejects if the database refuses it for good.
   * `onSettled` hears when the database has it, with null, or that it never will, with the fault.
   */
  settle(receipt: Receipt, answer: Buffer | null, onSettled: (fault: unknown) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const sinceMs = this.#clock.monotonicMs();
      const pending: Pending = { receipt, answer, sinceMs, onSettled, resolve, reject, journaled: false };
      this.#pending.add(pending);
      this.#queue.push(pending);
      this.#running ??= this.#run();
    });
  }

  /** Sends what was settled lately once more. Receipts are unique, so only what the database has lost takes effect. */
  resend(): void {
    const fromMs = this.#clock.monotonicMs() - RECENT_MS;
    for (const { receipt, atMs } of this.#recent.splice(0)) {
      if (atMs >= fromMs) this.settle(receipt, null, () => undefined).catch(this.#onFault);
    }
  }

  /** The epoch is fenced: receipts are late from now on. */
  fence(): void {
    this.#isLate = true;
  }

  /** Resolves when nothing is left to settle; what the database hasn't taken in this time stays in the journal. */
  async stop(withinMs: number): Promise<void> {
    const cancel = this.#clock.after(withinMs, () => {
      this.#givesUp = true;
    });
    while (this.#running !== null) await this.#running;
    cancel();
    await this.#journalIdle;
  }

  async #run(): Promise<void> {
    // Holds that close in the same turn of the event loop share the batch.
    await Promise.resolve();
    this.#watchLater();
    try {
      while (this.#queue.length > 0 && !this.#givesUp) {
        const batch = this.#queue.slice(0, RECEIPTS_PER_BATCH);
        this.#queue = this.#queue.slice(batch.length);
        await this.#settleBatch(batch);
      }
      if (this.#givesUp) await this.#letGo();
      else if (this.#hasJournaled) await this.#journalWork(() => this.#forgetJournal());
    } catch (fault) {
      for (const pending of this.#pending) this.#end(pending, fault);
      this.#queue = [];
      this.#onFault(fault);
    } finally {
      this.#running = null;
    }
  }

  /** Settles what can be settled: a batch that is refused is halved until the row at fault stands alone. */
  async #settleBatch(batch: readonly Pending[], leaseIsGone = false): Promise<void> {
    while (!this.#givesUp) {
      try {
        await this.#send(batch, leaseIsGone || this.#isLate);
        for (const pending of batch) this.#end(pending, null);
        return;
      } catch (fault) {
        if (fault instanceof EpochFenced) {
          this.#isLate = true;
          this.#onFenced(fault);
        } else if (fault instanceof DatabaseUnavailable) {
          await new Promise<void>((resolve) => {
            this.#clock.after(RETRY_MS, resolve);
          });
        } else {
          await this.#settleApart(batch, fault, leaseIsGone);
          return;
        }
      }
    }
  }

  async #settleApart(batch: readonly Pending[], fault: unknown, leaseIsGone: boolean): Promise<void> {
    const [first] = batch;
    if (batch.length > 1 || first === undefined) {
      const middle = batch.length >> 1;
      await this.#settleBatch(batch.slice(0, middle));
      await this.#settleBatch(batch.slice(middle));
    } else if (fault instanceof LeaseGone && !leaseIsGone) {
      await this.#settleBatch(batch, true);
    } else {
      this.#onPoison(first.receipt, fault);
      this.#end(first, fault);
    }
  }

  #send(batch: readonly Pending[], isLate: boolean): Promise<void> {
    const receipts = batch.map((pending) => pending.receipt);
    const answers = new Map<string, Buffer>();
    for (const { receipt, answer } of batch) if (answer !== null) answers.set(receipt.requestId, answer);
    return isLate
      ? this.#store.settleLate(this.#epochId, receipts, answers)
      : this.#store.settle(this.#epochId, receipts, answers);
  }

  #end(pending: Pending, fault: unknown): void {
    if (!this.#pending.delete(pending)) return;
    pending.onSettled(fault);
    if (fault === null) {
      this.#remember(pending.receipt);
      pending.resolve();
    } else {
      pending.reject(fault);
    }
  }

  #remember(receipt: Receipt): void {
    const atMs = this.#clock.monotonicMs();
    this.#recent.push({ receipt, atMs });
    const isFull = this.#recent.length > RECENT_MAX * 2;
    if (isFull) this.#recent.splice(0, RECENT_MAX);
  }

  /** Looks after those that wait too long, for as long as any waits. */
  #watchLater(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.#clock.after(JOURNAL_MS, () => {
      this.#isWatched = false;
      if (this.#pending.size === 0) return;
      this.#watchLater();
      this.#journalWork(() => this.#watch()).catch(this.#onJournalFault);
    });
  }

  async #watch(): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    await this.#writeJournal([...this.#pending].filter(({ sinceMs }) => nowMs - sinceMs >= JOURNAL_MS));
    for (const { journaled, sinceMs, resolve } of this.#pending) {
      if (journaled && nowMs - sinceMs >= COMMIT_MS) resolve();
    }
  }

  async #writeJournal(waiting: readonly Pending[]): Promise<void> {
    const fresh = waiting.filter(({ journaled }) => !journaled);
    if (fresh.length === 0) return;
    this.#hasJournaled = true;
    await this.#journal.write(fresh.map(({ receipt }) => receipt));
    for (const pending of fresh) pending.journaled = true;
  }

  /** Leaves what the database hasn't taken to the journal, and so to the next epoch of this data directory. */
  async #letGo(): Promise<void> {
    this.#queue = [];
    await this.#journalWork(() => this.#writeJournal([...this.#pending]));
    for (const { resolve } of this.#pending) resolve();
  }

  async #forgetJournal(): Promise<void> {
    if (this.#pending.size > 0) return;
    this.#hasJournaled = false;
    await this.#journal.clear();
  }

  /** One thing at a time happens to the journal. */
  #journalWork(work: () => Promise<void>): Promise<void> {
    const done = this.#journalIdle.then(work);
    this.#journalIdle = done.catch(() => undefined);
    return done;
  }
}
