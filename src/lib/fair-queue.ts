export interface FairQueueLimits {
  /** Items of all keys together. */
  readonly most: number;
  readonly mostPerKey: number;
}

/**
 * A bounded queue in which keys take turns. If it is full, an item of a key with few items displaces the last item of
 * the key with the most, so no key can fill it.
 */
export class FairQueue<Item> {
  readonly #limits: FairQueueLimits;
  /** In the order of their turns; none is empty. */
  readonly #byKey = new Map<string, Item[]>();
  #size = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** Adds an item. Returns the rejected or displaced item; null if there is room for all. */
  push(key: string, item: Item): Item | null {
    const own = this.#byKey.get(key) ?? [];
    if (own.length >= this.#limits.mostPerKey) return item;
    let displaced: Item | null = null;
    if (this.#size >= this.#limits.most) {
      displaced = this.#displace(own.length + 1);
      if (displaced === null) return item;
    }
    own.push(item);
    this.#byKey.set(key, own);
    this.#size += 1;
    return displaced;
  }

  /** Removes the next item; undefined if there is none. */
  shift(): Item | undefined {
    for (const [key, items] of this.#byKey) {
      const item = items.shift();
      this.#size -= 1;
      this.#byKey.delete(key);
      if (items.length > 0) this.#byKey.set(key, items);
      return item;
    }
    return undefined;
  }

  /** Removes all items. */
  clear(): readonly Item[] {
    const items = [...this.#byKey.values()].flat();
    this.#byKey.clear();
    this.#size = 0;
    return items;
  }

  /** Removes the last item of the key with the most items, if it has more than `length`. */
  #displace(length: number): Item | null {
    let longest: Item[] = [];
    for (const items of this.#byKey.values()) if (items.length > longest.length) longest = items;
    if (longest.length <= length) return null;
    this.#size -= 1;
    return longest.pop() ?? null;
  }
}
