/** Bounds the bytes that all requests together keep in memory. */
export class ByteBudget {
  readonly #most: number;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Takes bytes out of the budget; false, and nothing taken, where they aren't there. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#most) return false;
    this.#taken += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#taken -= bytes;
  }
}
