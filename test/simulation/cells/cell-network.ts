import type { Random } from '../random.ts';
import type { VirtualClock } from '../virtual-clock.ts';

/** What became of a message: it came back with an answer, never reached the other side, or its answer was lost. */
export type Passage<Answer> = { readonly answer: Answer } | 'away' | 'broken';

/** What lies between cells: each message takes a while, and some are lost on their way or on the way back. */
export class CellNetwork {
  readonly #random: Random;
  readonly #time: VirtualClock;
  readonly #cut = new Set<string>();
  readonly lost = new Set<string>();
  /** How many messages of a hundred are lost. */
  losses = 0;

  constructor(random: Random, time: VirtualClock) {
    this.#random = random;
    this.#time = time;
  }

  cut(one: string, other: string, forMs: number): void {
    this.#cut.add(linkOf(one, other));
    this.#time.after(forMs, () => this.#cut.delete(linkOf(one, other)));
  }

  heal(): void {
    this.losses = 0;
    this.#cut.clear();
    this.lost.clear();
  }

  /** Whether a message from one cell may reach the other one. */
  isOpen(one: string, other: string): boolean {
    return !this.lost.has(one) && !this.lost.has(other) && !this.#cut.has(linkOf(one, other));
  }

  async pass<Answer>(from: string, to: string, serve: () => Promise<Answer> | Answer): Promise<Passage<Answer>> {
    await this.wait(this.#random.between(1, 20));
    if (!this.isOpen(from, to)) return 'away';
    if (this.#isLost()) return 'broken';
    const answer = await serve();
    await this.wait(this.#random.between(1, 20));
    return this.#isLost() || !this.isOpen(from, to) ? 'broken' : { answer };
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#time.after(ms, resolve);
    });
  }

  #isLost(): boolean {
    return this.losses > 0 && this.#random.between(0, 99) < this.losses;
  }
}

function linkOf(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
