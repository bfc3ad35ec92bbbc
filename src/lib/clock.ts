// Time as a port: production reads the machine's, simulation a virtual one.

/** Undoes a timer; harmless once it has fired. */
export type Cancel = () => void;

export interface Clock {
  /** Wall time in milliseconds since the epoch, by the database's clock once its offset is known. */
  nowMs(): number;
  /** Milliseconds that never go backwards; only differences mean anything. */
  monotonicMs(): number;
  /** Runs `task` once, `delayMs` from now. It does not keep the process alive. */
  after(delayMs: number, task: () => void): Cancel;
}

/** The machine's clock. It runs on monotonic time from a base, so a step of the system's clock doesn't move it. */
export class SystemClock implements Clock {
  #baseMs = Date.now() - performance.now();

  /** Sets the clock so that `databaseNowMs` was the time at the monotonic instant `atMonotonicMs`. */
  synchronise(databaseNowMs: number, atMonotonicMs: number): void {
    this.#baseMs = databaseNowMs - atMonotonicMs;
  }

  nowMs(): number {
    return Math.floor(this.#baseMs + performance.now());
  }

  monotonicMs(): number {
    return performance.now();
  }

  after(delayMs: number, task: () => void): Cancel {
    const timer = setTimeout(task, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  }
}
