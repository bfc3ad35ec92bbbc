import { nextTick } from 'node:process';
import type { Cancel, Clock } from '../../src/lib/clock.ts';
import type { Turns } from '../../src/gate/turns/stages.ts';

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly task: () => void;
}

/** Time that passes only when it is told to, and all that was to happen in it happens in order. */
export class VirtualClock implements Clock, Turns {
  readonly #startMs: number;
  #elapsedMs = 0;
  #order = 0;
  #timers: Timer[] = [];

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  nowMs(): number {
    return Math.floor(this.#startMs + this.#elapsedMs);
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  /** The simulated database runs on this clock as well, so there is no offset to learn. */
  synchronise(databaseNowMs: number, atMonotonicMs: number): void {
    void (databaseNowMs - atMonotonicMs);
  }

  after(delayMs: number, task: () => void): Cancel {
    this.#order += 1;
    const timer = { atMs: this.#elapsedMs + delayMs, order: this.#order, task };
    const before = this.#timers.findLastIndex((other) => other.atMs <= timer.atMs);
    this.#timers.splice(before + 1, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  /** What has arrived is always looked at before time goes on. */
  turn(): Promise<void> {
    return Promise.resolve();
  }

  /** Lets time pass, running what is due, and calls `afterEach` when all that follows from it has happened. */
  async pass(durationMs: number, afterEach: () => void = () => undefined): Promise<void> {
    const untilMs = this.#elapsedMs + durationMs;
    await settled();
    afterEach();
    for (let next = this.#timers[0]; next !== undefined && next.atMs <= untilMs; next = this.#timers[0]) {
      this.#timers.shift();
      this.#elapsedMs = next.atMs;
      next.task();
      await settled();
      afterEach();
    }
    this.#elapsedMs = untilMs;
  }
}

/** Resolves when all that follows from what has happened has happened: ticks come after all promises. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    nextTick(resolve);
  });
}
