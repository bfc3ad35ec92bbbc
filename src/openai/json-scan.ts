import { isUtf8 } from 'node:buffer';
import { assert } from '../lib/assert.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LETTER_U,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-bytes.ts';
import * as grammar from './json-grammar.ts';
import type { NameTable } from './json-names.ts';

// A cursor over one JSON document that checks everything it passes exactly once: members and elements are entered or
// skipped as the reader likes, and what isn't looked at costs no allocation. After a fault every loop ends by itself,
// so that readers look at `fault` once, when they are done.

/** What is wrong with a document, and at which byte. The message quotes nothing of it. */
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

/** More values than any document has that is read here. */
const VALUES_MAX = 0x3fff_ffff;

export class JsonScan implements grammar.ValueBudget {
  readonly bytes: Buffer;
  /** Where the scan stands: before a value after `nextMember` and `nextElement`, behind one after it was read. */
  at = 0;
  /** Where the latest member's key stands, quotes included. */
  keyStart = 0;
  keyEnd = 0;
  fault: JsonFault | null = null;
  valuesLeft: number;
  #depth = 0;
  #keyIsEscaped = false;
  /** Whether a container was entered and none of its members or elements were asked for yet. */
  #isFresh = false;

  /** `valuesMax`: how many values the document may have, counting containers and each time that one is looked at. */
  constructor(bytes: Buffer, valuesMax: number = VALUES_MAX) {
    this.bytes = bytes;
    this.valuesLeft = valuesMax;
    this.at = grammar.skipSpace(bytes, 0);
    if (!isUtf8(bytes)) this.fault = { message: 'not valid UTF-8', offset: 0 };
  }

  /** What the value here is, by its first byte. */
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
    let at = this.#nextItem(CLOSE_BRACE);
    if (at < 0) return false;
    const { bytes } = this;
    if (bytes[at] !== QUOTE) return this.#fail(at);
    this.keyStart = at++;
    while (at < bytes.length && grammar.ENDS_RUN[bytes[at]!] === 0) at++;
    this.#keyIsEscaped = bytes[at] !== QUOTE;
    at = this.#keyIsEscaped ? grammar.skipString(bytes, this.keyStart) : at + 1;
    if (at < 0) return this.#fail(~at);
    this.keyEnd = at;
    at = grammar.skipSpace(bytes, at);
    if (bytes[at] !== COLON) return this.#fail(at);
    this.at = grammar.skipSpace(bytes, at + 1);
    return true;
  }

  /** Goes on to the next element; false once the array, or the document by a fault, has ended. */
  nextElement(): boolean {
    const at = this.#nextItem(CLOSE_BRACKET);
    if (at < 0) return false;
    this.at = at;
    return true;
  }

  /** The latest member's key, decoded. */
  key(): string {
    if (this.#keyIsEscaped) return decodeString(this.bytes, this.keyStart, this.keyEnd);
    return this.bytes.toString('utf8', this.keyStart + 1, this.keyEnd - 1);
  }

  /** The latest member's key if it is one of the table's names. */
  keyIn<Name extends string>(names: NameTable<Name>): Name | undefined {
    if (this.#keyIsEscaped) return names.get(this.key());
    return names.match(this.bytes, this.keyStart + 1, this.keyEnd - 1);
  }

  /** Whether the value here is longer than so many bytes; no more than those are looked at. */
  exceeds(limit: number): boolean {
    const { bytes, at, fault } = this;
    const last = at + limit;
    if (fault !== null || last >= bytes.length) return false;
    const end = grammar.skipValue(bytes.subarray(0, last + 1), at, this.#depth, this);
    if (end >= 0 || end === grammar.TOO_DEEP || end === grammar.TOO_MANY) return end > last;
    // It was cut off; an escape is at fault where it begins.
    return ~end > last - grammar.ESCAPE_LENGTH_MAX;
  }

  /** Passes over the value here, whatever it is. */
  skip(): void {
    if (this.fault !== null) return;
    const end = grammar.skipValue(this.bytes, this.at, this.#depth, this);
    if (end >= 0) this.at = end;
    else this.#fail(~end);
  }

  /** Reads the string here, decoded; empty after a fault. */
  string(): string {
    const start = this.at;
    this.skip();
    return this.fault === null ? decodeString(this.bytes, start, this.at) : '';
  }

  /** Passes over the value here and parses it; null after a fault. Meant for small values. */
  parsed(): unknown {
    const start = this.at;
    this.skip();
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
    if (--this.valuesLeft < 0) return this.#fail(~grammar.TOO_MANY);
    this.#depth++;
    this.at++;
    this.#isFresh = true;
    return true;
  }

  /** Passes over what stands before the next item and answers where it begins; -1 at the container's end or a fault. */
  #nextItem(closing: number): number {
    if (this.fault !== null) return -1;
    const { bytes } = this;
    const at = grammar.skipSpace(bytes, this.at);
    const isFirst = this.#isFresh;
    this.#isFresh = false;
    if (bytes[at] === closing) {
      this.#depth--;
      this.at = at + 1;
      return -1;
    }
    if (isFirst) return at;
    if (bytes[at] === COMMA) return grammar.skipSpace(bytes, at + 1);
    this.#fail(at);
    return -1;
  }

  #fail(offset: number): false {
    this.fault = { message: this.#describe(offset), offset: Math.min(offset, this.bytes.length) };
    return false;
  }

  #describe(offset: number): string {
    if (offset === ~grammar.TOO_DEEP) return `nested more than ${grammar.MAX_DEPTH} levels deep`;
    if (offset === ~grammar.TOO_MANY) return 'it has too many values';
    return offset >= this.bytes.length ? 'it ends too early' : `unexpected character at byte ${offset}`;
  }
}

/** Whether `bytes` are one JSON document, white space around it allowed. */
export function isJson(bytes: Buffer): boolean {
  const scan = new JsonScan(bytes);
  scan.skip();
  return scan.finish();
}

/** Decodes a valid string that stands between two quotes, themselves included. */
function decodeString(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

/** How many bytes of UTF-8 a valid string decodes to; `start` and `end` include its quotes. */
export function decodedBytes(bytes: Buffer, start: number, end: number): number {
  let length = end - start - 2;
  let at = start + 1;
  while (at < end - 1) {
    if (bytes[at] !== BACKSLASH) {
      at++;
    } else if (bytes[at + 1] === LETTER_U) {
      const unit = Number.parseInt(bytes.toString('latin1', at + 2, at + 6), 16);
      // Each half of a surrogate pair stands for two of its four bytes.
      length -= 6 - (unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3);
      at += 6;
    } else {
      length -= 1;
      at += 2;
    }
  }
  return length;
}
