import type { PermitStock } from '../ports/permit-store.ts';
import { NO_STOCK } from '../ports/permit-store.ts';

const WINDOW_MS = 1_000;
/** So long after the last request, nothing is kept in stock. */
const IDLE_MS = 5_000;

/** What a project's requests have asked for lately, in windows of a second. */
export class PermitDemand {
  #windowSinceMs = Number.NEGATIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;
  #lastTokens = 0;
  #now = NO_STOCK;
  #before = NO_STOCK;

  /** One request more, which makes this many that run. */
  note(tokens: number, running: number, nowMs: number): void {
    this.#roll(nowMs);
    this.#lastMs = nowMs;
    this.#lastTokens = tokens;
    const { requests, tokens: sum, slots } = this.#now;
    this.#now = { requests: requests + 1, tokens: sum + tokens, slots: Math.max(slots, running) };
  }

  /** Milliseconds since the last request. */
  idleMs(nowMs: number): number {
    return nowMs - this.#lastMs;
  }

  /** What to have in stock so that a second's requests need no draw, while this many run. */
  target(running: number, nowMs: number): PermitStock {
    if (this.idleMs(nowMs) >= IDLE_MS) return NO_STOCK;
    this.#roll(nowMs);
    return {
      requests: Math.max(1, this.#now.requests, this.#before.requests),
      tokens: Math.max(this.#lastTokens, this.#now.tokens, this.#before.tokens),
      slots: Math.max(1, Math.max(this.#now.slots, this.#before.slots) - running),
    };
  }

  #roll(nowMs: number): void {
    const elapsedMs = nowMs - this.#windowSinceMs;
    if (elapsedMs < WINDOW_MS) return;
    this.#before = elapsedMs < 2 * WINDOW_MS ? this.#now : NO_STOCK;
    this.#now = NO_STOCK;
    this.#windowSinceMs = nowMs;
  }
}
