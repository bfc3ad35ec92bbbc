// The grammar of RFC 8259 over bytes: each function takes the position where something begins and returns the position
// after it, or the bitwise complement of the position at fault, which is always negative. Nothing here allocates or
// recurses. Bytes of strings are not checked for UTF-8; the document's owner does that once.

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  ESCAPES,
  HEX_DIGITS,
  LETTER_U,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-bytes.ts';
import { findStringStop } from './json-string-end.ts';

/** How deep arrays and objects may nest; deeper documents would overflow the stacks of later parsers. */
export const MAX_DEPTH = 256;

/** Answered in place of a position when a value nests deeper than MAX_DEPTH. */
export const TOO_DEEP = -0x8000_0000;

/** Answered in place of a position when a document has more structure than it may. */
export const TOO_MUCH = -0x7fff_ffff;

/**
 * The remaining budget of structure, in bytes: each byte outside of strings takes time, and so does each value and
 * name, which count a few bytes more however short they are. Long strings take almost no time.
 */
export interface StructureBudget {
  structureLeft: number;
}

/** A skip that can be continued: its position when its budget is spent, and the large values that it has passed. */
export interface PausedSkip extends StructureBudget {
  at: number;
  /** By depth, 1 if the open container is an object; and its start. */
  readonly isObjectAt: Uint8Array;
  readonly openedAt: Int32Array;
  depth: number;
  /** The ends of values with at least PASSED_BYTES_MIN bytes, by their start. */
  readonly passed: Map<number, number>;
}

/** Skipping a smaller value again is as fast as looking it up. */
export const PASSED_BYTES_MIN = 65_536;

/** The fixed cost of a value, in bytes that take as long to read; and of a name. */
export const VALUE_COST = 15;
export const NAME_COST = 7;

/** 1 for a byte that ends a plain run inside a string: the quote, the backslash and control characters. */
export const ENDS_RUN = new Uint8Array(256).fill(1, 0, 0x20);
ENDS_RUN[QUOTE] = 1;
ENDS_RUN[BACKSLASH] = 1;

const IS_SPACE = new Uint8Array(256);
for (const space of [0x20, 0x09, 0x0a, 0x0d]) IS_SPACE[space] = 1;

const IS_HEX = new Uint8Array(256);
for (const digit of HEX_DIGITS) IS_HEX[digit] = 1;

/** The length of an escape by the byte after its backslash; 0 if it is no escape. */
const ESCAPE_LENGTH = new Uint8Array(256);
for (const letter of ESCAPES) ESCAPE_LENGTH[letter] = 2;
ESCAPE_LENGTH[LETTER_U] = 6;
export const ESCAPE_LENGTH_MAX = 6;

const LITERALS = { t: Buffer.from('true'), f: Buffer.from('false'), n: Buffer.from('null') };

/** A string that is longer than this is no longer read byte by byte. */
const SHORT_BYTES = 20;

/** Longer runs of white space or digits in one piece are refused: no client sends them. */
const RUN_BYTES_MAX = 65_536;

/**
 * By depth, whether the open container is an object, and its start. Shared by all calls: each writes an entry before
 * it reads it.
 */
const isObjectAt = new Uint8Array(MAX_DEPTH + 1);
const openedAt = new Int32Array(MAX_DEPTH + 1);

/** The position of the next byte that is not white space, or where there is too much of it in one piece. */
export function skipSpace(bytes: Buffer, at: number): number {
  return at < bytes.length && bytes[at]! <= 0x20 ? skipSpaces(bytes, at) : at;
}

function skipSpaces(bytes: Buffer, at: number): number {
  const end = Math.min(bytes.length, at + RUN_BYTES_MAX);
  while (at < end && IS_SPACE[bytes[at]!] === 1) at++;
  return at;
}

