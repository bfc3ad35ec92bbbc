import type { ReadFailure } from '../../gateway/caller.ts';
import type { ByteBudget } from '../../lib/byte-budget.ts';

const EMPTY = Buffer.alloc(0);

/**
 * A request's body of known length, out of the pieces in which it comes.
 * - `waiting`: nobody has asked for it. What has come is kept.
 * - `wanted`: somebody waits for it.
 * - `discarded`: nobody wants it any more; what still comes is thrown away.
 */
export class PlainBody {
  readonly #budget: ByteBudget;
  #state: 'waiting' | 'wanted' | 'discarded' = 'waiting';
  #pieces: Buffer[] = [];
  #taken = 0;
  #left: number;
  #isOverloaded = false;
  /** Tells whoever waits for it; the first word counts. */
  #tell: (outcome: Buffer | ReadFailure) => void = () => undefined;

  constructor(length: number, budget: ByteBudget) {
    this.#left = length;
    this.#budget = budget;
  }

  /** Bytes that are still to come. */
  get left(): number {
    return this.#left;
  }

  /** Whether more of it may come than what came with its head. */
  get takesMore(): boolean {
    return this.#state !== 'waiting';
  }

  /** Takes more of it, never more than is left. */
  take(piece: Buffer): void {
    this.#left -= piece.length;
    if (this.#state === 'discarded') return;
    if (!this.#budget.take(piece.length)) {
      this.#isOverloaded = true;
      this.#tell('overloaded');
      this.discard();
      return;
    }
    this.#taken += piece.length;
    this.#pieces.push(piece);
    if (this.#left === 0) this.#tell(this.#whole());
  }

  /** All of it; at once where it has come. */
  read(): Buffer | ReadFailure | Promise<Buffer | ReadFailure> {
    if (this.#isOverloaded) return 'overloaded';
    if (this.#state === 'discarded') return 'gone';
    this.#state = 'wanted';
    if (this.#left === 0) return this.#whole();
    const { promise, resolve } = Promise.withResolvers<Buffer | ReadFailure>();
    this.#tell = resolve;
    return promise;
  }

  /** Keeps nothing of it any more. Whoever waits for it is told that it is gone. */
  discard(): void {
    this.#state = 'discarded';
    this.#budget.giveBack(this.#taken);
    this.#taken = 0;
    this.#pieces = [];
    this.#tell('gone');
  }

  #whole(): Buffer {
    const [first = EMPTY] = this.#pieces;
    return this.#pieces.length <= 1 ? first : Buffer.concat(this.#pieces);
  }
}
