import type { SinkConfig } from '../../config/config.ts';
import { type Loss, LOSSES, type Redaction, type SinkFate, type SinkRecord } from '../../domain/sinks.ts';
import { assert } from '../../lib/assert.ts';
import { ByteBudget } from '../../lib/byte-budget.ts';
import type { Cancel, Clock } from '../../lib/clock.ts';
import { LARGE_BYTES, ownTurn } from '../../lib/own-turn.ts';
import { orAfter } from '../../lib/pause.ts';
import type { ContentRecord, Delivery, LossNote, SinkDelivery } from './sink-batch.ts';

const BATCH_BYTES = 1_048_576;
const BATCH_RECORDS = 500;
/** How long a sink that fails rests before the next attempt: twice as long each time. */
const REST_MS_MIN = 1_000;
const REST_MS_MAX = 30_000;
/** How long a batch is tried before it is dropped. */
const TRIED_MS_MAX = 600_000;

/** A record that waits. */
export interface WaitingRecord {
  readonly kind: Extract<SinkRecord, 'content' | 'refusals'>;
  /** What it was accounted with. */
  readonly bytes: number;
  /** The record, of bytes that no one else uses. It may be called again. */
  make(redact: readonly Redaction[]): ContentRecord | string;
}

export interface SinkQueueParts {
  readonly sink: Pick<SinkConfig, 'name' | 'deliverEveryMs' | 'queueBytesMax'>;
  readonly clock: Clock;
  readonly delivery: SinkDelivery;
  /** What a workspace has delivered to this sink now. */
  readonly settingOf: (workspaceId: string) => { records: readonly SinkRecord[]; redact: readonly Redaction[] } | null;
  readonly counted: (fate: SinkFate, records: number) => void;
  readonly onLoss: (workspaceId: string, records: number) => void;
  readonly onFault: (reason: string) => void;
}

interface OfWorkspace {
  readonly waiting: WaitingRecord[];
  /** With what is reserved for records that are not complete. */
  bytes: number;
  lost: LossNote | null;
}

/** A batch that is being tried. */
interface Trial {
  readonly workspaceId: string;
  readonly number: number;
  readonly records: readonly WaitingRecord[];
  readonly lost: LossNote | null;
  readonly sinceMs: number;
  rests: number;
}

/**
 * What waits in this process for one sink. Nobody waits for the queue: what doesn't fit is dropped and counted, and the next
 * batch of the workspace says so. Workspaces take turns, and none may take up more than half.
 */
export class SinkQueue {
  readonly #parts: SinkQueueParts;
  readonly #budget: ByteBudget;
  /** In the order of their turns. */
  readonly #workspaces = new Map<string, OfWorkspace>();
  #trial: Trial | null = null;
  #batches = 0;
  #cancel: Cancel | null = null;
  #running: Promise<void> | null = null;
  #isStopping = false;

  constructor(parts: SinkQueueParts) {
    this.#parts = parts;
    this.#budget = new ByteBudget(parts.sink.queueBytesMax);
  }

  get name(): string {
    return this.#parts.sink.name;
  }

  get waitingBytes(): number {
    return this.#budget.taken;
  }

