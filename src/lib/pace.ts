/** How long a process waits on average before it asks again for what it lacks. */
const MEAN_MS = 50;

/**
 * The pace at which a process asks again for what its holds wait for: from half to one and a half of 50 ms, never the same
 * twice running, and another one in each process. At one fixed pace, processes that take from each other in one beat
 * would do so in every beat. It is all in the epoch's number, so that a simulation can be repeated.
 */
export class Pace {
  #state: number;

  constructor(epochId: bigint) {
    // Numbers that follow each other must not begin alike; zero would stay zero.
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
