import { pause } from '../../lib/pause.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import { together } from '../../lib/together.ts';
import { UNKNOWN, untilKnown } from '../../lib/until-known.ts';
import type { Principal } from '../../domain/principal.ts';
import type { BegunEpoch } from './epoch.ts';
import { Incarnation, type IncarnationOwner, type IncarnationParts } from './incarnation.ts';
import type { RateLimiter } from './permits/rate-limiter.ts';
import type { EngineEvents } from './ports/engine-events.ts';
import type { Journal, Trail } from './ports/disk.ts';
import { EpochFenced } from './ports/database.ts';
import type { Purses } from './leases/purses.ts';

const RETRY_MS = 250;

interface SpendingParts extends Omit<IncarnationParts, 'journal' | 'trail' | 'events'> {
  /** Names the data directory that this process belongs to; a UUID. */
  readonly instanceId: string;
  readonly processName: string;
  readonly journalOf: (epochId: bigint) => Journal;
  /** Null if no other server can take over. */
  readonly trailOf: (epochId: bigint) => Trail | null;
  readonly events: EngineEvents;
}

/**
 * This process's spending, over all its epochs. When an epoch is fenced, because its heartbeats were missing for too
 * long, the next begins; holds of the fenced one close late.
 */
export class Spending {
  readonly #parts: SpendingParts;
  readonly #owner: IncarnationOwner = {
    over: (fault) => this.#lifeIsOver(fault),
    mustEnd: (why) => this.#endLife(why),
  };
  #life: Incarnation;
  #former: Incarnation[] = [];
  #renewal: Promise<void> | null = null;
  #stopped = false;

  private constructor(parts: SpendingParts, begun: BegunEpoch) {
    this.#parts = parts;
    this.#life = this.#lifeOf(begun);
  }

  /** Begins the first epoch. @throws DatabaseUnavailable */
  static async start(parts: SpendingParts): Promise<Spending> {
    // Both timeline and epoch are known before anything is drawn or settled: another server may answer the first
    // heartbeat. If another server has begun the epoch, that heartbeat reports it, or finds no epoch.
    const [timeline, begun] = await together(parts.store.timeline(), beginEpoch(parts));
    const spending = new Spending(parts, { ...begun, timeline });
    await spending.#life.epoch.start();
    parts.events.serverBegun();
    return spending;
  }

  /** The purses of the present epoch. Read it again for each request. */
  get purses(): Purses {
    return this.#life.purses;
  }

  /** The rate-limit permits of the present epoch. Read it again for each request. */
  get permits(): RateLimiter {
    return this.#life.permits;
  }

  /**
   * Loads the principals of keys by the SHA-256 of their secrets, in order; null if there is no such live key. Also
   * draws what their first requests will need. One call at a time. @throws DatabaseUnavailable
   */
  lookUp(secrets: readonly Buffer[]): Promise<readonly (Principal | null)[]> {
    return this.#life.firstDraws.lookUp(secrets);
  }

  /** Whether this process may place holds. */
  get isLive(): boolean {
    return this.#life.epoch.isLive;
  }

  /** Records the timeline of the server that has just answered, as heartbeats do. */
  saw(timeline: string): void {
    this.#life.epoch.saw(timeline);
  }

  /** Holds that have not closed. */
  get openHolds(): number {
    return this.#lives.reduce((sum, { openHolds }) => sum + openHolds, 0);
  }

  /** Holds that wait for money. */
  get waitingHolds(): number {
    return this.#lives.reduce((sum, { waitingHolds }) => sum + waitingHolds, 0);
  }

  /** Receipts that the database doesn't have yet. */
  get unsettled(): number {
    return this.#lives.reduce((sum, { unsettled }) => sum + unsettled, 0);
  }

  /**
   * Settles the remaining receipts of every epoch, and ends the present one. If the database is away, it gives up
   * after a while: charges stay in the journal. Their recovery finds the leases unless the time-out has passed.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#renewal;
    await this.#life.permits.stop();
    await Promise.all(this.#lives.map((life) => life.stop()));
    if (this.#life.unsettled > 0) return;
    try {
      await this.#parts.store.fence(this.#life.epoch.id);
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable)) throw fault;
    }
  }

  #lifeIsOver(fault: EpochFenced): void {
    // An earlier epoch's end was known already.
    if (!this.#life.epoch.isDead) return;
    this.#parts.events.warned('this epoch is over, and the next begins', fault);
    this.#renewal ??= this.#startNextLife().catch((failure: unknown) => this.#parts.events.failed(failure));
  }

  async #startNextLife(): Promise<void> {
    try {
      // The next epoch may be fenced too before its first heartbeat is answered.
      while (!this.#stopped && this.#life.epoch.isDead) await this.#tryNextLife();
    } finally {
      this.#renewal = null;
    }
  }

  async #tryNextLife(): Promise<void> {
    try {
      const begun = { ...(await beginEpoch(this.#parts)), timeline: this.#life.epoch.timeline };
      await this.#life.permits.stop();
      this.#forgetOld();
      this.#former.push(this.#life);
      this.#life = this.#lifeOf(begun);
      await this.#life.epoch.start();
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable)) throw fault;
      await pause(this.#parts.clock, RETRY_MS);
    }
  }

  #lifeOf(begun: BegunEpoch): Incarnation {
    const { journalOf, trailOf } = this.#parts;
    return new Incarnation(
      { ...this.#parts, journal: journalOf(begun.id), trail: trailOf(begun.id) },
      begun,
      this.#owner,
    );
  }

  /**
   * Another server has taken over, and may lack the last commits, draws among them. So this process ends its epoch and
   * begins the next: no lease outlives the draws that it came from.
   */
  #endLife(why: string): void {
    const present = this.#life;
    const { epoch } = present;
    if (epoch.isDead) return;
    epoch.declareDead();
    const lives = this.#lives;
    this.#fenceUntilKnown(epoch.id)
      .then((isFenced) => {
        // Its leases still cover the charges in progress, which the next start here finds in the journal.
        if (!isFenced) return;
        present.fenced(new EpochFenced(why));
        for (const life of lives) life.resend();
        this.#parts.events.serverBegun();
      })
      .catch((fault: unknown) => this.#parts.events.failed(fault));
  }

  get #lives(): readonly Incarnation[] {
    return [this.#life, ...this.#former];
  }

  /** Forgets former epochs that have nothing left to settle. */
  #forgetOld(): void {
    const over = this.#former.filter(({ isOver }) => isOver);
    this.#former = this.#former.filter((life) => !over.includes(life));
    for (const life of over) {
      life.forget().catch((fault: unknown) => {
        this.#parts.events.warned('what was settled could not be forgotten', fault);
      });
    }
  }

  /** Returns whether it is fenced; false if this process stops before the outcome is known. */
  async #fenceUntilKnown(epochId: bigint): Promise<boolean> {
    const { store, clock } = this.#parts;
    const again = async (): Promise<boolean> => {
      await pause(clock, RETRY_MS);
      return !this.#stopped;
    };
    return (await untilKnown(() => store.fence(epochId), again)) !== UNKNOWN;
  }
}

/** @throws DatabaseUnavailable */
async function beginEpoch(parts: SpendingParts): Promise<Omit<BegunEpoch, 'timeline'>> {
  const { store, clock, instanceId, processName, timeoutMs } = parts;
  const begunAtMs = clock.monotonicMs();
  return { id: await store.beginEpoch(instanceId, processName, timeoutMs), begunAtMs };
}
