import type { Clock, SystemClock } from '../lib/clock.ts';
import { DatabaseUnavailable } from '../lib/sql.ts';
import type { Receipt } from '../domain/receipt.ts';
import { Epoch } from './epoch.ts';
import type { Journal, LeftJournal } from './journal.ts';
import { EpochFenced, type PurseStore } from './purse-store.ts';
import type { PermitStore } from './permit-store.ts';
import { Permits } from './permits.ts';
import { Purses } from './purses.ts';

const RETRY_MS = 250;

interface SpendingParts {
  readonly store: PurseStore;
  readonly permitStore: PermitStore;
  readonly clock: Clock & Pick<SystemClock, 'synchronise'>;
  /** Names the data directory that this process belongs to; a UUID. */
  readonly instanceId: string;
  readonly processName: string;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly holdWaitMs: number;
  readonly journalOf: (epochId: bigint) => Journal;
  readonly onFault: (fault: unknown) => void;
  /** What an operator should hear of, though all goes on. */
  readonly onWarning: (message: string, fault: unknown) => void;
  readonly onPoison: (receipt: Receipt, fault: unknown) => void;
}

interface Life {
  readonly epoch: Epoch;
  readonly purses: Purses;
  readonly permits: Permits;
}

/**
 * Settles what former epochs of a data directory left in their journals, then fences them and gives their leases back.
 * Only whoever holds the directory's lock may do so. An epoch that still counts as live takes its charges from its own
 * leases; one that a peer has fenced is late.
 */
export async function recover(store: PurseStore, instanceId: string, journals: readonly LeftJournal[]): Promise<void> {
  for (const { epochId, receipts, remove } of journals) {
    if (receipts.length > 0) await settleLeft(store, epochId, receipts);
    await remove();
  }
  for (const epochId of await store.formerEpochs(instanceId)) await store.fence(epochId);
}

async function settleLeft(store: PurseStore, epochId: bigint, receipts: readonly Receipt[]): Promise<void> {
  try {
    await store.settle(epochId, receipts, new Map());
  } catch (fault) {
    if (fault instanceof DatabaseUnavailable) throw fault;
    await store.settleLate(epochId, receipts, new Map());
  }
}

/**
 * This process's spending through all its epochs. When one is fenced, because the database did not hear of it for too
 * long, the next begins; what was held in the former closes there, late.
 */
export class Spending {
  readonly #parts: SpendingParts;
  #life: Life;
  #former: Purses[] = [];
  #renewal: Promise<void> | null = null;
  #stopped = false;

  private constructor(parts: SpendingParts, begin: (spending: () => Spending) => Life) {
    this.#parts = parts;
    this.#life = begin(() => this);
  }

  /** Begins the first epoch. @throws DatabaseUnavailable */
  static async start(parts: SpendingParts): Promise<Spending> {
    const begun = await beginEpoch(parts);
    const spending = new Spending(parts, (self) => makeLife(parts, begun, (fault) => self().#renew(fault)));
    await spending.#life.epoch.start();
    return spending;
  }

  /** The purses of the present epoch. Ask anew for each request. */
  get purses(): Purses {
    return this.#life.purses;
  }

  /** The rate limits' permits of the present epoch. Ask anew for each request. */
  get permits(): Permits {
    return this.#life.permits;
  }

  /** Whether this process may place holds. */
  get isLive(): boolean {
    return this.#life.epoch.isLive;
  }

  /** Receipts that the database doesn't have yet. */
  get unsettled(): number {
    return [this.#life.purses, ...this.#former].reduce((sum, purses) => sum + purses.unsettled, 0);
  }

  /**
   * Settles what is left, in every epoch, and ends the present one. With the database away it gives up after a while:
   * charges stay in the journal, and the next epoch of the data directory takes the leases back.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#renewal;
    await this.#life.permits.stop();
    await Promise.all([this.#life.purses, ...this.#former].map((purses) => purses.stop()));
    try {
      await this.#parts.store.fence(this.#life.epoch.id);
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable)) throw fault;
    }
  }

  #renew(fault: EpochFenced): void {
    this.#parts.onWarning('this process was declared dead by another and begins anew', fault);
    this.#renewal ??= this.#beginAnew()
      .catch(this.#parts.onFault)
      .finally(() => {
        this.#renewal = null;
      });
  }

  async #beginAnew(): Promise<void> {
    while (!this.#stopped) {
      try {
        const begun = await beginEpoch(this.#parts);
        await this.#life.permits.stop();
        this.#former = [...this.#former.filter((purses) => !purses.isQuiet), this.#life.purses];
        this.#life = makeLife(this.#parts, begun, (fault) => this.#renew(fault));
        await this.#life.epoch.start();
        return;
      } catch (fault) {
        if (!(fault instanceof DatabaseUnavailable)) throw fault;
        await new Promise<void>((resolve) => {
          this.#parts.clock.after(RETRY_MS, resolve);
        });
      }
    }
  }
}

interface Begun {
  readonly id: bigint;
  readonly begunAtMs: number;
}

async function beginEpoch({ store, clock, instanceId, processName, timeoutMs }: SpendingParts): Promise<Begun> {
  const begunAtMs = clock.monotonicMs();
  return { id: await store.beginEpoch(instanceId, processName, timeoutMs), begunAtMs };
}

function makeLife(parts: SpendingParts, { id, begunAtMs }: Begun, onFenced: (fault: EpochFenced) => void): Life {
  const { store, clock, timeoutMs, holdWaitMs, onFault, onWarning, onPoison } = parts;
  const epoch: Epoch = new Epoch({
    id,
    store,
    clock,
    timeoutMs,
    begunAtMs,
    onTimeline: () => {
      onWarning('the database has a new timeline: another server has taken over', null);
      purses.timelineChanged();
    },
    onFault: (fault) => onEpochFault(fault),
  });
  const onEpochFault = (fault: unknown): void => (fault instanceof EpochFenced ? purses.fenced(fault) : onFault(fault));
  const purses: Purses = new Purses({
    store,
    clock,
    epoch,
    journal: parts.journalOf(id),
    holdWaitMs,
    onFenced,
    onFault,
    onJournalFault: (fault) => onWarning('the journal could not be written', fault),
    onPoison,
  });
  const permits = new Permits({ store: parts.permitStore, clock, epoch, answerMs: holdWaitMs, onFault: onEpochFault });
  return { epoch, purses, permits };
}
