import { isUtf8 } from 'node:buffer';
import { assert } from '../../lib/assert.ts';
import { decodedBytes, firstEscape } from './decoded-bytes.ts';
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-bytes.ts';
import * as grammar from './json-grammar.ts';
import type { NameTable } from './json-names.ts';
import { beginDocument } from './json-string-end.ts';

// A cursor over one JSON document that checks everything it passes exactly once. The reader enters or skips members
// and elements; skipped ones cost no allocation. After a fault every loop ends by itself, so that readers check
// `fault` once, at the end.

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

/** The end positions of a document's large values, by their start. */
export type PassedValues = ReadonlyMap<number, number>;

/** More structure than any document that is read here. */
const STRUCTURE_MAX = 0x3fff_ffff;

// The additional cost of entering a container instead of skipping it, in bytes of structure that take as long.
const ENTER_COST = 48;
const MEMBER_COST = 24;
const ELEMENT_COST = 12;
const WHOLE_COST = 2;
const MEASURE_COST = 40;
const DECODE_COST = 600;

/** The most bytes of strings with escapes that are read to compute their length. */
const DECODABLE_BYTES_MAX = 8 * 2 ** 20;

/** Keys are compared byte by byte up to this length: few are longer. */
const SHORT_KEY_BYTES = 48;

/** Numbers of so few digits are read without a text of them: most caps are. */
const SHORT_DIGITS = 15;
const DIGIT_0 = 0x30;

/** The most bytes of an escape for one ASCII byte; and of a character that some readers take for one. */
const ESCAPED_BYTES_MAX = 6;
const LOOKALIKE_BYTES_MAX = 12;

export class JsonScan implements grammar.StructureBudget {
  readonly bytes: Buffer;
  /** The scan's position: before a value after `nextMember` and `nextElement`, past it after it was read. */
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
  /** Whether a container was entered, and none of its members or elements was requested yet. */
  #isFresh = false;

  /**
   * `structureMax`: the most structure that the document may have, in bytes, counting a value each time that it is
   * read; `passed`: the ends of its large values, if it has been checked as JSON (json-pieces.ts).
   */
  constructor(bytes: Buffer, structureMax: number = STRUCTURE_MAX, passed: PassedValues | null = null) {
    this.bytes = bytes;
    this.structureLeft = structureMax;
    this.#passed = passed;
    beginDocument();
    this.at = grammar.skipSpace(bytes, 0);
    if (passed === null && !isUtf8(bytes)) this.fault = { message: 'not valid UTF-8', offset: 0 };
  }

  /** The kind of the value at this position, by its first byte. */
  kind(): JsonKind {
    return this.at < this.bytes.length && this.fault === null ? KIND_OF[this.bytes[this.at]!]! : 'none';
  }

  /** Enters the object at this position; false, without moving, if there is none. */
  enterObject(): boolean {
    return this.#enter(OPEN_BRACE);
  }

  /** Enters the array at this position; false, without moving, if there is none. */
  enterArray(): boolean {
    return this.#enter(OPEN_BRACKET);
  }

  /** Moves to the next member's value; false once the object has ended, or the document has a fault. */
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

  /** Moves to the next element; false once the array has ended, or the document has a fault. */
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

  /** The length of the latest member's key in the document, in bytes, including its quotes. */
  get keyBytes(): number {
    return this.keyEnd - this.keyStart;
  }

  /** The latest member's key if it is one of the table's names. */
  keyIn<Name extends string>(names: NameTable<Name>): Name | undefined {
    return this.#nameAt(this.keyStart, this.keyEnd, names, this.#isKeyPlain);
  }