/** Skips a string that begins with the quote at `at`. */
export function skipString(bytes: Buffer, at: number): number {
  const { length } = bytes;
  at++;
  const near = Math.min(length, at + SHORT_BYTES);
  for (;;) {
    while (at < near && ENDS_RUN[bytes[at]!] === 0) at++;
    if (at >= near && at < length) at = findStringStop(bytes, at);
    if (at >= length) return ~length;
    const byte = bytes[at]!;
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH || at + 1 >= length) return ~at;
    const escape = ESCAPE_LENGTH[bytes[at + 1]!]!;
    if (escape === 0 || (escape === 6 && !hasFourHexDigits(bytes, at + 2))) return ~at;
    at += escape;
  }
}

function hasFourHexDigits(bytes: Buffer, at: number): boolean {
  if (at + 4 > bytes.length) return false;
  return IS_HEX[bytes[at]!]! + IS_HEX[bytes[at + 1]!]! + IS_HEX[bytes[at + 2]!]! + IS_HEX[bytes[at + 3]!]! === 4;
}

/** Skips a number that begins at `at`. */
export function skipNumber(bytes: Buffer, at: number): number {
  if (bytes[at] === 0x2d) at++;
  const whole = skipDigits(bytes, at);
  if (whole === at || (bytes[at] === 0x30 && whole > at + 1)) return ~at;
  at = whole;
  if (bytes[at] === 0x2e) {
    const fraction = skipDigits(bytes, at + 1);
    if (fraction === at + 1) return ~fraction;
    at = fraction;
  }
  if (at < bytes.length && (bytes[at]! | 0x20) === 0x65) {
    at++;
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
    const exponent = skipDigits(bytes, at);
    if (exponent === at) return ~at;
    at = exponent;
  }
  return at;
}

/** Skips an integer of at most `digitsMax` digits that begins at `at`. */
export function skipWhole(bytes: Buffer, at: number, digitsMax: number): number {
  const last = Math.min(bytes.length, at + digitsMax + 1);
  let end = at;
  while (end < last && (bytes[end]! - 0x30) >>> 0 <= 9) end++;
  const isWhole = end > at && end - at <= digitsMax && (bytes[at] !== 0x30 || end === at + 1);
  // A fraction or an exponent would follow.
  return isWhole && bytes[end] !== 0x2e && (bytes[end]! | 0x20) !== 0x65 ? end : ~at;
}

function skipDigits(bytes: Buffer, at: number): number {
  const end = Math.min(bytes.length, at + RUN_BYTES_MAX);
  while (at < end && (bytes[at]! - 0x30) >>> 0 <= 9) at++;
  return at;
}

function skipLiteral(bytes: Buffer, at: number, literal: Buffer): number {
  for (let offset = 0; offset < literal.length; offset++) {
    if (bytes[at + offset] !== literal[offset]) return ~(at + offset);
  }
  return at + literal.length;
}

/** Whether these three bytes are at `at`: a body may have millions of literals, and a loop takes twice as long. */
function stands(bytes: Buffer, at: number, first: number, second: number, third: number): boolean {
  return bytes[at] === first && bytes[at + 1] === second && bytes[at + 2] === third;
}

/** Most numbers have at most this many digits, which are handled first. */
const SHORT_DIGITS = 16;

/** Skips a number or literal that begins at `at`. */
function skipBareScalar(bytes: Buffer, at: number): number {
  if (at >= bytes.length) return ~bytes.length;
  switch (bytes[at]) {
    case 0x74:
      return stands(bytes, at + 1, 0x72, 0x75, 0x65) ? at + 4 : skipLiteral(bytes, at, LITERALS.t);
    case 0x66:
      return stands(bytes, at + 1, 0x61, 0x6c, 0x73) && bytes[at + 4] === 0x65
        ? at + 5
        : skipLiteral(bytes, at, LITERALS.f);
    case 0x6e:
      return stands(bytes, at + 1, 0x75, 0x6c, 0x6c) ? at + 4 : skipLiteral(bytes, at, LITERALS.n);
    default: {
      const whole = skipWhole(bytes, at, SHORT_DIGITS);
      return whole >= 0 ? whole : skipNumber(bytes, at);
    }
  }
}

