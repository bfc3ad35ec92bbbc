import { setImmediate as turn } from 'node:timers/promises';
import type { Cancel, Clock } from '../lib/clock.ts';

/** Looks in the time that a silence may last. */
const LOOKS_PER_SILENCE = 4;

/** The connections as this sees them. */
export interface WatchedDatabase {
  /** Whether any of them waits for something. */
  isAsking(): boolean;
  /** Everything that they have been sent so far, in bytes. */
  bytesHeard(): number;
  /** Opens a new connection and resolves whether any answer came within that time. It never rejects. */
  tryFresh(withinMs: number): Promise<boolean>;
  /** Drops them all, and makes no more. */
  bar(): void;
  /** Lets them be made again. */
  unbar(): void;
}

/**
 * Whether the database can be reached at all, by its answers. A connection whose other end is gone without
 * a word keeps its statement waiting for as long as it may take; this notices it long before.
 *
 * - *in touch*: answers come, or no request waits. After a silence in which something was asked all the while, a
 *   fresh connection is tried.
 * - *away*: that had no answer in the same time again, nor had any other. What is connected is dropped, and fresh
 *   connections are tried until one is answered: in touch again.
 *
 * A slow statement is no silence: others are answered, or the fresh connection is. A process that was suspended reads
 * the answers that have arrived before it gives anything up.
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

  /** `silenceMsMax`: the longest silence, and the time of a fresh connection after it. */
  constructor(silenceMsMax: number, clock: Pick<Clock, 'after' | 'monotonicMs'>, watched: WatchedDatabase) {
    this.#silenceMsMax = silenceMsMax;
    this.#clock = clock;
    this.#watched = watched;
    this.#answeredMs = clock.monotonicMs();
    this.#watch();
  }

  /** Whether requests fail without being sent, for now. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Watches no more. */
  close(): void {
    this.#isClosed = true;
    this.#cancelLook();
  }

  /** Looks after a while, and then again, until it is closed. */
  #watch(): void {
    if (this.#isClosed) return;
    this.#cancelLook = this.#clock.after(this.#silenceMsMax / LOOKS_PER_SILENCE, () => {
      this.#look().then(
        () => this.#watch(),
        () => this.#watch(),
      );
    });
  }

  async #look(): Promise<void> {
    if (this.#isAway) {
      // One that is never answered must not keep the next from it.
      this.#watched.tryFresh(this.#silenceMsMax).then(
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
    // Timers run before sockets are read: answers that came while this process was suspended are read now.
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
