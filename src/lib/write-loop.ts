import type { Cancel, Clock } from './clock.ts';
import { orAfter } from './pause.ts';

const LAST_WRITE_MS = 2_000;

interface LoopParts {
  readonly clock: Clock;
  readonly intervalMs: number;
  /** Writes what has come since it was called last, and handles its own faults; null if there is nothing. */
  readonly write: () => Promise<void> | null;
}

/** Writes at an interval, one write at a time, and once more at the end. */
export class WriteLoop {
  readonly #parts: LoopParts;
  #writing: Promise<void> | null = null;
  #cancel: Cancel = () => undefined;

  constructor(parts: LoopParts) {
    this.#parts = parts;
  }

  start(): void {
    const { clock, intervalMs } = this.#parts;
    this.#cancel = clock.after(intervalMs, () => {
      this.start();
      this.#write();
    });
  }

  /** Ends the loop by a last write, which may take two seconds. */
  async stop(): Promise<void> {
    this.#cancel();
    const last = async (): Promise<void> => {
      await this.#writing;
      this.#write();
      await this.#writing;
    };
    await orAfter(this.#parts.clock, last(), LAST_WRITE_MS);
  }

  /** Writes, unless a write runs. */
  #write(): void {
    if (this.#writing !== null) return;
    const writing = this.#parts.write();
    if (writing === null) return;
    this.#writing = writing.finally(() => {
      this.#writing = null;
    });
  }
}
