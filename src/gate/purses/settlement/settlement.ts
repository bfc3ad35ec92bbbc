import type { Clock } from '../../../lib/clock.ts';
import { orAfter, pause } from '../../../lib/pause.ts';
import type { Receipt } from '../../../domain/receipt.ts';
import type { EpochEvents } from '../ports/engine-events.ts';
import type { Turns } from '../../turns/stages.ts';
import type { Journal, Trail } from '../ports/disk.ts';
import type { PurseStore } from '../ports/database.ts';
import { type ChargeOwner, type PendingReceipt, PendingReceipts, RecentReceipts } from './kept-receipts.ts';
import { ReceiptBatches, type SettlementEnd } from './receipt-batches.ts';

const RECEIPTS_PER_BATCH = 500;
/** A batch that takes longer no longer delays the next one: its connection may hang. */
const PATIENCE_MS = 500;
/** Concurrent batches. */
const BATCHES_MAX = 3;
const RETRY_MS = 100;
/** How long receipts rest if another transaction has locked their workspace's leases or claims. */
const BUSY_MS = 200;
/** Above this backlog no holds are placed, because pending receipts are kept in memory. */
const BACKLOG_MAX = 50_000;

/** The epoch whose receipts are settled. */
interface SettledEpoch {
  readonly id: bigint;
  /** The server's timeline as last seen. */
  readonly timeline: string;
}

/**
 * Group commit: one batch is in progress, and the receipts that arrive by its end form the next, without a timer. Only
 * if a batch takes long, the next is sent too: batches have no order, and lock what they charge only while their
 * statement runs. A batch whose outcome is unknown is sent again unchanged; receipts are unique, so it charges nothing
 * twice.
 */
export class Settlement {
  readonly #clock: Clock;
  readonly #turns: Turns;
  readonly #epoch: SettledEpoch;
  readonly #batches: ReceiptBatches<PendingReceipt>;
  readonly #events: EpochEvents;
  readonly #pending: PendingReceipts;
  /** Null if no other server can take over: then nothing is ever sent again. */
  readonly #recent: RecentReceipts | null;
  #queue: PendingReceipt[] = [];
  /** Receipts that have ended; their callers are answered within this turn. */
  readonly #ended: { readonly pending: PendingReceipt; readonly end: SettlementEnd }[] = [];
  /** Receipts that wait for rows locked by another transaction, by the credit purse of their workspace. */
  readonly #busy = new Map<bigint, PendingReceipt[]>();
  /** How often commits may have been lost: outcomes of receipts sent before say nothing. */
  #losses = 0;
  #running: Promise<void> | null = null;
  readonly #underWay = new Set<Promise<void>>();
  #givesUp = false;

  constructor(parts: {
    store: PurseStore;
    clock: Clock;
    turns: Turns;
    journal: Journal;
    /** Null if no other server can take over. */
    trail: Trail | null;
    epoch: SettledEpoch;
    events: EpochEvents;
  }) {
    const { clock, trail, events } = parts;
    this.#clock = clock;
    this.#turns = parts.turns;
    this.#pending = new PendingReceipts(clock, parts.journal, events);
    this.#recent = trail === null ? null : new RecentReceipts(clock, trail, events);
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
        // The new server may lack this settlement.
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

  /** Whether no receipt is pending, and none was settled so recently that it may have to be sent again. */
  get isOver(): boolean {
    return this.#pending.size === 0 && this.#recent?.hasAny !== true;
  }

  get isOverloaded(): boolean {
    return this.#pending.size >= BACKLOG_MAX;
  }

  /** Resolves once the receipt is durable, here or in the database; rejects if the database refuses it for good. */
  settle(receipt: Receipt, answer: Buffer | null, charge: ChargeOwner): Promise<void> {
    return new Promise((resolve, reject) => {
      const sinceMs = this.#clock.monotonicMs();
      const pending: PendingReceipt = {
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
      this.#pending.add(pending);
      this.#send(pending);
    });
  }

  #send(pending: PendingReceipt): void {
    this.#queue.push(pending);
    // A run with nothing to do ends before `#running` is assigned, and would count as running forever.
    if (!this.#givesUp) this.#running ??= this.#run();
  }

  /** Resubmits recently settled receipts. They are unique: only those that the database has lost take effect. */
  resend(): void {
    this.#losses += 1;
    for (const { receipt, charge } of this.#recent?.take() ?? []) {
      charge.resent();
      // The caller got its answer long ago, and a refusal of the receipt has been reported.
      this.settle(receipt, null, charge).catch(() => undefined);
    }
  }

  /** The epoch is fenced: receipts are late from now on. */
  fence(): void {
    this.#batches.fence();
  }

  /** Resolves when all receipts are settled; after `withinMs`, the unsettled ones stay in the journal. */
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
    if (this.#givesUp) {
      this.#queue = [];
      await this.#pending.leaveToJournal().catch((fault: unknown) => this.#fail(fault));
    }
    await this.#pending.idle();
    await this.#recent?.closeTrail();
  }

  async #run(): Promise<void> {
    try {
      while (this.#queue.length > 0 && !this.#givesUp) {
        // Answers that arrived together are charged together: a batch costs as much as some twenty of its rows.
        await this.#turns.turn('statements');
        const batch = this.#queue.slice(0, RECEIPTS_PER_BATCH);
        this.#queue = this.#queue.slice(batch.length);
        if (this.#recent !== null) await this.#recent.leaveTrail(batch, this.#epoch.timeline);
        await this.#sendOff(this.#busy.size === 0 ? batch : this.#withoutBusy(batch));
      }
    } catch (fault) {
      this.#fail(fault);
    } finally {
      this.#running = null;
    }
  }

  /** Resolves when the next batch may be sent: when this one is settled, or earlier if it takes long. */
  async #sendOff(batch: readonly PendingReceipt[]): Promise<void> {
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

  /** If a workspace already has waiting receipts, its new ones wait with them. */
  #withoutBusy(batch: readonly PendingReceipt[]): readonly PendingReceipt[] {
    return batch.filter((pending) => {
      const waiting = this.#busy.get(pending.receipt.creditPurseId);
      waiting?.push(pending);
      return waiting === undefined;
    });
  }

  async #settleBatch(batch: readonly PendingReceipt[]): Promise<void> {
    for (const pending of batch) pending.lossesWhenSent = this.#losses;
    await this.#batches.settle(batch);
    if (this.#pending.hasJournaled) await this.#pending.clearJournal();
  }

  /** Keeps a receipt out of the batches until the rows that it needs are unlocked. */
  #waitApart(pending: PendingReceipt): void {
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

  #end(pending: PendingReceipt, end: SettlementEnd): void {
    if (!this.#pending.remove(pending)) return;
    pending.charge.ended(end);
    this.#recent?.note(pending);
    if (this.#ended.push({ pending, end }) === 1)
      this.#reportEnds().catch((fault: unknown) => this.#events.failed(fault));
  }

  /** Waits until the next batch is sent: the database works on it while callers get their answers. */
  async #reportEnds(): Promise<void> {
    await this.#turns.turn('replies');
    for (const { pending, end } of this.#ended.splice(0)) {
      if (end.kind === 'refused') pending.reject(end.fault);
      else pending.resolve();
    }
  }
}
