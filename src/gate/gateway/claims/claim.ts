import { GatheredBytes } from '../../../lib/gathered-bytes.ts';
import { DatabaseUnavailable, DatabaseUnreached } from '../../../lib/sql.ts';
import { EpochFenced } from '../../purses/ports/database.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import type { ClaimResult, IdempotentRequest } from './idempotency-store.ts';

/** Larger answers are not stored: a repeat is refused with the id of the request that ran, and charged nothing. */
export const ANSWER_BYTES_MAX = 8 * 1_024 * 1_024;
const RETRY_MS = 1_000;

/**
 * A request's claim on its Idempotency-Key. Its owner calls `release` on every way out.
 *
 * - `unclaimed`: no claim statement can have taken effect, or another request has the key. There is nothing to release.
 * - `held`: left by `complete`, when a whole answer is settled, or by `release`.
 * - in doubt, in either state: the outcome of a claim statement was lost, so that it may take effect at any time.
 */
export class Claim {
  readonly #gate: GatewayDeps;
  readonly #request: IdempotentRequest;
  readonly #bodySha256: Buffer;
  #state: 'unclaimed' | 'held' | 'completed' = 'unclaimed';
  #isInDoubt = false;
  /** The epoch of the claim. */
  #epochId: bigint | null = null;
  readonly #answer = new GatheredBytes(ANSWER_BYTES_MAX);
  #isTooLarge = false;

  /** `bodySha256` is the digest of everything that a repeat must have in common with the request. */
  constructor(gate: GatewayDeps, request: IdempotentRequest, bodySha256: Buffer) {
    this.#gate = gate;
    this.#request = request;
    this.#bodySha256 = bodySha256;
  }

  get idempotencyKey(): string {
    return this.#request.idempotencyKey;
  }

  /** Claims the key once; after a lost outcome it may be called again. @throws EpochFenced, DatabaseUnavailable */
  async attempt(): Promise<ClaimResult> {
    const { idempotency, purses } = this.#gate;
    const { epochId } = purses;
    try {
      const result = await idempotency.claim(epochId, this.#request, this.#bodySha256);
      if (result.state === 'claimed') {
        this.#state = 'held';
        this.#epochId = epochId;
      }
      return result;
    } catch (fault) {
      this.#isInDoubt ||= !(fault instanceof EpochFenced || fault instanceof DatabaseUnreached);
      throw fault;
    }
  }

  /** Whether its epoch is the present one. If not, another request may take the key, and this one must not start. */
  get isSure(): boolean {
    return this.#epochId === this.#gate.purses.epochId;
  }

  /** Records the answer's bytes, in order, for repeats. */
  keep(bytes: Buffer): void {
    if (this.#answer.add(bytes) === null) return;
    this.#isTooLarge = true;
    this.#answer.drop();
  }

  /** The recorded answer; null if it is too large. */
  get answer(): Buffer | null {
    return this.#isTooLarge ? null : this.#answer.whole();
  }

  /** The request's whole answer is settled, which completes the claim in the database. */
  complete(): void {
    this.#state = 'completed';
  }

  /**
   * Lets the next request with the key run, unless the claim is completed; resolves once it may, or the first try has
   * failed. While the database is unreachable, it retries for the life of the process; after that, the claims of its epoch
   * are free.
   */
  async release(): Promise<void> {
    if (this.#state === 'completed' || (this.#state === 'unclaimed' && !this.#isInDoubt)) return;
    const { idempotency, clock, observer } = this.#gate;
    try {
      await idempotency.release(this.#request, this.#isInDoubt);
    } catch (fault) {
      if (fault instanceof DatabaseUnavailable) clock.after(RETRY_MS, () => void this.release());
      else observer.failed(this.#request.requestId, fault);
    }
  }
}
