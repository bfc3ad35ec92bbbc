import type { Peer } from './ports/purse-store.ts';

/** Clocks of two machines may differ in their rates: a peer is watched for so much longer, as a part of its time-out. */
const DRIFT_PART = 50;

interface Watched {
  readonly heartbeat: string;
  /** Monotonic milliseconds at which this process saw that heartbeat first. */
  readonly sinceMs: number;
}

/**
 * Tells which peers are dead. A peer is, once this process has watched it silent for its time-out and a little more, itself
 * in touch all the while: a process that was cut off, or stood still, knows nothing of the others and begins to watch anew.
 */
export class Peers {
  readonly #gapMsMax: number;
  #watched = new Map<bigint, Watched>();
  #lastSeenMs = -Infinity;

  /** `gapMsMax`: how far apart two looks may be for the watching to count as unbroken; milliseconds. */
  constructor(gapMsMax: number) {
    this.#gapMsMax = gapMsMax;
  }

  /** Begins to watch anew. */
  forget(): void {
    this.#watched.clear();
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
