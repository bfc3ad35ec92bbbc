import { isUtf8 } from 'node:buffer';
import { assert } from '../../lib/assert.ts';
import { decodedBytes, firstEscape } from './decoded-bytes.ts';
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-bytes.ts';
import * as grammar from './json-grammar.ts';
import type { NameTable } from './json-names.ts';
import { beginDocument } from './json-string-end.ts';

// A cursor over one JSON document that checks everything it passes exactly once: members and elements are entered or
// skipped as the reader likes, and what isn't looked at costs no allocation. After a fault every loop ends by itself,
// so that readers look at `fault` once, when they are done.

/** A document's fault, and its byte. The message quotes nothing of the document. */
export interface JsonFault {
  readonly message: string;
  readonly offset: number;
}

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'none';

const KIND_OF: readonly JsonKind[] = Array.from({ length: 256 }, (_, byte): JsonKind => {
  switch (String.fromCharCode(byte)) {
    case '{':
      return 'object';
    case '[':
      return 'array';
    case '"':
      return 'string';
    case 't':
    case 'f':
      return 'boolean';
    case 'n':
      return 'null';
    default:
      return byte === 0x2d || (byte >= 0x30 && byte <= 0x39) ? 'number' : 'none';
  }
});

/** The ends of a document's large values, by where they begin. */
export type PassedValues = ReadonlyMap<number, number>;

/** More structure than any document has that is read here. */
const STRUCTURE_MAX = 0x3fff_ffff;

// The cost of looking into a document beside skipping it, in bytes of structure that would take as long.
const ENTER_COST = 48;
const MEMBER_COST = 24;
const ELEMENT_COST = 12;
const WHOLE_COST = 2;
const MEASURE_COST = 40;
const DECODE_COST = 600;

/** How much of strings with escapes is looked at to know how long they are. */
const DECODABLE_BYTES_MAX = 8 * 2 ** 20;

/** How far a key is looked at byte by byte: few are longer. */
const SHORT_KEY_BYTES = 48;

/** The most bytes that an escape takes for a byte of ASCII; and a character that some readers take for one. */
const ESCAPED_BYTES_MAX = 6;
const LOOKALIKE_BYTES_MAX = 12;

export class JsonScan implements grammar.StructureBudget {
  readonly bytes: Buffer;
  /** The scan's position: before a value after `nextMember` and `nextElement`, behind one after it was read. */
  at = 0;
  /** The position of the latest member's key, quotes included. */
  keyStart = 0;
  keyEnd = 0;
  fault: JsonFault | null = null;
  structureLeft: number;
  readonly #passed: PassedValues | null;
  #depth = 0;
  #decodableLeft = DECODABLE_BYTES_MAX;
  /** Whether the latest key is known to be ASCII without escapes. */
  #isKeyPlain = false;
  /** Whether a container was entered and none of its members or elements were asked for yet. */
  #isFresh = false;

  /**
   * `structureMax`: how much structure the document may have, in bytes, counting a value each time that it is looked
   * at; `passed`: where its large values end, if it has been found to be JSON (json-pieces.ts).
   */
  constructor(bytes: Buffer, structureMax: number = STRUCTURE_MAX, passed: PassedValues | null = null) {
    this.bytes = bytes;
    this.structureLeft = structureMax;
    this.#passed = passed;
    beginDocument();
    this.at = grammar.skipSpace(bytes, 0);
    if (passed === null && !isUtf8(bytes)) this.fault = { message: 'not valid UTF-8', offset: 0 };
  }

  /** The kind of the value here, by its first byte. */
  kind(): JsonKind {
    return this.at < this.bytes.length && this.fault === null ? KIND_OF[this.bytes[this.at]!]! : 'none';
  }

  /** Goes into the object here; false, without moving, if there is none. */
  enterObject(): boolean {
    return this.#enter(OPEN_BRACE);
  }

  /** Goes into the array here; false, without moving, if there is none. */
  enterArray(): boolean {
    return this.#enter(OPEN_BRACKET);
  }

