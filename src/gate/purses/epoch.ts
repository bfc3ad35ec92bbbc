import type { Cancel, Clock, SystemClock } from '../../lib/clock.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import type { EpochEvents } from './ports/engine-events.ts';
import { EpochFenced, type LeasesInUse, type Peer, type PurseStore } from './ports/database.ts';

/** Heartbeats in one time-out: a few may be lost before the process must hold still. */
const BEATS_PER_TIMEOUT = 6;
/** Heartbeats that may be under way together: one that hangs must not keep the next from trying another connection. */
const BEATS_UNDER_WAY = 3;
/** Heartbeats from one look at the peers to the next, at most, for the watching to count as unbroken. */
const BEATS_BETWEEN_LOOKS_MAX = 3;
/** A heartbeat that takes longer says too little about when the database has read its clock. */
const CLOCK_ANSWER_MS = 1_000;

/** An epoch that the database has begun. */
export interface BegunEpoch {
  readonly id: bigint;
  /** When this process asked for it; monotonic milliseconds. */
  readonly begunAtMs: number;
  /** The database's timeline as this process knew it before: the epoch must miss no change since. */
  readonly timeline: string;
}

/**
 * This process's life as the database knows it. It counts itself dead once its last acknowledged heartbeat, by the time
 * of sending, is as old as the time-out, because from then on a peer may take its leases; or when the database says so.
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

  /** Whether the database has said that this epoch is fenced. */
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

  /** The database has said that this epoch is fenced: from now on it spends nothing. */
  declareDead(): void {
    this.#dead = true;
    this.stop();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /**
   * Takes note of the timeline of the server that has just answered. An epoch that is over leaves news to the next one, which
   * begins with what this one knew: what has been settled in it is sent again from there.
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

  /** Declares a peer dead, apart from the heartbeats: they must not wait for locks that it may still have. */
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

/** Clocks of two machines may differ in their rates: a peer is watched for so much longer, as a part of its time-out. */
const DRIFT_PART = 50;

interface Watched {
  readonly heartbeat: string;
  /** Monotonic milliseconds at which this process saw that heartbeat first. */
  readonly sinceMs: number;
}

/**
 * Finds out which peers are dead. A peer is, once this process has watched it silent for its time-out and a little more, itself
 * in touch all the while: a process that was cut off, or stood still, knows nothing of the others and begins to watch from the start.
 */
export class Peers {
  readonly #gapMsMax: number;
  #watched = new Map<bigint, Watched>();
  #lastSeenMs = -Infinity;

  /** `gapMsMax`: how far apart two looks may be for the watching to count as unbroken; milliseconds. */
  constructor(gapMsMax: number) {
    this.#gapMsMax = gapMsMax;
  }

  /** Takes a look at the peers, sent and answered at these monotonic milliseconds; answers with those that are dead. */
  look(peers: readonly Peer[], sentMs: number, answeredMs: number): readonly Peer[] {
    const isUnbroken = answeredMs - this.#lastSeenMs <= this.#gapMsMax;
    const before = isUnbroken ? this.#watched : new Map<bigint, Watched>();
    this.#lastSeenMs = answeredMs;
    this.#watched = new Map();
    return peers.filter((peer) => {
      const known = before.get(peer.epochId);
      // The first sight counts from the answer, the last from the question: the silence lies between them.
      const watched = known?.heartbeat === peer.heartbeat ? known : { heartbeat: peer.heartbeat, sinceMs: answeredMs };
      this.#watched.set(peer.epochId, watched);
      const { isFenced, timeoutMs } = peer;
      return isFenced || sentMs - watched.sinceMs >= timeoutMs + timeoutMs / DRIFT_PART;
    });
  }
}
