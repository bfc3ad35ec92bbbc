import { DatabaseUnavailable } from '../lib/sql.ts';
import type { Gate } from './gate.ts';
import type { IdempotentRequest } from './idempotency-store.ts';

/** Beyond this an answer is not kept: a repeat is told so, and charged nothing. */
export const ANSWER_BYTES_MAX = 8 * 1_024 * 1_024;
const RETRY_MS = 1_000;

/** This request's hold on an Idempotency-Key. It ends with the settlement of a whole answer, or is released. */
export class Claim {
  readonly #gate: Gate;
  readonly #request: IdempotentRequest;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(gate: Gate, request: IdempotentRequest) {
    this.#gate = gate;
    this.#request = request;
  }

  get idempotencyKey(): string {
    return this.#request.idempotencyKey;
  }

  /** Keeps what the caller gets, in order, for the repeats. */
  keep(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#bytes > ANSWER_BYTES_MAX) this.#parts = [];
    else this.#parts.push(bytes);
  }

  /** All that was kept; null where it was too much. */
  get answer(): Buffer | null {
    return this.#bytes > ANSWER_BYTES_MAX ? null : Buffer.concat(this.#parts);
  }

  /** Lets the next request with the key run. While the database is away it tries again, for as long as the process lives. */
  release(): void {
    const gate = this.#gate;
    gate.idempotency.release(this.#request).catch((fault: unknown) => {
      if (fault instanceof DatabaseUnavailable) gate.clock.after(RETRY_MS, () => this.release());
      else gate.observer.failed(this.#request.requestId, fault);
    });
  }
}
