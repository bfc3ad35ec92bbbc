import type { PlaceLimits } from './places.ts';

/**
 * Slots for work that can be aborted. A new one is always granted: if a key has too much work in progress, its oldest
 * is aborted; if there is too much in total, the oldest of the key with the most. So short work is never refused.
 */
export class YieldingPlaces {
  readonly #limits: PlaceLimits;
  /** The abort functions of each key's work, the oldest first. */
  readonly #byKey = new Map<string, Set<() => void>>();
  #taken = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Takes a place, and returns a function that releases it. `breakOff` is called if another caller takes it. */
  take(key: string, breakOff: () => void): () => void {
    const own = this.#byKey.get(key);
    if (own !== undefined && own.size >= this.#limits.mostPerKey) this.#breakOffOldest(key);
    else if (this.#taken >= this.#limits.most) this.#breakOffOldest(this.#greediest());
    // Breaking off may have removed the key.
    const works = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, works);
    works.add(breakOff);
    this.#taken += 1;
    return () => this.#remove(key, breakOff);
  }

  #greediest(): string {
    let [greediest, most] = ['', 0];
    for (const [key, { size }] of this.#byKey) if (size > most) [greediest, most] = [key, size];
    return greediest;
  }

  #breakOffOldest(key: string): void {
    const [oldest] = this.#byKey.get(key) ?? [];
    if (oldest === undefined) return;
    this.#remove(key, oldest);
    oldest();
  }

  #remove(key: string, breakOff: () => void): void {
    const works = this.#byKey.get(key);
    if (works === undefined || !works.delete(breakOff)) return;
    this.#taken -= 1;
    if (works.size === 0) this.#byKey.delete(key);
  }
}