/** Skips the colon at `at` and the space around it; returns the start of the member's value. */
export function skipColon(bytes: Buffer, at: number): number {
  at = skipSpace(bytes, at);
  return bytes[at] === COLON ? skipSpace(bytes, at + 1) : ~at;
}

/** Skips the value that begins at `at`, inside `depth` open containers, and takes its structure from the budget. */
export function skipValue(bytes: Buffer, at: number, depth: number, budget: StructureBudget): number {
  return skipFrom(bytes, at, depth, depth, budget, null);
}

/** Begins to skip a whole document in pieces. */
export function beginSkip(bytes: Buffer): PausedSkip {
  return {
    at: skipSpace(bytes, 0),
    structureLeft: 0,
    isObjectAt: new Uint8Array(MAX_DEPTH + 1),
    openedAt: new Int32Array(MAX_DEPTH + 1),
    depth: 0,
    passed: new Map(),
  };
}

/** Continues until the structure is spent: returns TOO_MUCH if it can continue, else the same as `skipValue`. */
export function goOn(bytes: Buffer, skip: PausedSkip): number {
  isObjectAt.set(skip.isObjectAt);
  openedAt.set(skip.openedAt);
  const end = skipFrom(bytes, skip.at, skip.depth, 0, skip, skip);
  skip.isObjectAt.set(isObjectAt);
  skip.openedAt.set(openedAt);
  return end;
}

/** Continues from the start of a value inside `depth` containers, to the end of the value inside `outside`. */
function skipFrom(
  bytes: Buffer,
  at: number,
  depth: number,
  outside: number,
  budget: StructureBudget,
  paused: PausedSkip | null,
): number {
  let isInObject = false;
  // The position where the allowed structure ends: strings move it forward by their length, values back by their cost.
  let limit = at + budget.structureLeft;
  for (;;) {
    if (isInObject) {
      if (bytes[at] !== QUOTE) return ~at;
      const key = at;
      at = skipString(bytes, at);
      if (at < 0) return at;
      limit += at - key - NAME_COST;
      at = skipColon(bytes, at);
      if (at < 0) return at;
    }
    limit -= VALUE_COST;
    if (at > limit) {
      if (paused !== null) pause(paused, at, depth);
      return TOO_MUCH;
    }
    const start = at;
    const opening = at < bytes.length ? bytes[at]! : 0;
    if (opening === OPEN_BRACE || opening === OPEN_BRACKET) {
      isInObject = opening === OPEN_BRACE;
      at = skipSpace(bytes, at + 1);
      if (depth >= MAX_DEPTH) return TOO_DEEP;
      if (bytes[at] !== (isInObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
        isObjectAt[++depth] = isInObject ? 1 : 0;
        openedAt[depth] = start;
        continue;
      }
      at++;
    } else if (opening === QUOTE) {
      at = skipString(bytes, at);
      limit += at - start;
      if (paused !== null) notePassed(paused, start, at);
    } else {
      at = skipBareScalar(bytes, at);
    }
    if (at < 0) return at;
    // A value has ended: close what ends with it, until there is another value to skip.
    for (;;) {
      if (depth === outside) {
        if (at > limit && paused === null) return TOO_MUCH;
        budget.structureLeft = limit - at;
        return at;
      }
      at = skipSpace(bytes, at);
      isInObject = isObjectAt[depth] === 1;
      if (bytes[at] === COMMA) {
        at = skipSpace(bytes, at + 1);
        break;
      }
      if (bytes[at] !== (isInObject ? CLOSE_BRACE : CLOSE_BRACKET)) return ~at;
      at++;
      if (paused !== null) notePassed(paused, openedAt[depth]!, at);
      depth--;
    }
  }
}

function pause(skip: PausedSkip, at: number, depth: number): void {
  skip.at = at;
  skip.depth = depth;
}

function notePassed({ passed }: PausedSkip, start: number, end: number): void {
  if (end - start >= PASSED_BYTES_MIN) passed.set(start, end);
}
