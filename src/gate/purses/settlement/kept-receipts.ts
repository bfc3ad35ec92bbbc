import { Bag, type Place } from '../../../lib/bag.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Receipt } from '../../../domain/receipt.ts';
import type { Journal, Trail } from '../ports/disk.ts';
import type { EpochEvents } from '../ports/engine-events.ts';
import type { SettlementEnd, UnsettledReceipt } from './receipt-batches.ts';

// A process's own copies of its receipts: pending ones in memory and, if they wait for long, in the journal; recently
// settled ones in memory and in the trail.

/** How often the pending receipts are checked. */
const WATCH_MS = 250;
/** A receipt that is unsettled for this long is written to the journal as well. */
const JOURNAL_MS = 1_000;
/** How long the end of an answer waits for the database, once its charge is in the journal. */
const COMMIT_MS = 5_000;

/** How far back commits may be lost when another server takes over; at least how many receipts are kept for that. */
const RECENT_MS = 60_000;
const RECENT_MAX = 10_000;

/** Carries a charge until it is settled. */
export interface ChargeOwner {
  /** Called before the charge is sent so that the database takes it from elsewhere than its leases. */
  leaves(): void;
  /** Called once per submission with its outcome. */
  ended(end: SettlementEnd): void;
  /** The database may have lost the charge, which is sent again. */
  resent(): void;
}

/** A receipt that the database doesn't have yet. */
export interface PendingReceipt extends UnsettledReceipt {
  readonly sinceMs: number;
  readonly charge: ChargeOwner;
  readonly resolve: () => void;
  readonly reject: (fault: unknown) => void;
  journaled: boolean;
  /** Its place among the pending receipts. */
  place: Place<PendingReceipt> | null;
  /** The settlement's count of losses when this receipt was sent. */
  lossesWhenSent: number;
}

/** The pending receipts of one epoch, and the journal, which has those that have waited for a second. */
export class PendingReceipts {
  readonly #clock: Clock;
  readonly #journal: Journal;
  readonly #events: Pick<EpochEvents, 'warned'>;
  readonly #all = new Bag<PendingReceipt>();
  #idle: Promise<void> = Promise.resolve();
  #isWatched = false;
  #hasJournaled = false;

  constructor(clock: Clock, journal: Journal, events: Pick<EpochEvents, 'warned'>) {
    this.#clock = clock;
    this.#journal = journal;
    this.#events = events;
  }

  get size(): number {
    return this.#all.size;
  }

  /** All that are pending now, in no order. */
  items(): readonly PendingReceipt[] {
    return this.#all.items();
  }

  add(pending: PendingReceipt): void {
    pending.place = this.#all.add(pending);
    this.#watchLater();
  }

  /** Removes a receipt that has its outcome; false if it was removed before. */
  remove({ place }: PendingReceipt): boolean {
    return place !== null && this.#all.remove(place);
  }

  /** Whether the journal may contain settled receipts. */
  get hasJournaled(): boolean {
    return this.#hasJournaled;
  }

  /** Clears the journal if everything in it is settled. */
  async clearJournal(): Promise<void> {
    const clear = async (): Promise<void> => {
      for (const { journaled } of this.#all.items()) if (journaled) return;
      await this.#journal.clear();
      this.#hasJournaled = false;
    };
    await this.#oneAtATime(clear).catch((fault: unknown) => this.#warn(fault));
  }

  /** Leaves unsettled receipts to the journal, which the next epoch of this data directory recovers. */
  async leaveToJournal(): Promise<void> {
    await this.#oneAtATime(() => this.#write(this.#all.items()));
    for (const { resolve } of this.#all.items()) resolve();
  }

  /** Resolves when no operation on the journal is in progress. */
  idle(): Promise<void> {
    return this.#idle;
  }

  /** Checks the pending receipts until there are none. */
  #watchLater(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.#clock.after(WATCH_MS, () => {
      this.#isWatched = false;
      if (this.#all.size === 0) return;
      this.#watchLater();
      this.#oneAtATime(() => this.#watch()).catch((fault: unknown) => this.#warn(fault));
    });
  }

  async #watch(): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    await this.#write(this.#all.items().filter(({ sinceMs }) => nowMs - sinceMs >= JOURNAL_MS));
    for (const { journaled, sinceMs, resolve } of this.#all.items()) {
      if (journaled && nowMs - sinceMs >= COMMIT_MS) resolve();
    }
  }

  async #write(waiting: readonly PendingReceipt[]): Promise<void> {
    const fresh = waiting.filter(({ journaled }) => !journaled);
    if (fresh.length === 0) return;
    this.#hasJournaled = true;
    await this.#journal.write(fresh.map(({ receipt }) => receipt));
    for (const pending of fresh) pending.journaled = true;
  }

  /** If the journal can't be written, the receipts wait for the database. */
  #warn(fault: unknown): void {
    this.#events.warned('the journal could not be written', fault);
  }

  #oneAtATime(work: () => Promise<void>): Promise<void> {
    const done = this.#idle.then(work);
    this.#idle = done.catch(() => undefined);
    return done;
  }
}

/** A charge that the database has taken. */
interface SettledCharge {
  readonly receipt: Receipt;
  readonly charge: ChargeOwner;
}

/** The recently settled receipts of one epoch, and its trail: a server that takes over may lack them. */
export class RecentReceipts {
  readonly #clock: Clock;
  readonly #trail: Trail;
  readonly #events: Pick<EpochEvents, 'warned'>;
  /** Oldest first. */
  readonly #settled: (SettledCharge & { readonly atMs: number })[] = [];

  constructor(clock: Clock, trail: Trail, events: Pick<EpochEvents, 'warned'>) {
    this.#clock = clock;
    this.#trail = trail;
    this.#events = events;
  }

  /** Whether something was settled so recently that it may have to be sent again. */
  get hasAny(): boolean {
    const last = this.#settled.at(-1);
    return last !== undefined && this.#clock.monotonicMs() - last.atMs < RECENT_MS;
  }

  /** Adds a batch to the trail before the server of this timeline settles it. */
  async leaveTrail(batch: readonly UnsettledReceipt[], timeline: string): Promise<void> {
    const receipts = batch.map(({ receipt }) => receipt);
    try {
      await this.#trail.add(receipts, timeline);
    } catch (fault) {
      this.#warn(fault);
    }
  }

  /** Adds nothing more to the trail. */
  async closeTrail(): Promise<void> {
    await this.#trail.close().catch((fault: unknown) => this.#warn(fault));
  }

  /** Records a receipt that the database has settled or refused. */
  note({ receipt, charge }: SettledCharge): void {
    this.#settled.push({ receipt, charge, atMs: this.#clock.monotonicMs() });
    const isFull = this.#settled.length > RECENT_MAX * 2;
    if (isFull) this.#settled.splice(0, RECENT_MAX);
  }

  /** Removes and returns what was settled in the last minute. */
  take(): readonly SettledCharge[] {
    const fromMs = this.#clock.monotonicMs() - RECENT_MS;
    return this.#settled.splice(0).filter(({ atMs }) => atMs >= fromMs);
  }

  #warn(fault: unknown): void {
    this.#events.warned('the trail could not be written: a standby that takes over may lack these charges', fault);
  }
}