  /** Goes on to the next member's value; false once the object, or the document by a fault, has ended. */
  nextMember(): boolean {
    const keyStart = this.#nextItem(CLOSE_BRACE);
    if (keyStart < 0) return false;
    const { bytes } = this;
    if (bytes[keyStart] !== QUOTE) return this.#fail(keyStart);
    let at = keyStart + 1;
    let seen = 0;
    const near = Math.min(bytes.length, at + SHORT_KEY_BYTES);
    while (at < near && grammar.ENDS_RUN[bytes[at]!] === 0) seen |= bytes[at++]!;
    this.#isKeyPlain = bytes[at] === QUOTE && seen < 0x80;
    at = bytes[at] === QUOTE ? at + 1 : grammar.skipString(bytes, keyStart);
    if (at < 0) return this.#fail(~at);
    this.keyStart = keyStart;
    this.keyEnd = at;
    at = grammar.skipColon(bytes, at);
    if (at < 0) return this.#fail(~at);
    this.at = at;
    return this.#spend(MEMBER_COST + at - this.keyEnd);
  }

  /** Goes on to the next element; false once the array, or the document by a fault, has ended. */
  nextElement(): boolean {
    const at = this.#nextItem(CLOSE_BRACKET);
    if (at < 0) return false;
    this.at = at;
    return this.#spend(ELEMENT_COST);
  }

  /** The latest member's key, decoded. */
  key(): string {
    return decodeString(this.bytes, this.keyStart, this.keyEnd);
  }

  /** How many bytes the latest member's key has as it is written, with its quotes. */
  get keyBytes(): number {
    return this.keyEnd - this.keyStart;
  }

  /** The latest member's key if it is one of the table's names. */
  keyIn<Name extends string>(names: NameTable<Name>): Name | undefined {
    return this.#nameAt(this.keyStart, this.keyEnd, names, this.#isKeyPlain);
  }

  /** The table's name that some readers take the latest member's key for, which is none of them. */
  lookalikeIn<Name extends string>(names: NameTable<Name>): Name | undefined {
    const { bytes, keyStart, keyEnd } = this;
    if (this.#isKeyPlain && !names.resembles(bytes, keyStart + 1, keyEnd - 1)) return undefined;
    if (this.keyBytes > names.bytesMax * LOOKALIKE_BYTES_MAX) return undefined;
    return this.#spend(DECODE_COST) ? names.lookalike(this.key()) : undefined;
  }

  /** Passes over the string here: the table's name that it is. */
  stringIn<Name extends string>(names: NameTable<Name>): Name | undefined {
    const start = this.at;
    this.skip();
    return this.fault === null ? this.#nameAt(start, this.at, names, false) : undefined;
  }

  /** The table's name that stands between two quotes, which decoding costs where it may be escaped. */
  #nameAt<Name extends string>(start: number, end: number, names: NameTable<Name>, isPlain: boolean): Name | undefined {
    const { bytes } = this;
    const name = names.match(bytes, start + 1, end - 1);
    if (name !== undefined || isPlain || end - start > names.bytesMax * ESCAPED_BYTES_MAX) return name;
    if (!bytes.subarray(start, end).includes(BACKSLASH)) return undefined;
    return this.#spend(DECODE_COST) ? names.get(decodeString(bytes, start, end)) : undefined;
  }

