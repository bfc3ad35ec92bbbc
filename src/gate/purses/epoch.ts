import type { Cancel, Clock, SystemClock } from '../../lib/clock.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import type { EpochEvents } from './ports/engine-events.ts';
import { EpochFenced, type LeasesInUse, type Peer, type PurseStore } from './ports/database.ts';

/** Heartbeats per time-out: a few may be lost before the process must stop spending. */
const BEATS_PER_TIMEOUT = 6;
/** Concurrent heartbeats: one that hangs must not keep the next from trying another connection. */
const BEATS_UNDER_WAY = 3;
/** Looks at the peers that are further apart than this many heartbeats don't count as unbroken watching. */
const BEATS_BETWEEN_LOOKS_MAX = 3;
/** A slower heartbeat says too little about when the database read its clock. */
const CLOCK_ANSWER_MS = 1_000;

/** An epoch that the database has begun. */
export interface BegunEpoch {
  readonly id: bigint;
  /** When this process requested it; monotonic milliseconds. */
  readonly begunAtMs: number;
  /** The database's timeline as known before the epoch began: it must miss no change since. */
  readonly timeline: string;
}

/**
 * This process's life in the database's view. It counts itself dead once its last acknowledged heartbeat was sent a
 * time-out ago, because a peer may take its leases from then on; or when the database reports it fenced.
 */
export class Epoch {
  readonly id: bigint;
  readonly #store: PurseStore;
  readonly #clock: Clock & Pick<SystemClock, 'synchronise'>;
  readonly #timeoutMs: number;
  readonly #leasesInUse: () => LeasesInUse;
  readonly #peers: Peers;
  readonly #events: Pick<EpochEvents, 'serverChanged' | 'failed'>;
  readonly #fencing = new Set<bigint>();
  #timeline: string;
  #acknowledgedSentMs: number;
  #underWay = 0;
  #cancel: Cancel = () => undefined;
  #dead = false;
  #stopped = false;

  constructor(
    parts: BegunEpoch & {
      store: PurseStore;
      clock: Clock & Pick<SystemClock, 'synchronise'>;
      timeoutMs: number;
      leasesInUse: () => LeasesInUse;
      events: Pick<EpochEvents, 'serverChanged' | 'failed'>;
    },
  ) {
    this.id = parts.id;
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#timeoutMs = parts.timeoutMs;
    this.#leasesInUse = parts.leasesInUse;
    this.#acknowledgedSentMs = parts.begunAtMs;
    this.#timeline = parts.timeline;
    this.#events = parts.events;
    this.#peers = new Peers((parts.timeoutMs / BEATS_PER_TIMEOUT) * BEATS_BETWEEN_LOOKS_MAX);
  }

  /** The database's timeline as last seen. */
  get timeline(): string {
    return this.#timeline;
  }

  /** Whether the database has reported this epoch fenced. */
  get isDead(): boolean {
    return this.#dead;
  }

  /** Whether this process may still place holds. */
  get isLive(): boolean {
    return !this.#dead && this.#clock.monotonicMs() - this.#acknowledgedSentMs < this.#timeoutMs;
  }

  /** Sends heartbeats from now on, and resolves when the first has been answered or has failed. */
  async start(): Promise<void> {
    this.#beatLater();
    await this.#beat();
  }

  /** The database has reported this epoch fenced: it spends nothing from now on. */
  declareDead(): void {
    this.#dead = true;
    this.stop();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /**
   * Records the timeline of the server that has just answered. A dead epoch leaves a change to the next one, which
   * begins with the timeline of this one: receipts settled in it are resubmitted from there.
   */
  saw(timeline: string): void {
    if (this.#dead) return;
    if (this.#timeline === timeline) return;
    this.#timeline = timeline;
    this.#events.serverChanged();
  }

  #beatLater(): void {
    this.#cancel = this.#clock.after(this.#timeoutMs / BEATS_PER_TIMEOUT, () => {
      this.#beatLater();
      if (this.#underWay < BEATS_UNDER_WAY) this.#beat().catch((fault: unknown) => this.#events.failed(fault));
    });
  }

  async #beat(): Promise<void> {
    const sentMs = this.#clock.monotonicMs();
    this.#underWay += 1;
    try {
      const { databaseNowMs, timeline, peers } = await this.#store.heartbeat(this.id, this.#leasesInUse());
      const answeredMs = this.#clock.monotonicMs();
      this.#acknowledgedSentMs = Math.max(this.#acknowledgedSentMs, sentMs);
      // The database read its clock somewhere between sending and receiving.
      if (answeredMs - sentMs < CLOCK_ANSWER_MS) this.#clock.synchronise(databaseNowMs, (sentMs + answeredMs) / 2);
      this.saw(timeline);
      for (const peer of this.#peers.look(peers, sentMs, answeredMs)) this.#fence(peer);
    } catch (fault) {
      if (this.#stopped || fault instanceof DatabaseUnavailable) return;
      if (fault instanceof EpochFenced) this.declareDead();
      this.#events.failed(fault);
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Declares a peer dead, concurrently with the heartbeats: they must not wait for locks that it may still hold. */
  #fence({ epochId, heartbeat }: Peer): void {
    if (this.#fencing.has(epochId)) return;
    this.#fencing.add(epochId);
    this.#store
      .fence(epochId, heartbeat)
      .catch((fault: unknown) => {
        if (!this.#stopped && !(fault instanceof DatabaseUnavailable)) this.#events.failed(fault);
      })
      .finally(() => this.#fencing.delete(epochId));
  }
}

/** Clocks of two machines may run at different rates: a peer is watched longer by this part of its time-out. */
const DRIFT_PART = 50;

interface Watched {
  readonly heartbeat: string;
  /** When this process first saw that heartbeat; monotonic milliseconds. */
  readonly sinceMs: number;
}

/**
 * Detects dead peers: those that this process has watched silent for their time-out and a little more, while in touch
 * itself. A process that was cut off or suspended knows nothing about the others, and starts watching again.
 */
export class Peers {
  readonly #gapMsMax: number;
  #watched = new Map<bigint, Watched>();
  #lastSeenMs = -Infinity;

  /** `gapMsMax`: how far apart two looks may be for the watching to count as unbroken; milliseconds. */
  constructor(gapMsMax: number) {
    this.#gapMsMax = gapMsMax;
  }

  /** Records a look at the peers, sent and answered at these monotonic milliseconds; returns the dead ones. */
  look(peers: readonly Peer[], sentMs: number, answeredMs: number): readonly Peer[] {
    const isUnbroken = answeredMs - this.#lastSeenMs <= this.#gapMsMax;
    const before = isUnbroken ? this.#watched : new Map<bigint, Watched>();
    this.#lastSeenMs = answeredMs;
    this.#watched = new Map();
    return peers.filter((peer) => {
      const known = before.get(peer.epochId);
      // The first sighting counts from the answer, the last from the query: the silence lies between them.
      const watched = known?.heartbeat === peer.heartbeat ? known : { heartbeat: peer.heartbeat, sinceMs: answeredMs };
      this.#watched.set(peer.epochId, watched);
      const { isFenced, timeoutMs } = peer;
      return isFenced || sentMs - watched.sinceMs >= timeoutMs + timeoutMs / DRIFT_PART;
    });
  }
}
