export interface PlaceLimits {
  /** Of all keys together. */
  readonly most: number;
  readonly mostPerKey: number;
}

/** Counts work in progress by key. What finds no place is refused: it doesn't wait. */
export class Places {
  readonly #limits: PlaceLimits;
  readonly #byKey = new Map<string, number>();
  #taken = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Takes a place, and returns a function that releases it once; null if there is none. */
  take(key: string): (() => void) | null {
    const ofKey = this.#byKey.get(key) ?? 0;
    if (this.#taken >= this.#limits.most || ofKey >= this.#limits.mostPerKey) return null;
    this.#count(key, 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#count(key, -1);
    };
  }

  #count(key: string, change: 1 | -1): void {
    const left = (this.#byKey.get(key) ?? 0) + change;
    this.#taken += change;
    if (left > 0) this.#byKey.set(key, left);
    else this.#byKey.delete(key);
  }
}
