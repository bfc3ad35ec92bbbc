import type { VirtualClock } from './virtual-clock.ts';

/** Subjects that something is the matter with, each for a time. */
export class Spells {
  readonly #time: VirtualClock;
  readonly #ends = new Map<string, number>();

  constructor(time: VirtualClock) {
    this.#time = time;
  }

  /** From now on, and for this long. */
  begin(subjectId: string, forMs: number): void {
    this.#ends.set(subjectId, Math.max(this.#time.monotonicMs() + forMs, this.untilMs(subjectId)));
  }

  /** When it ends or has ended; virtual milliseconds, minus infinity where it never was. */
  untilMs(subjectId: string): number {
    return this.#ends.get(subjectId) ?? -Infinity;
  }

  /** For how long it goes on; virtual milliseconds, zero where it is over. */
  leftMs(subjectId: string): number {
    return Math.max(0, this.untilMs(subjectId) - this.#time.monotonicMs());
  }

  /** Whether it is so now, or has been within the last milliseconds. */
  has(subjectId: string, withinMs = 0): boolean {
    return this.#time.monotonicMs() < this.untilMs(subjectId) + withinMs;
  }

  /** Whether it is so of any. */
  get hasAny(): boolean {
    for (const subjectId of this.#ends.keys()) if (this.has(subjectId)) return true;
    return false;
  }

  end(): void {
    this.#ends.clear();
  }
}
