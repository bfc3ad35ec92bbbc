import { Bag, type Place } from '../../lib/bag.ts';
import type { Clock } from '../../lib/clock.ts';
import { orAfter, pause } from '../../lib/pause.ts';
import type { Receipt } from '../../domain/receipt.ts';
import type { EpochEvents } from '../ports/engine-events.ts';
import type { Turns } from '../../turns/stages.ts';
import type { Journal } from '../ports/journal.ts';
import type { PurseStore } from '../ports/purse-store.ts';
import type { ChargeOwner, SettlementEnd } from './charge.ts';
import { ReceiptBatches, type UnsettledReceipt } from './receipt-batches.ts';
import type { Trail } from '../ports/trail.ts';

const RECEIPTS_PER_BATCH = 500;
/** How long a batch may take before the next is sent beside it: its connection may hang. */
const PATIENCE_MS = 500;
/** Batches under way at a time. */
const BATCHES_MAX = 3;
const RETRY_MS = 100;
/** How long receipts are left alone whose workspace's leases or claims another transaction has locked. */
const BUSY_MS = 200;
/** How often those that wait are looked after. */
const WATCH_MS = 250;
/** What is unsettled for this long goes to the journal as well. */
const JOURNAL_MS = 1_000;
/** How long an answer's end waits for the database, once its charge is in the journal. */
const COMMIT_MS = 5_000;
/** Beyond this backlog no more holds are placed: what waits here is in memory. */
const BACKLOG_MAX = 50_000;

/** How far back commits may be lost when another server takes over, and how many receipts are kept for it at least. */
const RECENT_MS = 60_000;
const RECENT_MAX = 10_000;

/** The epoch whose receipts are settled. */
interface SettledEpoch {
  readonly id: bigint;
  /** The server's timeline as last seen. */
  readonly timeline: string;
}

interface Pending extends UnsettledReceipt {
  readonly sinceMs: number;
  readonly charge: ChargeOwner;
  readonly resolve: () => void;
  readonly reject: (fault: unknown) => void;
  journaled: boolean;
  /** Where it stands among those that are pending. */
  place: Place<Pending> | null;
  /** How often something may have been lost by the time that it was sent. */
  lossesWhenSent: number;
}

/**
 * Group commit: one batch is under way, and what has gathered by its end goes next, without a timer. Only if a batch takes
 * long, the next goes beside it: batches have no order, and lock what they charge only while their statement runs. A batch
 * whose outcome is unknown is sent again as it was; receipts are unique, so that charges nothing twice. What the database
 * doesn't take within a second is written to the local journal too, and counts as durable some seconds later.
 */
export class Settlement {
  readonly #clock: Clock;
  readonly #turns: Turns;
  readonly #journal: Journal;
  readonly #trail: Trail | null;
  readonly #epoch: SettledEpoch;
  readonly #batches: ReceiptBatches<Pending>;
  readonly #events: EpochEvents;
  readonly #pending = new Bag<Pending>();
  /** What was settled recently, oldest first: an unclean failover may have lost it. */
  readonly #recent: { readonly receipt: Receipt; readonly charge: ChargeOwner; readonly atMs: number }[] = [];
  #queue: Pending[] = [];
  /** Receipts that have ended; their callers are answered within this turn. */
  readonly #ended: { readonly pending: Pending; readonly end: SettlementEnd }[] = [];
  /** Receipts that wait for what another transaction has locked, by the purses of their workspaces' credit. */
  readonly #busy = new Map<bigint, Pending[]>();
  /** How often something may have been lost: the answer to what was sent before says nothing. */
  #losses = 0;
  #running: Promise<void> | null = null;
  readonly #underWay = new Set<Promise<void>>();
  #journalIdle: Promise<void> = Promise.resolve();
  #isWatched = false;
  #hasJournaled = false;
  #givesUp = false;

