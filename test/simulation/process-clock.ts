import type { Cancel, Clock } from '../../src/lib/clock.ts';
import type { VirtualClock } from './virtual-clock.ts';

/**
 * One process's time: the same as everybody's, but nothing happens in the process while it is stopped, and nothing any
 * more once it is gone. What would have happened meanwhile happens when it goes on. Its wall time is what it has learnt.
 */
export class ProcessClock implements Clock {
  readonly #time: VirtualClock;
  #offsetMs: number;
  #waiting: (() => void)[] = [];
  #isPaused = false;
  #isGone = false;

  constructor(time: VirtualClock, nowMs: number) {
    this.#time = time;
    this.#offsetMs = nowMs - time.monotonicMs();
  }

  get isRunning(): boolean {
    return !this.#isPaused && !this.#isGone;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  nowMs(): number {
    return Math.floor(this.#offsetMs + this.#time.monotonicMs());
  }

  monotonicMs(): number {
    return this.#time.monotonicMs();
  }

  synchronise(databaseNowMs: number, atMonotonicMs: number): void {
    this.#offsetMs = databaseNowMs - atMonotonicMs;
  }

  after(delayMs: number, task: () => void): Cancel {
    let isCancelled = false;
    const cancel = this.#time.after(delayMs, () => this.#arrive(() => (isCancelled ? undefined : task())));
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
