import type { Clock, SystemClock } from '../lib/clock.ts';
import { DatabaseUnavailable } from '../lib/sql.ts';
import type { Principal } from '../domain/principal.ts';
import type { Receipt } from '../domain/receipt.ts';
import { Epoch } from './epoch.ts';
import { FirstDraws } from './first-draws.ts';
import type { Journal } from './ports/journal.ts';
import type { KeyStore } from './ports/key-store.ts';
import { EpochFenced, LeaseGone, type PurseName, type PurseStore } from './ports/purse-store.ts';
import type { PermitStore } from './ports/permit-store.ts';
import { Permits } from './permits/permits.ts';
import { Purses } from './purses.ts';
import type { Trail } from './ports/trail.ts';

const RETRY_MS = 250;

interface SpendingParts {
  readonly store: PurseStore;
  readonly permitStore: PermitStore;
  readonly keyStore: KeyStore;
  readonly clock: Clock & Pick<SystemClock, 'synchronise'>;
  /** Names the data directory that this process belongs to; a UUID. */
  readonly instanceId: string;
  readonly processName: string;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly holdWaitMs: number;
  readonly journalOf: (epochId: bigint) => Journal;
  /** Null where no other server can take over. */
  readonly trailOf: (epochId: bigint) => Trail | null;
  /** Called once at the start, and again when another server has taken over, which may lack what others settled. */
  readonly onServer: () => void;
  readonly onFault: (fault: unknown) => void;
  /** What an operator should hear of, though all goes on. */
  readonly onWarning: (message: string, fault: unknown) => void;
  readonly onPoison: (receipt: Receipt, fault: unknown) => void;
  /** A purse that the database refuses to draw from: who spends from it gets nothing until that is over. */
  readonly onRefusedPurse: (purse: PurseName, fault: unknown) => void;
  /** A project that the database refuses to draw permits for: its requests get none until that is over. */
  readonly onRefusedProject: (projectId: string, fault: unknown) => void;
}

interface Life {
  readonly epoch: Epoch;
  readonly purses: Purses;
  readonly permits: Permits;
  readonly firstDraws: FirstDraws;
  readonly trail: Trail | null;
}

/**
 * This process's spending through all its epochs. When one is fenced, because the database did not hear of it for too
 * long, the next begins; what was held in the former closes there, late.
 */
export class Spending {
  readonly #parts: SpendingParts;
  #life: Life;
  #former: Life[] = [];
  #renewal: Promise<void> | null = null;
  #stopped = false;

  private constructor(parts: SpendingParts, begun: Begun, timeline: string) {
    this.#parts = parts;
    this.#life = this.#liveOn(begun, timeline);
  }

