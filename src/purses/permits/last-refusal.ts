import type { LimitsSeen } from './limits-seen.ts';
import type { PermitShortage } from '../ports/permit-store.ts';

/** How long a refusal is repeated without asking the database again. */
const REMEMBERED_MS = 100;

interface Refusal {
  readonly shortage: PermitShortage;
  readonly tokens: number;
  /** The limits that it was refused by, and when. */
  readonly seen: LimitsSeen;
}

/** The last draw's refusal, which holds for a moment for requests that are alike. */
export class LastRefusal {
  #last: Refusal | null = null;

  note(shortage: PermitShortage, tokens: number, seen: LimitsSeen): void {
    this.#last = { shortage, tokens, seen };
  }

  forget(): void {
    this.#last = null;
  }

  /** A slot has come free: who lacked one may have it. */
  freedSlot(): void {
    if (this.#last?.shortage.shortOf === 'concurrency') this.#last = null;
  }

  /** Why a request of so many tokens is refused as well, and how long from now; null where that has to be asked. */
  repeated(tokens: number, nowMs: number): PermitShortage | null {
    if (this.#last === null) return null;
    const { shortage, seen } = this.#last;
    const elapsedMs = nowMs - seen.atMs;
    if (elapsedMs >= Math.min(REMEMBERED_MS, shortage.waitMs)) return null;
    // How long a request waits for tokens is known for that many alone. Short of anything else, one of fewer tokens waits
    // as long; one of more might lack those as well.
    const fits = shortage.shortOf === 'tokens' ? tokens === this.#last.tokens : tokens <= this.#last.tokens;
    if (!fits && seen.limits.tokensPerMinute !== null) return null;
    return { shortOf: shortage.shortOf, waitMs: Math.ceil(shortage.waitMs - elapsedMs) };
  }
}
