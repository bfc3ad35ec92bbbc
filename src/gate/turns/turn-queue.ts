import { inStage, type Stage } from './stages.ts';

/**
 * Defers work until every readable socket of this event-loop turn has been read. A batch of the same work finds its
 * code in the processor's caches; reading and working by turns evict each other's. The wait is at most the time of the
 * reads.
 */
export class TurnQueue<Item> {
  readonly #stage: Stage;
  readonly #process: (item: Item) => void;
  #items: Item[] = [];

  constructor(stage: Stage, process: (item: Item) => void) {
    this.#stage = stage;
    this.#process = process;
  }

  /** Processes it in its stage of this turn. */
  add(item: Item): void {
    if (this.#items.push(item) === 1) inStage(this.#stage, this.#run);
  }

  readonly #run = (): void => {
    const items = this.#items;
    this.#items = [];
    for (const item of items) this.#process(item);
  };
}