  /** Reserves bytes for a record; false if there is no room for it. */
  take(workspaceId: string, bytes: number): boolean {
    const own = this.#of(workspaceId);
    if (this.#isStopping || own.bytes + bytes > this.#parts.sink.queueBytesMax / 2) return false;
    if (!this.#budget.take(bytes)) return false;
    own.bytes += bytes;
    return true;
  }

  giveBack(workspaceId: string, bytes: number): void {
    const own = this.#of(workspaceId);
    own.bytes -= bytes;
    this.#budget.giveBack(bytes);
    if (own.bytes === 0 && own.lost === null) this.#workspaces.delete(workspaceId);
  }

  /** Adds a record for which its bytes are reserved. */
  push(workspaceId: string, record: WaitingRecord): void {
    const own = this.#of(workspaceId);
    own.waiting.push(record);
    if (own.bytes >= BATCH_BYTES) this.#run();
    else this.#schedule(this.#parts.sink.deliverEveryMs);
  }

  /** Counts records that were dropped. */
  lose(workspaceId: string, loss: Loss, records: number): void {
    const own = this.#of(workspaceId);
    const nowMs = this.#parts.clock.nowMs();
    own.lost = together(own.lost, { sinceMs: nowMs, untilMs: nowMs, records: { [loss]: records } });
    this.#parts.counted(loss, records);
    this.#parts.onLoss(workspaceId, records);
    this.#schedule(this.#parts.sink.deliverEveryMs);
  }

  /** Delivers what waits, within this time; the rest is dropped, and counted. */
  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true;
    this.#run();
    await orAfter(this.#parts.clock, this.#running ?? Promise.resolve(), withinMs);
    this.#cancel?.();
    const trial = this.#trial;
    this.#trial = null;
    if (trial !== null) this.lose(trial.workspaceId, 'stopped', trial.records.length);
    for (const [workspaceId, { waiting }] of this.#workspaces) {
      const { length } = waiting.splice(0);
      if (length > 0) this.lose(workspaceId, 'stopped', length);
    }
    this.#cancel?.();
  }

  #of(workspaceId: string): OfWorkspace {
    const known = this.#workspaces.get(workspaceId);
    if (known !== undefined) return known;
    const own = { waiting: [], bytes: 0, lost: null };
    this.#workspaces.set(workspaceId, own);
    return own;
  }

  #schedule(afterMs: number): void {
    if (this.#cancel !== null || this.#running !== null || this.#isStopping) return;
    this.#cancel = this.#parts.clock.after(afterMs, () => {
      this.#cancel = null;
      this.#run();
    });
  }

  #run(): void {
    // A sink that rests is not tried sooner because more waits for it.
    if (this.#running !== null || (this.#trial !== null && this.#cancel !== null && !this.#isStopping)) return;
    this.#cancel?.();
    this.#cancel = null;
    this.#running = this.#deliverAll().finally(() => {
      this.#running = null;
      if (this.#trial !== null) this.#schedule(Math.min(REST_MS_MAX, REST_MS_MIN * 2 ** (this.#trial.rests - 1)));
      else if (this.#hasNext()) this.#schedule(this.#parts.sink.deliverEveryMs);
    });
  }

  #hasNext(): boolean {
    return this.#workspaces.values().some(({ waiting, lost }) => waiting.length > 0 || lost !== null);
  }

  async #deliverAll(): Promise<void> {
    for (;;) {
      this.#trial ??= this.#nextTrial();
      if (this.#trial === null || !(await this.#try(this.#trial))) return;
    }
  }

  /** The next batch, by turns of workspaces; null if nothing waits. */
  #nextTrial(): Trial | null {
    for (const [workspaceId, own] of this.#workspaces) {
      if (own.waiting.length === 0 && own.lost === null) continue;
      this.#workspaces.delete(workspaceId);
      this.#workspaces.set(workspaceId, own);
      const records = own.waiting.splice(0, batchLength(own.waiting));
      const { lost } = own;
      own.lost = null;
      return {
        workspaceId,
        number: this.#batches++,
        records,
        lost,
        sinceMs: this.#parts.clock.monotonicMs(),
        rests: 0,
      };
    }
    return null;
  }

  /** Tries a batch; false if the sink is to rest before it, or another one, is tried. */
  async #try(trial: Trial): Promise<boolean> {
    const { workspaceId } = trial;
    const setting = this.#parts.settingOf(workspaceId);
    const wanted = setting === null ? [] : trial.records.filter(({ kind }) => setting.records.includes(kind));
    const delivery = setting === null ? null : await this.#deliver({ ...trial, records: wanted }, setting.redact);
    // The queue was stopped by then: what became of the batch is not known, and it counts as lost.
    if (this.#trial !== trial) return false;
    if (delivery !== null && !delivery.ok) {
      this.#parts.onFault(delivery.reason);
      const isOver = delivery.isFinal || this.#parts.clock.monotonicMs() - trial.sinceMs > TRIED_MS_MAX;
      trial.rests++;
      if (!isOver) return false;
    }
    this.#trial = null;
    this.#end(trial, wanted.length, delivery);
    // What the sink will never take may be followed by more of that kind.
    return delivery?.ok !== false;
  }

  #end({ workspaceId, records, lost }: Trial, wanted: number, delivery: Delivery | null): void {
    const switchedOff = records.length - wanted;
    if (switchedOff > 0) this.#parts.counted('switched_off', switchedOff);
    if (delivery?.ok === false) {
      const own = this.#of(workspaceId);
      if (lost !== null) own.lost = together(own.lost, lost);
      if (wanted > 0) this.lose(workspaceId, 'not_delivered', wanted);
    } else if (delivery?.ok === true) {
      const delivered = wanted - delivery.unreadable;
      if (delivered > 0) this.#parts.counted('delivered', delivered);
      if (delivery.unreadable > 0) this.lose(workspaceId, 'unreadable', delivery.unreadable);
    }
    const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
    this.giveBack(workspaceId, bytes);
  }

  async #deliver(
    { workspaceId, number, records, lost }: Pick<Trial, 'workspaceId' | 'number' | 'records' | 'lost'>,
    redact: readonly Redaction[],
  ): Promise<Delivery> {
    if (records.length === 0 && lost === null) return { ok: true, unreadable: 0 };
    const made: (ContentRecord | string)[] = [];
    for (const record of records) {
      // A copy of many megabytes takes as long as reading them did.
      if (record.bytes > LARGE_BYTES) await ownTurn();
      made.push(record.make(redact));
    }
    return await this.#parts.delivery.deliver({ workspaceId, number, records: made, lost });
  }
}

/** How many of the first records make a batch; one at least. */
function batchLength(waiting: readonly WaitingRecord[]): number {
  let bytes = 0;
  const end = waiting.findIndex((record, at) => {
    bytes += record.bytes;
    return at >= BATCH_RECORDS || (at > 0 && bytes > BATCH_BYTES);
  });
  assert(end !== 0, 'a batch has its first record, however large');
  return end === -1 ? waiting.length : end;
}

function together(one: LossNote | null, other: LossNote): LossNote {
  if (one === null) return other;
  const records = { ...one.records };
  for (const loss of LOSSES) {
    const count = (one.records[loss] ?? 0) + (other.records[loss] ?? 0);
    if (count > 0) records[loss] = count;
  }
  return { sinceMs: Math.min(one.sinceMs, other.sinceMs), untilMs: Math.max(one.untilMs, other.untilMs), records };
}
