import { ResultWindow } from './result-window.ts';

export interface BreakerSettings {
  /** How far back results count; milliseconds. */
  readonly windowMs: number;
  /** With fewer results than this the breaker stays closed, whatever they are. */
  readonly resultsMin: number;
  /** It opens when at least this part of the results are failures: from 0 to 1. */
  readonly failureRatio: number;
  /** How long it stays open before a probe is let through; milliseconds. */
  readonly restMs: number;
}

/**
 * Circuit breaker: keeps attempts from a route that fails too often. Times are monotonic milliseconds.
 *
 * - `closed`: attempts pass, and their results are counted. Left when enough of them in the window have failed.
 * - `open`: none passes. Left by the first attempt after `restMs`, or after the time given to `open`; it is the probe.
 * - `half_open`: one probe is in progress. Its answer closes the breaker, its failure opens it again. If it has no
 *   result for `restMs`, another probe may start.
 *
 * A result counts only in the state in which its attempt began: an attempt in progress when the breaker opened neither
 * closes it nor opens it again.
 */
export class Breaker {
  readonly #settings: BreakerSettings;
  readonly #window: ResultWindow;
  #state: 'closed' | 'open' | 'half_open' = 'closed';
  /** When the state was entered. */
  #sinceMs = Number.NEGATIVE_INFINITY;
  /** The time of the next probe. */
  #probeMs = 0;

  constructor(settings: BreakerSettings) {
    this.#settings = settings;
    this.#window = new ResultWindow(settings.windowMs);
  }

  /** The time until an attempt may pass; 0: now. */
  waitMs(nowMs: number): number {
    return this.#state === 'closed' ? 0 : Math.max(0, this.#probeMs - nowMs);
  }

  /** Whether a probe is in progress. */
  get isProbing(): boolean {
    return this.#state === 'half_open';
  }

  /** The results of the current window. While it is open, those that have opened it are among them. */
  resultsAt(nowMs: number): { readonly good: number; readonly bad: number } {
    return this.#window.at(nowMs);
  }

  /** Starts an attempt, after `waitMs` has returned 0. */
  begin(nowMs: number): void {
    if (this.#state === 'closed') return;
    if (this.#state === 'open') this.#enter('half_open', nowMs);
    this.#probeMs = nowMs + this.#settings.restMs;
  }

  /** An attempt that began at `begunMs` was answered. */
  answered(begunMs: number, nowMs: number): void {
    if (begunMs < this.#sinceMs) return;
    if (this.#state === 'closed') this.#window.add(true, nowMs);
    else if (this.#state === 'half_open') {
      this.#window.clear();
      this.#enter('closed', nowMs);
    }
  }

  /** An attempt that began at `begunMs` has failed, even after its start. Returns whether that opened the breaker. */
  failed(begunMs: number, nowMs: number): boolean {
    if (begunMs < this.#sinceMs || this.#state === 'open') return false;
    if (this.#state === 'closed') {
      this.#window.add(false, nowMs);
      const { resultsMin, failureRatio } = this.#settings;
      if (this.#window.count < resultsMin || this.#window.badRatio < failureRatio) return false;
    }
    this.#enter('open', nowMs);
    this.#probeMs = nowMs + this.#settings.restMs;
    return true;
  }

  /** Stops all attempts for this long, and then probes, regardless of results. */
  open(forMs: number, nowMs: number): void {
    this.#enter('open', nowMs);
    this.#probeMs = nowMs + forMs;
  }

  /** An attempt that began at `begunMs` has ended without a result: another may probe. */
  undecided(begunMs: number, nowMs: number): void {
    if (this.#state === 'half_open' && begunMs >= this.#sinceMs) this.#probeMs = nowMs;
  }

  #enter(state: 'closed' | 'open' | 'half_open', nowMs: number): void {
    this.#state = state;
    this.#sinceMs = nowMs;
  }
}