  /** Begins the first epoch. @throws DatabaseUnavailable */
  static async start(parts: SpendingParts): Promise<Spending> {
    // Asked before anything is drawn or settled: the first heartbeat may be answered by the next server.
    const timeline = await parts.store.timeline();
    const spending = new Spending(parts, await beginEpoch(parts), timeline);
    await spending.#life.epoch.start();
    parts.onServer();
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

  /**
   * Whom keys belong to, by the SHA-256 of their secrets, in their order; null where no such key lives. What their first
   * requests will need is drawn with it. One look-up at a time. @throws DatabaseUnavailable
   */
  lookUp(secrets: readonly Buffer[]): Promise<readonly (Principal | null)[]> {
    return this.#life.firstDraws.lookUp(secrets);
  }

  /** Whether this process may place holds. */
  get isLive(): boolean {
    return this.#life.epoch.isLive;
  }

  /** Takes note of the timeline of the server that has just answered, as heartbeats do. */
  saw(timeline: string): void {
    this.#life.epoch.saw(timeline);
  }

  /** Receipts that the database doesn't have yet. */
  get unsettled(): number {
    return this.#lives.reduce((sum, { purses }) => sum + purses.unsettled, 0);
  }

  /**
   * Settles what is left, in every epoch, and ends the present one. With the database away it gives up after a while:
   * charges stay in the journal, and whoever recovers them finds their leases still there, unless the time-out is over.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#renewal;
    await this.#life.permits.stop();
    await Promise.all(this.#lives.map(({ purses }) => purses.stop()));
    if (this.#life.purses.unsettled > 0) return;
    try {
      await this.#parts.store.fence(this.#life.epoch.id);
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable)) throw fault;
    }
  }

  #renew(fault: EpochFenced): void {
    // What a former epoch hears late is no news.
    if (!this.#life.epoch.isDead) return;
    this.#parts.onWarning('this epoch is over, and the next begins', fault);
    this.#renewal ??= this.#beginAnew().catch(this.#parts.onFault);
  }

  async #beginAnew(): Promise<void> {
    try {
      // The next epoch may be declared dead as well before it has been heard of.
      while (!this.#stopped && this.#life.epoch.isDead) await this.#beginNext();
    } finally {
      this.#renewal = null;
    }
  }

  async #beginNext(): Promise<void> {
    try {
      const begun = await beginEpoch(this.#parts);
      await this.#life.permits.stop();
      this.#forgetOld();
      this.#former.push(this.#life);
      this.#life = this.#liveOn(begun, this.#life.epoch.timeline);
      await this.#life.epoch.start();
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable)) throw fault;
      await this.#pause();
    }
  }

  #liveOn(begun: Begun, timeline: string): Life {
    return makeLife(this.#parts, begun, {
      timeline,
      onLost: (why) => this.#startOver(why),
      onFenced: (fault) => this.#renew(fault),
    });
  }

  /**
   * The database may lack the last commits, draws among them, because another server has taken over. So this process
   * ends its own epoch and begins the next: no lease outlives what it was drawn from.
   */
  #startOver(why: string): void {
    const { epoch, purses } = this.#life;
    if (epoch.isDead) return;
    epoch.declareDead();
    const lives = this.#lives;
    this.#fenceUntilKnown(epoch.id)
      .then((isFenced) => {
        // Its leases still have what it had under way: the next start here finds that in the journal.
        if (!isFenced) return;
        purses.fenced(new EpochFenced(why));
        for (const life of lives) life.purses.resend();
        this.#parts.onServer();
      })
      .catch(this.#parts.onFault);
  }

  get #lives(): readonly Life[] {
    return [this.#life, ...this.#former];
  }

  /** Lets go of former epochs that nothing is left of. */
  #forgetOld(): void {
    const over = this.#former.filter(({ purses }) => purses.isOver);
    this.#former = this.#former.filter((life) => !over.includes(life));
    for (const { trail } of over) {
      trail?.clear().catch((fault: unknown) => this.#parts.onWarning('what was settled could not be forgotten', fault));
    }
  }

  /** Answers whether it is fenced; not, where this process stops before that is known. */
  async #fenceUntilKnown(epochId: bigint): Promise<boolean> {
    for (;;) {
      try {
        await this.#parts.store.fence(epochId);
        return true;
      } catch (fault) {
        if (!(fault instanceof DatabaseUnavailable)) throw fault;
        await this.#pause();
      }
      if (this.#stopped) return false;
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#parts.clock.after(RETRY_MS, resolve);
    });
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

interface LifeEvents {
  /** The database's timeline as it was known before. */
  readonly timeline: string;
  readonly onLost: (why: string) => void;
  readonly onFenced: (fault: EpochFenced) => void;
}

function makeLife(parts: SpendingParts, { id, begunAtMs }: Begun, { timeline, onLost, onFenced }: LifeEvents): Life {
  const { store, clock, timeoutMs, holdWaitMs, onFault, onWarning, onPoison } = parts;
  const epoch: Epoch = new Epoch({
    id,
    store,
    clock,
    timeoutMs,
    begunAtMs,
    timeline,
    onTimeline: () => onLost('another database server has taken over'),
    onFault: (fault) => onEpochFault(fault),
  });
  const onEpochFault = (fault: unknown): void => (fault instanceof EpochFenced ? purses.fenced(fault) : onFault(fault));
  const lost = (): void => onLost('the database has lost what this process had leased');
  const trail = parts.trailOf(id);
  const purses: Purses = new Purses({
    store,
    clock,
    epoch,
    journal: parts.journalOf(id),
    trail,
    holdWaitMs,
    onLost: lost,
    onFenced,
    onFault,
    onJournalFault: (fault) => onWarning('the journal could not be written', fault),
    onPoison,
    onRefusedPurse: parts.onRefusedPurse,
  });
  const permits = new Permits({
    store: parts.permitStore,
    clock,
    epoch,
    answerMs: holdWaitMs,
    onRefusedProject: parts.onRefusedProject,
    onFault: onEpochFault,
  });
  const onFirstFault = (fault: unknown): void => (fault instanceof LeaseGone ? lost() : onEpochFault(fault));
  const firstDraws = new FirstDraws({ store: parts.keyStore, clock, epoch, purses, permits, onFault: onFirstFault });
  return { epoch, purses, permits, firstDraws, trail };
}
