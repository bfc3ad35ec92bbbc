import { JsonScan, type JsonKind, type PassedValues } from '../openai/json-scan.ts';

/** The number of values that one pass creates; values inside the others are parsed on access. */
const VALUES_PER_PASS = 20_000;

const BACKSLASH = 0x5c;

/** A checked document, and the known ends of its large values. */
interface CheckedDocument {
  readonly bytes: Buffer;
  readonly passed: PassedValues;
}

const NONE_PASSED: PassedValues = new Map();

/** How many more values a pass may create. */
interface Budget {
  values: number;
}

/**
 * A value of a JSON document. Values copied to another document, long numbers and whole schemas, keep their bytes.
 * The document is scanned once, however deep one looks, unless it has more values than any honest one. Large values
 * that were passed before are only scanned on access.
 */
export class JsonView {
  /** The value's own bytes, without white space around them. */
  readonly bytes: Buffer;
  readonly kind: JsonKind;
  readonly #document: CheckedDocument;
  readonly #start: number;
  #members: ReadonlyMap<string, JsonView> | null;
  #elements: readonly JsonView[] | null;

  private constructor(
    document: CheckedDocument,
    start: number,
    end: number,
    kind: JsonKind,
    members: ReadonlyMap<string, JsonView> | null,
    elements: readonly JsonView[] | null,
  ) {
    this.bytes = document.bytes.subarray(start, end);
    this.kind = kind;
    this.#document = document;
    this.#start = start;
    this.#members = members;
    this.#elements = elements;
  }

  /** The document's value; null if it isn't valid JSON. With `passed`, it is known to be valid. */
  static of(document: Buffer, passed: PassedValues | null = null): JsonView | null {
    const scan = new JsonScan(document, undefined, passed);
    const checked = { bytes: document, passed: passed ?? NONE_PASSED };
    const view = JsonView.#at(scan, checked, { values: VALUES_PER_PASS });
    return scan.finish() ? view : null;
  }

  /** A scan at the position of this value. */
  scan(): JsonScan {
    const { bytes, passed } = this.#document;
    const scan = new JsonScan(bytes, undefined, passed);
    scan.at = this.#start;
    return scan;
  }

  /**
   * The value at a scan's position; the scan is then past it. Once the budget is spent, later values are skipped,
   * except the members or elements of `isWanted`, which is being accessed. After a fault of the scan, the view is
   * meaningless.
   */
  static #at(scan: JsonScan, document: CheckedDocument, budget: Budget, isWanted = false): JsonView {
    const kind = scan.kind();
    const start = scan.at;
    let members: Map<string, JsonView> | null = null;
    let elements: JsonView[] | null = null;
    const isApart = --budget.values > 0 && (isWanted || !document.passed.has(start));
    if (isApart && scan.enterObject()) {
      members = new Map();
      while (scan.nextMember()) {
        if (budget.values > 0 || isWanted) members?.set(scan.key(), JsonView.#at(scan, document, budget));
        else {
          members = null;
          scan.skip();
        }
      }
    } else if (isApart && scan.enterArray()) {
      elements = [];
      while (scan.nextElement()) {
        if (budget.values > 0 || isWanted) elements?.push(JsonView.#at(scan, document, budget));
        else {
          elements = null;
          scan.skip();
        }
      }
    } else {
      scan.skip();
    }
    return new JsonView(document, start, scan.at, kind, members, elements);
  }

  /** The members of an object by their decoded keys, the last one if a key is given twice; empty for other values. */
  members(): ReadonlyMap<string, JsonView> {
    if (this.#members === null && this.kind === 'object') this.#takeApart();
    return (this.#members ??= new Map());
  }

  /** A member of an object; undefined if it is absent or null, or this is no object. */
  get(key: string): JsonView | undefined {
    const member = this.members().get(key);
    return member === undefined || member.kind === 'null' ? undefined : member;
  }

  /** The elements of an array; empty for other values. */
  elements(): readonly JsonView[] {
    if (this.#elements === null && this.kind === 'array') this.#takeApart();
    return (this.#elements ??= []);
  }

  /** A decoded string; null for other values. */
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

  /** The value in JavaScript, which rounds long numbers. For small values. */
  parsed(): unknown {
    const value: unknown = JSON.parse(this.bytes.toString());
    return value;
  }

  #takeApart(): void {
    const whole = JsonView.#at(this.scan(), this.#document, { values: VALUES_PER_PASS }, true);
    this.#members = whole.#members;
    this.#elements = whole.#elements;
  }
}
