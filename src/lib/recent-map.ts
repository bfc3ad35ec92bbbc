/** A map of bounded weight that evicts the least recently used entries. */
export class RecentMap<Key, Value> {
  readonly #weightMax: number;
  readonly #weigh: (value: Value) => number;
  readonly #entries = new Map<Key, Value>();
  #weight = 0;

  /** Each value weighs one unless `weigh` says otherwise. */
  constructor(weightMax: number, weigh: (value: Value) => number = () => 1) {
    this.#weightMax = weightMax;
    this.#weigh = weigh;
  }

  /** The value of a key, which counts as used by that. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#weightMax) break;
      this.delete(oldest);
    }
  }

  /** The keys, the least recently used first. */
  keys(): IterableIterator<Key> {
    return this.#entries.keys();
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#weigh(value);
  }
}
