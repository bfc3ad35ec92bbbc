import type { Cancel, Clock } from '../../src/lib/clock.ts';
import type { Turns } from '../../src/gate/turns/stages.ts';

// A clock that stands still until it is told to go on.

interface Timer {
  readonly atMs: number;
  readonly task: () => void;
}

export class ManualClock implements Clock, Turns {
  #nowMs: number;
  readonly #timers = new Set<Timer>();

  constructor(nowMs = 1_800_000_000_000) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, task: () => void): Cancel {
    const timer = { atMs: this.#nowMs + delayMs, task };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** What has arrived is always looked at before time goes on. */
  turn(): Promise<void> {
    return Promise.resolve();
  }

  /** Lets all that needs no more time happen, then time pass, timers fire in their order, and all that follows happen. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await settled();
    for (;;) {
      const due = [...this.#timers].filter(({ atMs }) => atMs <= untilMs);
      const [next] = due.toSorted((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.task();
      await settled();
    }
    this.#nowMs = untilMs;
  }
}

/** Lets promises that are ready have their consequences. */
async function settled(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
