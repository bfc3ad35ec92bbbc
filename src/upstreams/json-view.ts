import { isJson, JsonScan, type JsonKind } from '../openai/json-scan.ts';

/**
 * A value of a JSON document, read only as far as somebody looks at it: what is carried over to another document, long
 * numbers and whole schemas, keeps its bytes.
 */
export class JsonView {
  /** The value's own bytes, without white space around them. */
  readonly bytes: Buffer;
  readonly kind: JsonKind;
  #members: ReadonlyMap<string, JsonView> | null = null;

  private constructor(bytes: Buffer, kind: JsonKind) {
    this.bytes = bytes;
    this.kind = kind;
  }

  /** The document's value; null where it isn't valid JSON. */
  static of(document: Buffer): JsonView | null {
    return isJson(document) ? JsonView.#at(new JsonScan(document)) : null;
  }

  /** The value that a scan of valid JSON stands at; the scan is left behind it. */
  static #at(scan: JsonScan): JsonView {
    const kind = scan.kind();
    const start = scan.at;
    scan.skip();
    return new JsonView(scan.bytes.subarray(start, scan.at), kind);
  }

  /** The members of an object by their decoded keys, the last one where a key is given twice; none of anything else. */
  members(): ReadonlyMap<string, JsonView> {
    if (this.#members !== null) return this.#members;
    const members = new Map<string, JsonView>();
    const scan = new JsonScan(this.bytes);
    if (scan.enterObject()) while (scan.nextMember()) members.set(scan.key(), JsonView.#at(scan));
    this.#members = members;
    return members;
  }

  /** A member of an object; undefined where it is absent or null, or this is no object. */
  get(key: string): JsonView | undefined {
    const member = this.members().get(key);
    return member === undefined || member.kind === 'null' ? undefined : member;
  }

  /** The elements of an array; none of anything else. */
  elements(): readonly JsonView[] {
    const elements: JsonView[] = [];
    const scan = new JsonScan(this.bytes);
    if (scan.enterArray()) while (scan.nextElement()) elements.push(JsonView.#at(scan));
    return elements;
  }

  /** A string, decoded; null of anything else. */
  text(): string | null {
    return this.kind === 'string' ? (this.parsed() as string) : null;
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
}
