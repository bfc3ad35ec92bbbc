import type { ReadFailure } from '../../gateway/caller.ts';
import type { ByteBudget } from '../../lib/byte-budget.ts';

const EMPTY = Buffer.alloc(0);

/**
 * A request's body of known length, assembled from the received chunks.
 * - `waiting`: not requested yet. Received bytes are kept.
 * - `wanted`: a reader waits for it.
 * - `discarded`: no longer wanted; further bytes are dropped.
 */
export class PlainBody {
  readonly #budget: ByteBudget;
  #state: 'waiting' | 'wanted' | 'discarded' = 'waiting';
  #pieces: Buffer[] = [];
  #taken = 0;
  #left: number;
  #isOverloaded = false;
  /** Resolves the waiting reader; only the first outcome counts. */
  #resolve: (outcome: Buffer | ReadFailure) => void = () => undefined;

  constructor(length: number, budget: ByteBudget) {
    this.#left = length;
    this.#budget = budget;
  }

  /** The bytes not received yet. */
  get left(): number {
    return this.#left;
  }

  /** Whether more bytes than those received with the head may follow. */
  get takesMore(): boolean {
    return this.#state !== 'waiting';
  }

  /** Adds received bytes, at most the missing ones. */
  take(piece: Buffer): void {
    this.#left -= piece.length;
    if (this.#state === 'discarded') return;
    if (!this.#budget.take(piece.length)) {
      this.#isOverloaded = true;
      this.#resolve('overloaded');
      this.discard();
      return;
    }
    this.#taken += piece.length;
    this.#pieces.push(piece);
    if (this.#left === 0) this.#resolve(this.#whole());
  }

  /** The whole body; synchronous if it is complete. */
  read(): Buffer | ReadFailure | Promise<Buffer | ReadFailure> {
    if (this.#isOverloaded) return 'overloaded';
    if (this.#state === 'discarded') return 'gone';
    this.#state = 'wanted';
    if (this.#left === 0) return this.#whole();
    const { promise, resolve } = Promise.withResolvers<Buffer | ReadFailure>();
    this.#resolve = resolve;
    return promise;
  }

  /** Takes more of the budget for what its request needs besides; false if it isn't there, or the body was discarded. */
  reserve(bytes: number): boolean {
    if (this.#state === 'discarded' || !this.#budget.take(bytes)) return false;
    this.#taken += bytes;
    return true;
  }

  /** Discards the body. A waiting reader gets `gone`. */
  discard(): void {
    this.#state = 'discarded';
    this.#budget.giveBack(this.#taken);
    this.#taken = 0;
    this.#pieces = [];
    this.#resolve('gone');
  }

  #whole(): Buffer {
    const [first = EMPTY] = this.#pieces;
    return this.#pieces.length <= 1 ? first : Buffer.concat(this.#pieces);
  }
}
