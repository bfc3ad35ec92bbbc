import type { Receipt } from '../../domain/receipt.ts';
import type { Clock, SystemClock } from '../../lib/clock.ts';
import type { Turns } from '../turns/stages.ts';
import { type BegunEpoch, Epoch } from './epoch.ts';
import { FirstDraws } from './first-draws.ts';
import { Allocator } from './leases/allocator.ts';
import { Purses } from './leases/purses.ts';
import { RateLimiter } from './permits/rate-limiter.ts';
import type { EpochEvents, OperatorEvents } from './ports/engine-events.ts';
import type { Journal, Trail } from './ports/disk.ts';
import {
  EpochFenced,
  type KeyStore,
  LeaseGone,
  type PermitStore,
  type PurseName,
  type PurseStore,
} from './ports/database.ts';
import { Settlement } from './settlement/settlement.ts';

/** How long a stop waits for the last charges to become durable. */
const STOP_MS = 5_000;

export interface IncarnationParts {
  readonly store: PurseStore;
  readonly permitStore: PermitStore;
  readonly keyStore: KeyStore;
  readonly clock: Clock & Pick<SystemClock, 'synchronise'>;
  readonly turns: Turns;
  /** How long the epoch lives without an acknowledged heartbeat; milliseconds. */
  readonly timeoutMs: number;
  /** How long a request waits for money or permits; milliseconds. */
  readonly holdWaitMs: number;
  readonly journal: Journal;
  /** Null if no other server can take over. */
  readonly trail: Trail | null;
  readonly events: OperatorEvents;
}

/** Decides when a life ends, and what follows. */
export interface IncarnationOwner {
  /** The database has reported that the epoch is over. */
  over(fault: EpochFenced): void;
  /** The database may have lost data that this life relies on, so its epoch must be ended. */
  mustEnd(why: string): void;
}

/** One epoch of this process: the parts of the engine that spend in it, connected to each other. */
export class Incarnation implements EpochEvents {
  readonly epoch: Epoch;
  readonly purses: Purses;
  readonly permits: RateLimiter;
  readonly firstDraws: FirstDraws;
  readonly #events: OperatorEvents;
  readonly #owner: IncarnationOwner;
  readonly #settlement: Settlement;
  readonly #allocator: Allocator;
  readonly #trail: Trail | null;

  constructor(parts: IncarnationParts, begun: BegunEpoch, owner: IncarnationOwner) {
    const { store, clock, turns, timeoutMs, holdWaitMs, journal, trail } = parts;
    this.#events = parts.events;
    this.#owner = owner;
    this.#trail = trail;
    const epoch = new Epoch({
      ...begun,
      store,
      clock,
      timeoutMs,
      leasesInUse: () => this.#allocator.leasesInUse(),
      events: this,
    });
    const settlement = new Settlement({ store, clock, turns, epoch, journal, trail, events: this });
    this.epoch = epoch;
    this.#settlement = settlement;
    this.#allocator = new Allocator({ store, clock, epoch, holdWaitMs, settlement, events: this });
    this.purses = new Purses(begun.id, this.#allocator);
    this.permits = new RateLimiter({ store: parts.permitStore, clock, epoch, answerMs: holdWaitMs, events: this });
    this.firstDraws = new FirstDraws({
      store: parts.keyStore,
      clock,
      epoch,
      allocator: this.#allocator,
      permits: this.permits,
      events: this,
    });
  }

  /** Holds that have not closed. */
  get openHolds(): number {
    return this.#allocator.open;
  }

  /** Holds that wait for money. */
  get waitingHolds(): number {
    return this.#allocator.waiting;
  }

  /** Receipts that the database doesn't have yet. */
  get unsettled(): number {
    return this.#settlement.backlog;
  }

  /** Whether nothing is held here, and nothing may have to be settled any more. */
  get isOver(): boolean {
    return this.#allocator.open === 0 && this.#settlement.isOver;
  }

  /** Resubmits what was settled in the last minute: another server has taken over and may lack it. */
  resend(): void {
    this.#settlement.resend();
  }

  /** Clears the trail of this epoch: nothing of it can have to be sent again. */
  async forget(): Promise<void> {
    await this.#trail?.clear();
  }

  /**
   * Ends all waits and settles the remaining receipts; if the database is away, they stay in the journal. No hold may
   * be open. The caller ends the epoch itself.
   */
  async stop(): Promise<void> {
    this.#allocator.endWaits();
    await this.#settlement.stop(STOP_MS);
    await this.#allocator.stop();
    this.epoch.stop();
  }

  /** Ends all waits and draws; open holds close late. */
  fenced(fault: EpochFenced): void {
    if (this.#allocator.isEnded) return;
    this.epoch.declareDead();
    this.#settlement.fence();
    this.#allocator.halt();
    this.#owner.over(fault);
  }

  leasesLost(): void {
    this.#owner.mustEnd('the database has lost what this process had leased');
  }

  serverChanged(): void {
    this.#owner.mustEnd('another database server has taken over');
  }

  failed(fault: unknown): void {
    if (fault instanceof EpochFenced) this.fenced(fault);
    else if (fault instanceof LeaseGone) this.leasesLost();
    else this.#events.failed(fault);
  }

  warned(message: string, fault: unknown): void {
    this.#events.warned(message, fault);
  }

  receiptRefused(receipt: Receipt, fault: unknown): void {
    this.#events.receiptRefused(receipt, fault);
  }

  purseRefused(purse: PurseName, fault: unknown): void {
    this.#events.purseRefused(purse, fault);
  }

  projectRefused(projectId: string, fault: unknown): void {
    this.#events.projectRefused(projectId, fault);
  }
}
