import type { ReadFailure } from '../../../gate/gateway/caller.ts';
import type { ByteBudget } from '../../../lib/byte-budget.ts';
import { type GatherFault, GatheredBytes } from '../../../lib/gathered-bytes.ts';

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
  /** All of it, if it came in one piece. */
  #whole: Buffer | null = null;
  #gathered: GatheredBytes | null = null;
  readonly #length: number;
  #reserved = 0;
  #left: number;
  #fault: GatherFault | null = null;
  /** Resolves the waiting reader; only the first outcome counts. */
  #resolve: (outcome: Buffer | ReadFailure) => void = () => undefined;

  constructor(length: number, budget: ByteBudget) {
    this.#left = length;
    this.#length = length;
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
    this.#fault = this.#add(piece);
    if (this.#fault !== null) {
      this.#resolve(this.#fault);
      this.discard();
    } else if (this.#left === 0 && this.#state === 'wanted') this.#resolve(this.#all());
  }

  /** The whole body; synchronous if it is complete. */
  read(): Buffer | ReadFailure | Promise<Buffer | ReadFailure> {
    if (this.#fault !== null) return this.#fault;
    if (this.#state === 'discarded') return 'gone';
    this.#state = 'wanted';
    if (this.#left === 0) return this.#all();
    const { promise, resolve } = Promise.withResolvers<Buffer | ReadFailure>();
    this.#resolve = resolve;
    return promise;
  }

  /** Takes more of the budget for what its request needs besides; false if it isn't there, or the body was discarded. */
  reserve(bytes: number): boolean {
    if (this.#state === 'discarded' || !this.#budget.take(bytes)) return false;
    this.#reserved += bytes;
    return true;
  }

  /** Discards the body. A waiting reader gets `gone`. */
  discard(): void {
    this.#state = 'discarded';
    this.#gathered?.drop();
    this.#gathered = null;
    this.#whole = null;
    this.#budget.giveBack(this.#reserved);
    this.#reserved = 0;
    this.#resolve('gone');
  }

  #add(piece: Buffer): GatherFault | null {
    if (piece.length === this.#length) {
      if (!this.reserve(piece.length)) return 'overloaded';
      this.#whole = piece;
      return null;
    }
    this.#gathered ??= new GatheredBytes(this.#length, this.#budget);
    return this.#gathered.add(piece, this.#left);
  }

  #all(): Buffer {
    return this.#whole ?? this.#gathered?.whole() ?? EMPTY;
  }
}