  constructor(parts: {
    store: PurseStore;
    clock: Clock;
    turns: Turns;
    journal: Journal;
    /** Null where no other server can take over. */
    trail: Trail | null;
    epoch: SettledEpoch;
    events: EpochEvents;
  }) {
    const { events } = parts;
    this.#clock = parts.clock;
    this.#turns = parts.turns;
    this.#journal = parts.journal;
    this.#trail = parts.trail;
    this.#epoch = parts.epoch;
    this.#events = events;
    this.#batches = new ReceiptBatches({
      store: parts.store,
      epochId: parts.epoch.id,
      onFenced: (fault) => events.fenced(fault),
      onLost: () => events.leasesLost(),
      onUnavailable: () => this.#mayTryAgain(),
      onBusy: (pending) => this.#waitApart(pending),
      onLate: ({ charge }) => charge.leaves(),
      onEnd: (pending, end) => {
        // What the former server has made of it may be lost.
        if (pending.lossesWhenSent !== this.#losses) {
          this.#send(pending);
          return;
        }
        if (end.kind === 'refused') events.receiptRefused(pending.receipt, end.fault);
        this.#end(pending, end);
      },
    });
  }

  /** Receipts that the database doesn't have yet. */
  get backlog(): number {
    return this.#pending.size;
  }

  /** Whether nothing waits here, and nothing was settled so recently that it may have to be sent again. */
  get isOver(): boolean {
    const last = this.#recent.at(-1);
    const isRecent = last !== undefined && this.#clock.monotonicMs() - last.atMs < RECENT_MS;
    return this.#pending.size === 0 && !isRecent;
  }

  get isOverloaded(): boolean {
    return this.#pending.size >= BACKLOG_MAX;
  }

  /** Resolves once the receipt is durable, here or in the database; rejects if the database refuses it for good. */
  settle(receipt: Receipt, answer: Buffer | null, charge: ChargeOwner): Promise<void> {
    return new Promise((resolve, reject) => {
      const sinceMs = this.#clock.monotonicMs();
      const pending: Pending = {
        receipt,
        answer,
        sinceMs,
        charge,
        resolve,
        reject,
        journaled: false,
        place: null,
        lossesWhenSent: 0,
      };
      pending.place = this.#pending.add(pending);
      this.#send(pending);
      this.#watchLater();
    });
  }

  #send(pending: Pending): void {
    this.#queue.push(pending);
    // A run that has nothing to do ends before it is noted, and would count as running for good.
    if (!this.#givesUp) this.#running ??= this.#run();
  }

  /** Sends what was settled recently once more. Receipts are unique, so only what the database has lost takes effect. */
  resend(): void {
    this.#losses += 1;
    const fromMs = this.#clock.monotonicMs() - RECENT_MS;
    for (const { receipt, charge, atMs } of this.#recent.splice(0)) {
      if (atMs < fromMs) continue;
      charge.resent();
      // Its caller has long had its answer; a receipt that is refused now has been reported.
      this.settle(receipt, null, charge).catch(() => undefined);
    }
  }

  /** The epoch is fenced: receipts are late from now on. */
  fence(): void {
    this.#batches.fence();
  }

  /** Resolves when nothing is left to settle; what the database hasn't taken in this time stays in the journal. */
  async stop(withinMs: number): Promise<void> {
    const cancel = this.#clock.after(withinMs, () => {
      this.#givesUp = true;
    });
    for (;;) {
      if (this.#running !== null) await this.#running;
      else if (this.#underWay.size > 0) await Promise.race(this.#underWay);
      else if (this.#busy.size > 0 && !this.#givesUp) await pause(this.#clock, BUSY_MS);
      else break;
    }
    cancel();
    if (this.#givesUp) await this.#letGo().catch((fault: unknown) => this.#fail(fault));
    await this.#journalIdle;
    await this.#trail?.close().catch((fault: unknown) => this.#warn(fault));
  }

  async #run(): Promise<void> {
    try {
      while (this.#queue.length > 0 && !this.#givesUp) {
        // Answers that came in together are charged together: a batch costs as much as some twenty of its rows.
        await this.#turns.turn('statements');
        const batch = this.#queue.slice(0, RECEIPTS_PER_BATCH);
        this.#queue = this.#queue.slice(batch.length);
        if (this.#trail !== null) await this.#leaveTrail(this.#trail, batch);
        await this.#sendOff(this.#busy.size === 0 ? batch : this.#withoutBusy(batch));
      }
    } catch (fault) {
      this.#fail(fault);
    } finally {
      this.#running = null;
    }
  }

  /** Resolves when the next batch may be sent: once this one is settled, or beside it if that takes long. */
  async #sendOff(batch: readonly Pending[]): Promise<void> {
    const sent: Promise<void> = this.#settleBatch(batch)
      .catch((fault: unknown) => this.#fail(fault))
      .finally(() => this.#underWay.delete(sent));
    this.#underWay.add(sent);
    await orAfter(this.#clock, sent, PATIENCE_MS);
    while (this.#underWay.size >= BATCHES_MAX) await Promise.race(this.#underWay);
  }

  #fail(fault: unknown): void {
    for (const pending of this.#pending.items()) this.#end(pending, { kind: 'refused', fault });
    this.#queue = [];
    this.#events.failed(fault);
  }

  /** Of a workspace whose receipts wait already, all others wait with them. */
  #withoutBusy(batch: readonly Pending[]): readonly Pending[] {
    return batch.filter((pending) => {
      const waiting = this.#busy.get(pending.receipt.creditPurseId);
      waiting?.push(pending);
      return waiting === undefined;
    });
  }

  async #settleBatch(batch: readonly Pending[]): Promise<void> {
    for (const pending of batch) pending.lossesWhenSent = this.#losses;
    await this.#batches.settle(batch);
    if (this.#hasJournaled) await this.#forgetJournal();
  }

  /** Lets a receipt wait beside all others until what it needs is free. */
  #waitApart(pending: Pending): void {
    const { creditPurseId } = pending.receipt;
    const waiting = this.#busy.get(creditPurseId);
    if (waiting !== undefined) {
      waiting.push(pending);
      return;
    }
    this.#busy.set(creditPurseId, [pending]);
    this.#clock.after(BUSY_MS, () => {
      this.#tryApart(creditPurseId).catch((fault: unknown) => this.#events.failed(fault));
    });
  }

  async #tryApart(creditPurseId: bigint): Promise<void> {
    if (this.#givesUp) return;
    const waiting = this.#busy.get(creditPurseId)?.splice(0) ?? [];
    await this.#settleBatch(waiting.slice(0, RECEIPTS_PER_BATCH));
    const rest = [...(this.#busy.get(creditPurseId) ?? []), ...waiting.slice(RECEIPTS_PER_BATCH)];
    this.#busy.delete(creditPurseId);
    for (const pending of rest) this.#waitApart(pending);
  }

  async #mayTryAgain(): Promise<boolean> {
    if (this.#givesUp) return false;
    await pause(this.#clock, RETRY_MS);
    return !this.#givesUp;
  }

  #end(pending: Pending, end: SettlementEnd): void {
    if (pending.place === null || !this.#pending.remove(pending.place)) return;
    pending.charge.ended(end);
    // Where no other server can take over, nothing is ever sent again.
    if (this.#trail !== null) this.#remember(pending);
    if (this.#ended.push({ pending, end }) === 1)
      this.#reportEnds().catch((fault: unknown) => this.#events.failed(fault));
  }

  /** Once the next batch is on its way: the database works on that while callers get their answers. */
  async #reportEnds(): Promise<void> {
    await this.#turns.turn('replies');
    for (const { pending, end } of this.#ended.splice(0)) {
      if (end.kind === 'refused') pending.reject(end.fault);
      else pending.resolve();
    }
  }

  async #leaveTrail(trail: Trail, batch: readonly Pending[]): Promise<void> {
    const receipts = batch.map(({ receipt }) => receipt);
    try {
      await trail.add(receipts, this.#epoch.timeline);
    } catch (fault) {
      this.#warn(fault);
    }
  }

  #remember({ receipt, charge }: Pending): void {
    const atMs = this.#clock.monotonicMs();
    this.#recent.push({ receipt, charge, atMs });
    const isFull = this.#recent.length > RECENT_MAX * 2;
    if (isFull) this.#recent.splice(0, RECENT_MAX);
  }

  /** Looks after those that wait, for as long as any does. */
  #watchLater(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.#clock.after(WATCH_MS, () => {
      this.#isWatched = false;
      if (this.#pending.size === 0) return;
      this.#watchLater();
      this.#journalWork(() => this.#watch()).catch((fault: unknown) => this.#warn(fault));
    });
  }

  async #watch(): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    await this.#writeJournal(this.#pending.items().filter(({ sinceMs }) => nowMs - sinceMs >= JOURNAL_MS));
    for (const { journaled, sinceMs, resolve } of this.#pending.items()) {
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
    await this.#journalWork(() => this.#writeJournal(this.#pending.items()));
    for (const { resolve } of this.#pending.items()) resolve();
  }

  /** Clears the journal once all that is in it is settled. */
  async #forgetJournal(): Promise<void> {
    const clear = async (): Promise<void> => {
      for (const { journaled } of this.#pending.items()) if (journaled) return;
      await this.#journal.clear();
      this.#hasJournaled = false;
    };
    await this.#journalWork(clear).catch((fault: unknown) => this.#warn(fault));
  }

  /** The journal could not be written; what should have gone there waits for the database. */
  #warn(fault: unknown): void {
    this.#events.warned('the journal could not be written', fault);
  }

  /** One thing at a time happens to the journal. */
  #journalWork(work: () => Promise<void>): Promise<void> {
    const done = this.#journalIdle.then(work);
    this.#journalIdle = done.catch(() => undefined);
    return done;
  }
}
