/** An item's position in a bag, by which it is removed. */
export interface Place<Item> {
  readonly item: Item;
  /** Its index; -1 once it is out. */
  at: number;
}

/**
 * Items that are added and removed with each request, in no order. A Set would leave its former tables behind, each
 * with its items of that time and a pointer to the next table; once one of them is in the old generation, the
 * young-generation collector treats all later ones as alive, and copies them.
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

  /** Removes the item; false if it was removed before. */
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
