import type { Clock } from './clock.ts';

interface Parts<Input> {
  readonly clock: Clock;
  readonly run: (input: Input) => Promise<void>;
  /** Called for each failed run. */
  readonly onFault: (fault: unknown) => void;
  /** The pause before a run that has failed is tried again; milliseconds. */
  readonly retryMs: number;
}

/**
 * Runs the latest submitted input, one run at a time. Of the inputs submitted during a run only the last runs next. A
 * failed run is retried until it succeeds or a newer input arrives.
 */
export class LatestTask<Input> {
  readonly #parts: Parts<Input>;
  #next: { readonly input: Input } | null = null;
  #working: Promise<void> | null = null;
  #endPause: () => void = () => undefined;
  #isStopped = false;

  constructor(parts: Parts<Input>) {
    this.#parts = parts;
  }

  submit(input: Input): void {
    if (this.#isStopped) return;
    this.#next = { input };
    this.#endPause();
    this.#working ??= this.#work();
  }

  /** Accepts no more input, and resolves once nothing runs. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#next = null;
    this.#endPause();
    await this.#working;
  }

  async #work(): Promise<void> {
    for (let next = this.#take(); next !== null; next = this.#take()) {
      try {
        await this.#parts.run(next.input);
      } catch (fault) {
        this.#parts.onFault(fault);
        if (this.#next === null && !this.#isStopped) {
          await this.#pause();
          if (!this.#isStopped) this.#next ??= next;
        }
      }
    }
    this.#working = null;
  }

  #take(): { readonly input: Input } | null {
    const next = this.#next;
    this.#next = null;
    return next;
  }

  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endPause = resolve;
    const cancel = this.#parts.clock.after(this.#parts.retryMs, resolve);
    await promise;
    cancel();
  }
}
