/** A fixed set of names that are recognised in a document's bytes without making a string of every key. */
export class NameTable<Name extends string> {
  readonly #byLength: { readonly name: Name; readonly bytes: Buffer }[][] = [];
  readonly #byName: ReadonlyMap<string, Name>;

  constructor(names: readonly Name[]) {
    for (const name of names) {
      const bytes = Buffer.from(name);
      for (let length = this.#byLength.length; length <= bytes.length; length++) this.#byLength.push([]);
      this.#byLength[bytes.length]!.push({ name, bytes });
    }
    this.#byName = new Map(names.map((name) => [name, name]));
  }

  /** The name that stands in `bytes` from `start` to `end`. */
  match(bytes: Buffer, start: number, end: number): Name | undefined {
    const length = end - start;
    if (length >= this.#byLength.length) return undefined;
    for (const candidate of this.#byLength[length]!) {
      let offset = 0;
      while (offset < length && bytes[start + offset] === candidate.bytes[offset]) offset++;
      if (offset === length) return candidate.name;
    }
    return undefined;
  }

  /** The name that equals `text`. */
  get(text: string): Name | undefined {
    return this.#byName.get(text);
  }

  /**
   * The name that some readers take `text` for though it is another: Go's JSON decoder ignores case, by Unicode's
   * simple folding, where the Kelvin sign is a k and the long s an s.
   */
  lookalike(text: string): Name | undefined {
    const folded = this.#byName.get(text.toLowerCase().replaceAll('ſ', 's'));
    return folded === text ? undefined : folded;
  }
}
