/** Runs each named task without delay, and after that again at the end of each rest in which it was asked for. */
export class Resting {
  readonly #restMs: number;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #waiting = new Map<string, () => void>();

  constructor(restMs: number) {
    this.#restMs = restMs;
  }

  run(name: string, task: () => void): void {
    if (this.#timers.has(name)) {
      this.#waiting.set(name, task);
      return;
    }
    task();
    const rested = (): void => {
      this.#timers.delete(name);
      const waiting = this.#waiting.get(name);
      if (this.#waiting.delete(name) && waiting !== undefined) this.run(name, waiting);
    };
    this.#timers.set(name, setTimeout(rested, this.#restMs));
  }

  end(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}
