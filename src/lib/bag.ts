/** A thing's place in a bag, by which it is taken out again. */
export interface Place<Item> {
  readonly item: Item;
  /** Its index; -1 once it is out. */
  at: number;
}

/**
 * Things that come and go with each request, in no order. A Set would leave its former tables behind, each with what
 * was in it then and with the way to the next; once one of them has grown old in the heap, the collector of young
 * garbage takes all that follow for alive, and copies them.
 */
export class Bag<Item> {
  readonly #places: Place<Item>[] = [];

  get size(): number {
    return this.#places.length;
  }

  add(item: Item): Place<Item> {
    const place = { item, at: this.#places.length };
    this.#places.push(place);
    return place;
  }

  /** Takes it out; false if it was out already. */
  remove(place: Place<Item>): boolean {
    const { at } = place;
    if (at === -1) return false;
    place.at = -1;
    const last = this.#places.pop();
    if (last !== undefined && last !== place) {
      last.at = at;
      this.#places[at] = last;
    }
    return true;
  }

  /** Its present items. */
  items(): Item[] {
    return this.#places.map(({ item }) => item);
  }
}