  /** The table's name that some readers take the latest member's key for, although it differs. */
  lookalikeIn<Name extends string>(names: NameTable<Name>): Name | undefined {
    const { bytes, keyStart, keyEnd } = this;
    if (this.#isKeyPlain && !names.resembles(bytes, keyStart + 1, keyEnd - 1)) return undefined;
    if (this.keyBytes > names.bytesMax * LOOKALIKE_BYTES_MAX) return undefined;
    return this.#spend(DECODE_COST) ? names.lookalike(this.key()) : undefined;
  }

  /** Skips the string at this position; returns the table's name that it equals. */
  stringIn<Name extends string>(names: NameTable<Name>): Name | undefined {
    const start = this.at;
    this.skip();
    return this.fault === null ? this.#nameAt(start, this.at, names, false) : undefined;
  }

  /** The table's name between two quotes; must be decoded if it may have escapes. */
  #nameAt<Name extends string>(start: number, end: number, names: NameTable<Name>, isPlain: boolean): Name | undefined {
    const { bytes } = this;
    const name = names.match(bytes, start + 1, end - 1);
    if (name !== undefined || isPlain || end - start > names.bytesMax * ESCAPED_BYTES_MAX) return name;
    if (!bytes.subarray(start, end).includes(BACKSLASH)) return undefined;
    return this.#spend(DECODE_COST) ? names.get(decodeString(bytes, start, end)) : undefined;
  }

  /** Whether the value at this position is longer than `limit` bytes; reads no more than those. */
  exceeds(limit: number): boolean {
    const { bytes, at, fault } = this;
    const last = at + limit;
    if (fault !== null || last >= bytes.length) return false;
    const end = grammar.skipValue(bytes.subarray(0, last + 1), at, this.#depth, this);
    if (end >= 0 || end === grammar.TOO_DEEP || end === grammar.TOO_MUCH) return end > last;
    // The value was cut off there; an escape's fault is at its beginning.
    return ~end > last - grammar.ESCAPE_LENGTH_MAX;
  }

  /** Skips the value at this position, of any kind. */
  skip(): void {
    if (this.fault !== null) return;
    const end = this.#passed?.get(this.at) ?? grammar.skipValue(this.bytes, this.at, this.#depth, this);
    if (end >= 0) this.at = end;
    else this.#fail(~end);
  }

  /** Reads and decodes the string at this position; empty after a fault. */
  string(): string {
    const start = this.at;
    this.skip();
    return this.fault === null ? decodeString(this.bytes, start, this.at) : '';
  }

  /**
   * Skips the rest of the array, from its first element, where the scan is. Returns the number of its elements if all
   * are integers of at most `digitsMax` digits; null otherwise.
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
   * Skips the string at this position, and returns the number of UTF-8 bytes that it decodes to. Half of a surrogate
   * pair counts as three, as it becomes U+FFFD. At most 8 MiB of a document's strings with escapes are decoded; the
   * others count by their length in the document, which is more.
   */
  decodedBytes(): number {
    const { bytes, at: start } = this;
    this.skip();
    if (this.fault !== null || !this.#spend(MEASURE_COST)) return 0;
    const escapeAt = firstEscape(bytes, start, this.at);
    this.#decodableLeft -= this.at - escapeAt;
    return this.#decodableLeft < 0 ? this.at - start - 2 : decodedBytes(bytes, start, this.at, escapeAt);
  }

  /** Skips the value at this position and parses it; null after a fault, such as a value longer than `bytesMax`. */
  parsed(bytesMax: number = Infinity): unknown {
    const start = this.at;
    this.skip();
    if (this.at - start > bytesMax) this.fault ??= { message: 'a value is longer than any', offset: start };
    if (this.fault !== null) return null;
    const { bytes, at } = this;
    if (grammar.skipWhole(bytes, start, SHORT_DIGITS) === at) return wholeNumber(bytes, start, at);
    const value: unknown = JSON.parse(bytes.toString('utf8', start, at));
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

  /** Takes bytes of structure from the budget; false, with a fault of the document, if they aren't left. */
  #spend(bytes: number): boolean {
    this.structureLeft -= bytes;
    return this.structureLeft >= 0 || this.#fail(~grammar.TOO_MUCH);
  }

  /** Skips to the next item and returns its start; -1 at the container's end or a fault. */
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

/** The number that these digits are. */
function wholeNumber(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + (bytes[at]! - DIGIT_0);
  return value;
}

/** Decodes a valid string; `start` and `end` include its quotes. */
function decodeString(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
