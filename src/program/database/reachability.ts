import { setImmediate as turn } from 'node:timers/promises';
import type { Cancel, Clock } from '../../lib/clock.ts';

/** Checks per longest allowed silence; fewer while it is away, since each opens a connection. */
const LOOKS_PER_SILENCE = 4;
const LOOKS_PER_SILENCE_AWAY = 2;
/**
 * How long a new connection may take to show that the database is back, in longest allowed silences: a slow one takes
 * seconds for each of its answers, and then isn't away any more.
 */
const SILENCES_TO_COME_BACK = 5;

/** The connections, as far as this needs them. */
export interface WatchedDatabase {
  /** Whether any of them waits for a response. */
  isAsking(): boolean;
  /** All bytes received so far. */
  bytesHeard(): number;
  /** Opens a new connection and resolves to whether a response came within that time. Never rejects. */
  tryFresh(withinMs: number): Promise<boolean>;
  /** Destroys all connections, and allows no new ones. */
  bar(): void;
  /** Allows new connections again. */
  unbar(): void;
}

/**
 * Decides from responses whether the database can be reached. On a connection whose peer has vanished, a statement
 * would wait for its full time limit; this detects it long before.
 *
 * - *reachable*: responses come, or no statement waits. After a silence during which a statement was waiting, a new
 *   connection is tried.
 * - *away*: neither that connection nor any other had a response in another such time. All connections are destroyed,
 *   and new ones are tried until one gets a response: reachable again.
 *
 * A slow statement is no silence: other statements, or the new connection, get responses. A process that was suspended
 * reads the responses that have arrived before it destroys anything.
 */
export class Reachability {
  readonly #silenceMsMax: number;
  readonly #watched: WatchedDatabase;
  readonly #clock: Pick<Clock, 'after' | 'monotonicMs'>;
  #cancelLook: Cancel = () => undefined;
  #isClosed = false;
  #bytes = 0;
  #answeredMs: number;
  #isAway = false;

  /** `silenceMsMax`: the longest silence, and the time allowed to a new connection after it. */
  constructor(silenceMsMax: number, clock: Pick<Clock, 'after' | 'monotonicMs'>, watched: WatchedDatabase) {
    this.#silenceMsMax = silenceMsMax;
    this.#clock = clock;
    this.#watched = watched;
    this.#answeredMs = clock.monotonicMs();
    this.#watch();
  }

  /** Whether statements currently fail without being sent. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Stops watching. */
  close(): void {
    this.#isClosed = true;
    this.#cancelLook();
  }

  /** Checks at regular intervals until it is closed. */
  #watch(): void {
    if (this.#isClosed) return;
    const looks = this.#isAway ? LOOKS_PER_SILENCE_AWAY : LOOKS_PER_SILENCE;
    this.#cancelLook = this.#clock.after(this.#silenceMsMax / looks, () => {
      this.#look().then(
        () => this.#watch(),
        () => this.#watch(),
      );
    });
  }

  async #look(): Promise<void> {
    if (this.#isAway) {
      // A connection without a response must not delay the next attempt.
      this.#watched.tryFresh(SILENCES_TO_COME_BACK * this.#silenceMsMax).then(
        (isThere) => isThere && this.#comeBack(),
        () => undefined,
      );
    } else if (this.#isSilent()) {
      await this.#doubt();
    }
  }

  #isSilent(): boolean {
    const bytes = this.#watched.bytesHeard();
    const nowMs = this.#clock.monotonicMs();
    if (bytes !== this.#bytes || !this.#watched.isAsking()) this.#answeredMs = nowMs;
    this.#bytes = bytes;
    return nowMs - this.#answeredMs >= this.#silenceMsMax;
  }

  async #doubt(): Promise<void> {
    const isThere = await this.#watched.tryFresh(this.#silenceMsMax);
    // Timers run before sockets are read. This lets responses that arrived while the process was suspended be read.
    await turn();
    if (isThere) {
      this.#answeredMs = this.#clock.monotonicMs();
    } else if (this.#isSilent()) {
      this.#isAway = true;
      this.#watched.bar();
    }
  }

  #comeBack(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#answeredMs = this.#clock.monotonicMs();
    this.#watched.unbar();
  }
}
