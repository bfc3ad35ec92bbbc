import { RecentMap } from '../../lib/recent-map.ts';
import type { Notice } from './notice.ts';
import type { ClaimedNotice, ClaimRequest } from './outbox-store.ts';

const PLACES = 8;
const PLACES_FOR_SLOW = 4;
const PLACES_PER_OWNER = 2;
const SLOW_MS = 2_000;
/** A slow receiver beyond these counts as fast once more. */
const SLOW_KNOWN_MAX = 1_000;

/** The receivers that took long the last time; null: the channel has one server for all receivers. */
type SlowReceivers = RecentMap<string, true> | null;

interface LaneSettings {
  readonly channel: Notice['channel'];
  readonly places: number;
  readonly slow: SlowReceivers;
  readonly isForSlow: boolean;
}

/**
 * Places for notices that are sent at the same time. Owners take turns: each has one notice claimed in a round, and two in
 * progress at most. A receiver has one in progress.
 */
export class SendLane {
  readonly #settings: LaneSettings;
  readonly #inProgress = new Set<ClaimedNotice>();
  readonly #servedInRound = new Set<string>();

  constructor(settings: LaneSettings) {
    this.#settings = settings;
  }

  /** Whether more can be sent now. */
  get isOpen(): boolean {
    const { places, slow, isForSlow } = this.#settings;
    return this.#inProgress.size < places && (!isForSlow || slow?.keys().next().done === false);
  }

  /** What to claim next. */
  request(): ClaimRequest {
    const { channel, places, slow, isForSlow } = this.#settings;
    const sending = [...this.#inProgress];
    const busy = new Set(sending.map(({ receiver }) => receiver));
    const byOwner = Map.groupBy(sending, ({ owner }) => owner);
    const full = [...byOwner].filter(([, claims]) => claims.length >= PLACES_PER_OWNER).map(([owner]) => owner);
    const known = [...(slow?.keys() ?? [])];
    return {
      channel,
      most: places - sending.length,
      exceptOwners: [...full, ...this.#servedInRound],
      ...(isForSlow
        ? { receivers: known.filter((receiver) => !busy.has(receiver)) }
        : { exceptReceivers: [...busy, ...known] }),
    };
  }

  /** Begins a round in which every owner has a turn again. False if no owner had a turn in this round. */
  beginRound(): boolean {
    const hasServed = this.#servedInRound.size > 0;
    this.#servedInRound.clear();
    return hasServed;
  }

  began(claimed: ClaimedNotice): void {
    this.#inProgress.add(claimed);
    this.#servedInRound.add(claimed.owner);
  }

  ended(claimed: ClaimedNotice, durationMs: number): void {
    this.#inProgress.delete(claimed);
    const { slow } = this.#settings;
    if (durationMs >= SLOW_MS) slow?.set(claimed.receiver, true);
    else slow?.delete(claimed.receiver);
  }
}

/**
 * The lanes of an outbox. Mails don't wait for webhooks, and webhooks to receivers that answer soon don't wait for those to
 * receivers that don't.
 */
export function sendLanes(): readonly SendLane[] {
  const slow = new RecentMap<string, true>(SLOW_KNOWN_MAX);
  return [
    new SendLane({ channel: 'mail', places: PLACES, slow: null, isForSlow: false }),
    new SendLane({ channel: 'webhook', places: PLACES, slow, isForSlow: false }),
    new SendLane({ channel: 'webhook', places: PLACES_FOR_SLOW, slow, isForSlow: true }),
  ];
}
