import type { Cancel, Clock } from '../../lib/clock.ts';

const INTERVAL_MS = 600_000;

interface Rhythm {
  /** From the end of one round to the next; ten minutes unless given. */
  readonly intervalMs?: number;
  /** Until the first round; as long as until the next unless given. */
  readonly firstMs?: number;
}

/** Scheduled work that no request waits for. A task that fails is reported, and runs again at the next interval. */
export class Housekeeping {
  readonly #tasks: readonly (() => Promise<unknown>)[];
  readonly #clock: Clock;
  readonly #onFault: (fault: unknown) => void;
  readonly #intervalMs: number;
  #nextMs: number;
  #cancel: Cancel = () => undefined;
  #stopped = false;

  constructor(
    clock: Clock,
    tasks: readonly (() => Promise<unknown>)[],
    onFault: (fault: unknown) => void,
    { intervalMs = INTERVAL_MS, firstMs = intervalMs }: Rhythm = {},
  ) {
    this.#intervalMs = intervalMs;
    this.#nextMs = firstMs;
    this.#tasks = tasks;
    this.#clock = clock;
    this.#onFault = onFault;
  }

  start(): void {
    if (this.#stopped) return;
    this.#cancel = this.#clock.after(this.#nextMs, () => {
      this.#nextMs = this.#intervalMs;
      this.#run().then(() => this.start(), this.#onFault);
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #run(): Promise<void> {
    for (const task of this.#tasks) await task().catch(this.#onFault);
  }
}