  /** Whether the value here is longer than so many bytes; no more than those are looked at. */
  exceeds(limit: number): boolean {
    const { bytes, at, fault } = this;
    const last = at + limit;
    if (fault !== null || last >= bytes.length) return false;
    const end = grammar.skipValue(bytes.subarray(0, last + 1), at, this.#depth, this);
    if (end >= 0 || end === grammar.TOO_DEEP || end === grammar.TOO_MUCH) return end > last;
    // It was cut off; an escape is at fault where it begins.
    return ~end > last - grammar.ESCAPE_LENGTH_MAX;
  }

  /** Passes over the value here, whatever it is. */
  skip(): void {
    if (this.fault !== null) return;
    const end = this.#passed?.get(this.at) ?? grammar.skipValue(this.bytes, this.at, this.#depth, this);
    if (end >= 0) this.at = end;
    else this.#fail(~end);
  }

  /** Reads the string here, decoded; empty after a fault. */
  string(): string {
    const start = this.at;
    this.skip();
    return this.fault === null ? decodeString(this.bytes, start, this.at) : '';
  }

  /**
   * Passes over the rest of the array here, whose first element it stands at: how many whole numbers of so many digits
   * at most are in it; null if anything else is.
   */
  wholeNumbers(digitsMax: number): number | null {
    const { bytes, at: start } = this;
    const limit = start + this.structureLeft;
    let { at } = this;
    for (let count = 1; at + WHOLE_COST * count <= limit; count++) {
      this.at = at;
      const end = grammar.skipWhole(bytes, at, digitsMax);
      if (end < 0) break;
      at = grammar.skipSpace(bytes, end);
      if (bytes[at] === COMMA) {
        at = grammar.skipSpace(bytes, at + 1);
        continue;
      }
      this.at = at;
      this.#spend(at - start + WHOLE_COST * count);
      return this.nextElement() || this.fault !== null ? null : count;
    }
    // It may be no JSON at all.
    if (at > this.at) this.#fail(~grammar.TOO_MUCH);
    else this.skip();
    return null;
  }

  /**
   * Passes over the string here: how many bytes of UTF-8 it decodes to. Half of a surrogate pair is three, as it
   * becomes U+FFFD. Of a document's strings with escapes, no more than 8 MiB are looked at; the others count as they
   * are written, which is more.
   */
  decodedBytes(): number {
    const { bytes, at: start } = this;
    this.skip();
    if (this.fault !== null || !this.#spend(MEASURE_COST)) return 0;
    const escapeAt = firstEscape(bytes, start, this.at);
    this.#decodableLeft -= this.at - escapeAt;
    return this.#decodableLeft < 0 ? this.at - start - 2 : decodedBytes(bytes, start, this.at, escapeAt);
  }

  /** Passes over the value here and parses it; null after a fault, which a value of more bytes than these is. */
  parsed(bytesMax: number = Infinity): unknown {
    const start = this.at;
    this.skip();
    if (this.at - start > bytesMax) this.fault ??= { message: 'a value is longer than any', offset: start };
    if (this.fault !== null) return null;
    const value: unknown = JSON.parse(this.bytes.toString('utf8', start, this.at));
    return value;
  }

  /** Whether the document has been read to its end without a fault. */
  finish(): boolean {
    if (this.fault !== null) return false;
    assert(this.#depth === 0, 'a scan is finished inside a container');
    this.at = grammar.skipSpace(this.bytes, this.at);
    return this.at === this.bytes.length || this.#fail(this.at);
  }

  #enter(opening: number): boolean {
    if (this.bytes[this.at] !== opening || this.fault !== null) return false;
    if (this.#depth >= grammar.MAX_DEPTH) return this.#fail(~grammar.TOO_DEEP);
    this.#depth++;
    this.at++;
    this.#isFresh = true;
    return this.#spend(ENTER_COST);
  }

  /** Takes so many bytes of structure out of the budget; false, and the document faulty, where they aren't left. */
  #spend(bytes: number): boolean {
    this.structureLeft -= bytes;
    return this.structureLeft >= 0 || this.#fail(~grammar.TOO_MUCH);
  }

  /** Passes over what stands before the next item and answers where it begins; -1 at the container's end or a fault. */
  #nextItem(closing: number): number {
    if (this.fault !== null) return -1;
    const { bytes, at: from } = this;
    let at = grammar.skipSpace(bytes, from);
    const isFirst = this.#isFresh;
    this.#isFresh = false;
    if (bytes[at] === closing) {
      this.#depth--;
      this.at = at + 1;
      return -1;
    }
    if (!isFirst && bytes[at] !== COMMA) {
      this.#fail(at);
      return -1;
    }
    if (!isFirst) at = grammar.skipSpace(bytes, at + 1);
    return this.#spend(at - from) ? at : -1;
  }

  #fail(offset: number): false {
    if (offset === ~grammar.TOO_MUCH) this.structureLeft = -1;
    this.fault = { message: this.#describe(offset), offset: Math.min(offset, this.bytes.length) };
    return false;
  }

  #describe(offset: number): string {
    if (offset === ~grammar.TOO_DEEP) return `nested more than ${grammar.MAX_DEPTH} levels deep`;
    if (offset === ~grammar.TOO_MUCH) return 'it has too much structure';
    return offset >= this.bytes.length ? 'it ends too early' : `unexpected character at byte ${offset}`;
  }
}

/** Whether `bytes` are one JSON document of no more structure than this, white space around it allowed. */
export function isJson(bytes: Buffer, structureMax: number = STRUCTURE_MAX): boolean {
  const scan = new JsonScan(bytes, structureMax);
  scan.skip();
  return scan.finish();
}

/** Decodes a valid string that stands between two quotes, themselves included. */
function decodeString(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
