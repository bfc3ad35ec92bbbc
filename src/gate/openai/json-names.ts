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

  /** The name between `start` and `end` of `bytes`. */
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

  /** Whether the ASCII text between `start` and `end` may be a name in another case, and needs a closer look. */
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
   * The name that some readers take `text` for, although it differs. Go's JSON decoder and others ignore case, by
   * lower case, upper case or Unicode folding: the Kelvin sign is a k, the long s an s and the dotless i an i.
   */
  lookalike(text: string): Name | undefined {
    const folded = this.#byName.get(fold(text));
    return folded === text ? undefined : folded;
  }
}

/**
 * Maps all texts that any reader confuses to one text. Each step continues from the last: compatibility characters
 * (full width, ligatures) become plain ones, the capital sharp s a small one, that two letters, and all lower case.
 */
function fold(text: string): string {
  return text.normalize('NFKC').replaceAll('İ', 'i').toLowerCase().toUpperCase().toLowerCase();
}
