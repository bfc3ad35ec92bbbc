import type { NanoUsd } from '../../src/domain/money.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import type { HeartbeatReply } from '../../src/purses/purse-store.ts';
import { MemoryStore } from './memory-store.ts';
import type { VirtualClock } from './virtual-clock.ts';

/**
 * The database that all processes share: its rows, its wall clock, and what becomes of both when another server takes
 * over. It also sees what processes must never do to each other, and says so in `violations`.
 */
export class SharedDatabase {
  readonly model = new MemoryStore();
  readonly violations: string[] = [];
  /** Receipts that were there before another server took over, whether or not they were sent again. */
  readonly lost = new Set<string>();
  readonly #time: VirtualClock;
  readonly #heardMs = new Map<bigint, number>();
  /** Epochs that were declared dead, and not heard of since. They are, though another server may have forgotten it. */
  readonly #dead = new Set<bigint>();
  /** What fenced epochs may charge late at most: by epoch and purse, what of their leases was not charged. */
  readonly #uncharged = new Map<string, NanoUsd>();
  /** Epochs that have lived through a change of servers: their leases may be gone. */
  readonly #shaken = new Set<bigint>();
  readonly #onFenced: (epochId: bigint) => void;
  readonly #onLate: (epochId: bigint) => void;
  /** Subjects from whose purses nobody can draw, and until when. */
  readonly #refused = new Map<string, number>();
  #wallOffsetMs: number;
  #timeline = 1;
  #takeOver: (() => void) | null = null;
  #tookOverMs = -Infinity;

  /** `onFenced` hears of each epoch that a peer declares dead, `onLate` of each that charges late. */
  constructor(
    time: VirtualClock,
    { onFenced, onLate }: { onFenced: (epochId: bigint) => void; onLate: (epochId: bigint) => void },
  ) {
    this.#time = time;
    this.#onFenced = onFenced;
    this.#onLate = onLate;
    this.#wallOffsetMs = time.nowMs();
  }

  get nowMs(): number {
    return this.#wallOffsetMs + this.#time.monotonicMs();
  }

  get timeline(): string {
    return String(this.#timeline);
  }

  get takeOvers(): number {
    return this.#timeline - 1;
  }

  /** Virtual milliseconds since the last change of servers. */
  get sinceTakeOverMs(): number {
    return this.#time.monotonicMs() - this.#tookOverMs;
  }

  /** Whether any process may still count on what another server has lost. */
  get isShaken(): boolean {
    for (const id of this.#shaken) if (this.model.epochs.get(id)?.reaped === false) return true;
    return false;
  }

  get isLagging(): boolean {
    return this.#takeOver !== null;
  }

  /** From now on, and for this long, nobody can draw from the purses of this subject. */
  refuse(subjectId: string, forMs: number): void {
    this.#refused.set(subjectId, this.#time.monotonicMs() + forMs);
  }

  /** Whether that is so now, or has been within the last milliseconds. */
  isRefused(subjectId: string, withinMs = 0): boolean {
    const untilMs = this.#refused.get(subjectId);
    return untilMs !== undefined && this.#time.monotonicMs() < untilMs + withinMs;
  }

  /** Whether that is so of anybody. */
  isRefusing(withinMs: number): boolean {
    for (const subjectId of this.#refused.keys()) if (this.isRefused(subjectId, withinMs)) return true;
    return false;
  }

  jump(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  beginEpoch(instanceId: string, timeoutMs: number): bigint {
    const id = this.model.beginEpoch(instanceId, timeoutMs);
    this.#heardMs.set(id, this.#time.monotonicMs());
    return id;
  }

  heartbeat(epochId: bigint): HeartbeatReply {
    const peers = this.model.heartbeat(epochId);
    this.#heardMs.set(epochId, this.#time.monotonicMs());
    this.#dead.delete(epochId);
    return { databaseNowMs: this.nowMs, timeline: this.timeline, peers };
  }

  declareDead(epochId: bigint, heartbeat?: string): boolean {
    const epoch = this.model.epochs.get(epochId);
    const wasLive = epoch?.fenced === false;
    const isDead = this.model.declareDead(epochId, heartbeat);
    if (epoch === undefined || !isDead || !wasLive) return isDead;
    const silentMs = this.#time.monotonicMs() - (this.#heardMs.get(epochId) ?? 0);
    if (heartbeat !== undefined && silentMs < epoch.timeoutMs && !this.#dead.has(epochId))
      this.violations.push('a peer is fenced that was heard of');
    this.#dead.add(epochId);
    if (heartbeat !== undefined) this.#onFenced(epochId);
    for (const [purseId, { open, granted, charged }] of epoch.leases) {
      if (!open) this.#uncharged.set(`${epochId} ${purseId}`, granted - charged);
    }
    return isDead;
  }

  settle(epochId: bigint, receipts: readonly Receipt[]): void {
    this.model.settle(epochId, receipts);
    if (this.model.epochs.get(epochId)?.fenced !== false) this.violations.push('a fenced epoch settles');
  }

  settleLate(epochId: bigint, receipts: readonly Receipt[]): void {
    const fresh = receipts.filter(({ requestId }) => !this.model.receipts.has(requestId));
    if (fresh.length > 0) this.#onLate(epochId);
    this.model.settleLate(epochId, receipts);
    if (fresh.length === 0 || this.#shaken.has(epochId)) return;
    if (this.model.epochs.get(epochId)?.fenced !== true)
      this.violations.push('a charge is late though its epoch lives');
    for (const { charge, creditPurseId, projectPurseId, keyPurseId } of fresh) {
      for (const purseId of [creditPurseId, projectPurseId, keyPurseId]) {
        const key = `${epochId} ${purseId}`;
        const left = this.#uncharged.get(key);
        if (left === undefined) continue;
        this.#uncharged.set(key, left - charge);
        if (charge > left) this.violations.push('a fenced epoch charges more than its leases had');
      }
    }
  }

  /** From now on the server that may take over gets nothing any more. */
  lag(): void {
    this.#takeOver = this.model.snapshot();
  }

  /** The server that lags takes over, without the commits since. */
  takeOver(): void {
    if (this.#takeOver === null) return;
    const before = [...this.model.receipts.keys()];
    for (const id of this.model.epochs.keys()) this.#shaken.add(id);
    this.#takeOver();
    this.#takeOver = null;
    this.#timeline += 1;
    this.#tookOverMs = this.#time.monotonicMs();
    for (const id of before) if (!this.model.receipts.has(id)) this.lost.add(id);
  }

  catchUp(): void {
    this.#takeOver = null;
  }

  /** Refuses nothing more. */
  heal(): void {
    this.#refused.clear();
  }
}
