import { inStage, type Stage } from './stages.ts';

/**
 * What is to be gone on with once all is read that has come in this turn of the event loop. Work of one kind done for one
 * after the other finds its code in the processor's caches; reading and working by turns drives each other's out. Nobody
 * waits for longer than the others take to be read.
 */
export class TurnQueue<Item> {
  readonly #stage: Stage;
  readonly #goOn: (item: Item) => void;
  #items: Item[] = [];

  constructor(stage: Stage, goOn: (item: Item) => void) {
    this.#stage = stage;
    this.#goOn = goOn;
  }

  /** Goes on with it in its stage of this turn. */
  add(item: Item): void {
    if (this.#items.push(item) === 1) inStage(this.#stage, this.#run);
  }

  readonly #run = (): void => {
    const items = this.#items;
    this.#items = [];
    for (const item of items) this.#goOn(item);
  };
}
