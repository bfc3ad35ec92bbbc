import type { Clock } from '../../../lib/clock.ts';

const TICK_MS = 1_000;

/** A stream that must not be silent for longer than the pulse's interval. */
export interface PingedStream {
  /** When bytes were last sent; monotonic milliseconds. */
  readonly lastSentMs: number;
  /** Whether the caller may have left, which pings detect. */
  readonly isDoubtful: boolean;
  ping(): void;
}

/**
 * One timer for all streams. At each tick it pings streams that have been silent for too long, and all whose caller may
 * have left.
 */
export class Pulse {
  /** The longest silence; milliseconds. */
  intervalMs: number;
  readonly #clock: Clock;
  readonly #streams = new Set<PingedStream>();
  #ticking = false;

  constructor(clock: Clock, intervalMs: number) {
    this.#clock = clock;
    this.intervalMs = intervalMs;
  }

  add(stream: PingedStream): void {
    this.#streams.add(stream);
    this.#tickLater();
  }

  remove(stream: PingedStream): void {
    this.#streams.delete(stream);
  }

  #tickLater(): void {
    if (this.#ticking || this.#streams.size === 0) return;
    this.#ticking = true;
    this.#clock.after(Math.min(TICK_MS, this.intervalMs), () => {
      this.#ticking = false;
      const silentSinceMs = this.#clock.monotonicMs() - this.intervalMs;
      for (const stream of this.#streams) {
        if (stream.isDoubtful || stream.lastSentMs <= silentSinceMs) stream.ping();
      }
      this.#tickLater();
    });
  }
}
