import { JsonScan, type JsonKind } from '../openai/json-scan.ts';

/** Values that one pass takes apart; those inside the rest are taken apart when somebody looks at them. */
const VALUES_PER_PASS = 20_000;

const BACKSLASH = 0x5c;

/** How many values a pass may still take apart. */
interface Budget {
  values: number;
}

/**
 * A value of a JSON document. What is carried over to another document, long numbers and whole schemas, keeps its bytes.
 * The document is scanned once, however deep one looks, unless it has more values than any honest one.
 */
export class JsonView {
  /** The value's own bytes, without white space around them. */
  readonly bytes: Buffer;
  readonly kind: JsonKind;
  #members: ReadonlyMap<string, JsonView> | null;
  #elements: readonly JsonView[] | null;

  private constructor(
    bytes: Buffer,
    kind: JsonKind,
    members: ReadonlyMap<string, JsonView> | null,
    elements: readonly JsonView[] | null,
  ) {
    this.bytes = bytes;
    this.kind = kind;
    this.#members = members;
    this.#elements = elements;
  }

  /** The document's value; null where it isn't valid JSON. */
  static of(document: Buffer): JsonView | null {
    const scan = new JsonScan(document);
    const view = JsonView.#at(scan, { values: VALUES_PER_PASS });
    return scan.finish() ? view : null;
  }

  /**
   * The value that a scan stands at; the scan is left behind it. Once the budget is spent nothing is made of what still
   * comes, but for the members or elements of `isWanted`, the value that somebody looks at. After a fault of the scan the
   * view means nothing.
   */
  static #at(scan: JsonScan, budget: Budget, isWanted = false): JsonView {
    const kind = scan.kind();
    const start = scan.at;
    let members: Map<string, JsonView> | null = null;
    let elements: JsonView[] | null = null;
    if (--budget.values > 0 && scan.enterObject()) {
      members = new Map();
      while (scan.nextMember()) {
        if (budget.values > 0 || isWanted) members?.set(scan.key(), JsonView.#at(scan, budget));
        else {
          members = null;
          scan.skip();
        }
      }
    } else if (budget.values > 0 && scan.enterArray()) {
      elements = [];
      while (scan.nextElement()) {
        if (budget.values > 0 || isWanted) elements?.push(JsonView.#at(scan, budget));
        else {
          elements = null;
          scan.skip();
        }
      }
    } else {
      scan.skip();
    }
    return new JsonView(scan.bytes.subarray(start, scan.at), kind, members, elements);
  }

  /** The members of an object by their decoded keys, the last one where a key is given twice; none of anything else. */
  members(): ReadonlyMap<string, JsonView> {
    if (this.#members === null && this.kind === 'object') this.#takeApart();
    return (this.#members ??= new Map());
  }

  /** A member of an object; undefined where it is absent or null, or this is no object. */
  get(key: string): JsonView | undefined {
    const member = this.members().get(key);
    return member === undefined || member.kind === 'null' ? undefined : member;
  }

  /** The elements of an array; none of anything else. */
  elements(): readonly JsonView[] {
    if (this.#elements === null && this.kind === 'array') this.#takeApart();
    return (this.#elements ??= []);
  }

  /** A string, decoded; null of anything else. */
  text(): string | null {
    if (this.kind !== 'string') return null;
    return this.bytes.includes(BACKSLASH)
      ? (this.parsed() as string)
      : this.bytes.toString('utf8', 1, this.bytes.length - 1);
  }

  /** Whether this is the literal `true`. */
  isTrue(): boolean {
    return this.kind === 'boolean' && this.parsed() === true;
  }

  /** The value as JavaScript knows it, which rounds long numbers. Meant for small values. */
  parsed(): unknown {
    const value: unknown = JSON.parse(this.bytes.toString());
    return value;
  }

  #takeApart(): void {
    const whole = JsonView.#at(new JsonScan(this.bytes), { values: VALUES_PER_PASS }, true);
    this.#members = whole.#members;
    this.#elements = whole.#elements;
  }
}
