/** The mean interval between retries of what a process lacks. */
const MEAN_MS = 50;

/**
 * Retry interval of waiting holds: half to one and a half of 50 ms, with jitter seeded by the epoch's id, so that
 * processes don't contend in lockstep and simulations repeat.
 */
export class Pace {
  #state: number;

  constructor(epochId: bigint) {
    // Consecutive ids must not start alike; a state of zero would stay zero.
    this.#state = Math.imul(Number(BigInt.asUintN(32, epochId)) + 1, 0x9e3779b1) | 1;
  }

  /** Milliseconds until the next beat. */
  nextMs(): number {
    // Marsaglia's xorshift with 32 bits.
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return MEAN_MS / 2 + ((this.#state >>> 0) % (MEAN_MS + 1));
  }
}
