import type { Cancel, Clock } from '../../src/lib/clock.ts';
import type { Turns } from '../../src/gate/turns/stages.ts';
import type { VirtualClock } from './virtual-clock.ts';

/**
 * One process's time. It may run faster or slower than everybody's; nothing happens in the process while it is stopped, and
 * nothing any more once it is gone. What would have happened meanwhile happens when it goes on. Its wall time is what it
 * has learnt of the database's.
 */
export class ProcessClock implements Clock, Turns {
  readonly #time: VirtualClock;
  readonly #rate: number;
  #offsetMs: number;
  #waiting: (() => void)[] = [];
  #isPaused = false;
  #resumedMs = -Infinity;
  #isGone = false;

  /** `rate`: how much passes here in one of everybody's milliseconds. */
  constructor(time: VirtualClock, nowMs: number, rate: number) {
    this.#time = time;
    this.#rate = rate;
    this.#offsetMs = nowMs - this.monotonicMs();
  }

  get isRunning(): boolean {
    return !this.#isPaused && !this.#isGone;
  }

  /** Everybody's milliseconds since it went on after it had stood still. */
  get sinceResumedMs(): number {
    return this.#time.monotonicMs() - this.#resumedMs;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  nowMs(): number {
    return Math.floor(this.#offsetMs + this.monotonicMs());
  }

  monotonicMs(): number {
    return this.#time.monotonicMs() * this.#rate;
  }

  /** Its wall time jumps, until it learns better. */
  jump(byMs: number): void {
    this.#offsetMs += byMs;
  }

  synchronise(databaseNowMs: number, atMonotonicMs: number): void {
    this.#offsetMs = databaseNowMs - atMonotonicMs;
  }

  after(delayMs: number, task: () => void): Cancel {
    let isCancelled = false;
    const cancel = this.#time.after(delayMs / this.#rate, () => this.#arrive(() => (isCancelled ? undefined : task())));
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  /** What has arrived is always looked at before time goes on. */
  turn(): Promise<void> {
    return Promise.resolve();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#resumedMs = this.#time.monotonicMs();
    for (const task of this.#waiting.splice(0)) this.after(0, task);
  }

  end(): void {
    this.#isGone = true;
    this.#waiting = [];
  }

  #arrive(task: () => void): void {
    if (this.#isGone) return;
    if (this.#isPaused) this.#waiting.push(task);
    else task();
  }
}
