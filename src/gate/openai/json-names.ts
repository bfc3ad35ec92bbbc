const CASE_BIT = 0x20;

/** A fixed set of names that are recognised in a document's bytes without making a string of every key. */
export class NameTable<Name extends string> {
  readonly #byLength: { readonly name: Name; readonly bytes: Buffer }[][] = [];
  readonly #byName: ReadonlyMap<string, Name>;

  /** The names are ASCII. */
  constructor(names: readonly Name[]) {
    for (const name of names) {
      const bytes = Buffer.from(name);
      for (let length = this.#byLength.length; length <= bytes.length; length++) this.#byLength.push([]);
      this.#byLength[bytes.length]!.push({ name, bytes });
    }
    this.#byName = new Map(names.map((name) => [name, name]));
  }

  /** The length of the longest name. */
  get bytesMax(): number {
    return this.#byLength.length - 1;
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

  /** Whether ASCII that stands in `bytes` from `start` to `end` is worth a closer look: may be a name but for its case. */
  resembles(bytes: Buffer, start: number, end: number): boolean {
    const length = end - start;
    if (length >= this.#byLength.length) return false;
    return this.#byLength[length]!.some((candidate) => {
      let offset = 0;
      while (offset < length && ((bytes[start + offset]! ^ candidate.bytes[offset]!) & ~CASE_BIT) === 0) offset++;
      return offset === length;
    });
  }

  /** The name that equals `text`. */
  get(text: string): Name | undefined {
    return this.#byName.get(text);
  }

  /**
   * The name that some readers take `text` for though it is another. Go's JSON decoder and others ignore case, by lower
   * case, upper case or Unicode's folding: the Kelvin sign is a k, the long s an s and the dotless i an i.
   */
  lookalike(text: string): Name | undefined {
    const folded = this.#byName.get(fold(text));
    return folded === text ? undefined : folded;
  }
}

/**
 * One text for all that any reader takes for each other. Each step takes what the one before it leaves: compatible
 * characters (full width, ligatures) become plain ones, the capital sharp s a small one, that two, and all lower case.
 */
function fold(text: string): string {
  return text.normalize('NFKC').replaceAll('İ', 'i').toLowerCase().toUpperCase().toLowerCase();
}
