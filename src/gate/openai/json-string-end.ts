import {
  answer,
  type Code,
  compile,
  i32,
  i64,
  repeat,
  repeatWhile,
  type Variable,
  v128,
  variables,
  when,
} from '../../lib/wasm.ts';
import { BACKSLASH, ESCAPES, HEX_DIGITS, LETTER_U, QUOTE } from './json-bytes.ts';

// Finds the end of a JSON string, 64 bytes at a time: nearly everything that a gateway reads is prompts and pictures.

const LAST_CONTROL = 0x1f;

const BLOCK_BYTES = 64;
const PAGE_BYTES = 65_536;
/** The part of a document that is copied into the code's memory: small at first, because most documents are short. */
const WINDOW_BYTES_FIRST = 1_024;
const WINDOW_BYTES_MOST = PAGE_BYTES;
const WINDOW_GROWTH = 4;
/** A table that marks the bytes that are hexadecimal digits. */
const IS_HEX_AT = PAGE_BYTES + 2 * BLOCK_BYTES;

const TYPES = {
  at: 'i32',
  place: 'i32',
  bytes0: 'v128',
  bytes1: 'v128',
  bytes2: 'v128',
  bytes3: 'v128',
  quote: 'v128',
  backslash: 'v128',
  lastControl: 'v128',
  backslashes: 'i64',
  runStarts: 'i64',
  evenEnds: 'i64',
  oddEnds: 'i64',
  isEscapedNext: 'i64',
  escaped: 'i64',
  stops: 'i64',
  isEscaped: 'i32',
} as const;
const { at, place, quote, backslash, lastControl, ...rest } = variables(TYPES);
const { bytes0, bytes1, bytes2, bytes3, backslashes, runStarts, evenEnds, oddEnds, isEscapedNext, escaped, stops } =
  rest;
const { isEscaped } = rest;
const BLOCK: readonly Variable[] = [bytes0, bytes1, bytes2, bytes3];

const EVEN_BITS = i64.const(0x5555_5555_5555_5555n);
const ODD_BITS = i64.const(-0x5555_5555_5555_5556n);
const isAny = (bits: Code): Code => i64.ne(bits, i64.const(0n));
const isNot = (bits: Code): Code => i64.xor(bits, i64.const(-1n));

/** One bit for each byte of the block: whether it passes the test. */
function bitsOf(test: (bytes: Code) => Code): Code {
  const [first = [], ...others] = BLOCK.map(({ get }) => i64.extend(v128.bitmask(test(get))));
  return others.reduce((bits, more, index) => i64.or(bits, i64.shl(more, i64.const(BigInt(16 * (index + 1))))), first);
}

const isBackslash = (bytes: Code): Code => v128.eq(bytes, backslash.get);
const isQuoteOrControl = (bytes: Code): Code =>
  v128.or(v128.eq(bytes, quote.get), v128.eq(v128.minU(bytes, lastControl.get), bytes));

/** Each letter of an escape is recognised by its two nibbles: letters with the same upper nibble share a bit. */
const byUpperHalf = Array.from({ length: 16 }, () => 0);
const byLowerHalf = Array.from({ length: 16 }, () => 0);
for (const [index, upper] of [...new Set(ESCAPES.map((byte) => byte >> 4))].entries()) byUpperHalf[upper] = 1 << index;
for (const byte of ESCAPES) byLowerHalf[byte & 0xf]! |= byUpperHalf[byte >> 4]!;

const isNoEscape = (bytes: Code): Code => {
  const lower = v128.swizzle(v128.const(byLowerHalf), v128.and(bytes, v128.splat(0xf)));
  const upper = v128.swizzle(v128.const(byUpperHalf), v128.shrU(bytes, i32.const(4)));
  return v128.eq(v128.and(lower, upper), v128.splat(0));
};

/** Whether the byte at `place` is a u followed by four hexadecimal digits. */
const isCodeUnit: Code = [1, 2, 3, 4].reduce(
  (isSoFar: Code, offset) => i32.and(isSoFar, i32.load8(i32.load8(place.get, offset), IS_HEX_AT)),
  i32.eq(i32.load8(place.get), i32.const(LETTER_U)),
);

/**
 * Marks the bytes that a backslash escapes, except backslashes themselves. A run of backslashes escapes the byte after
 * it if its length is odd: it begins at an even place and ends before an odd one, or the other way round. Adding its
 * first bit to a run leaves one bit, after its end; an overflow means that the next block begins escaped.
 */
const markEscaped: readonly Code[] = [
  backslashes.set(i64.and(bitsOf(isBackslash), isNot(isEscapedNext.get))),
  runStarts.set(i64.and(backslashes.get, isNot(i64.shl(backslashes.get, i64.const(1n))))),
  evenEnds.set(i64.add(backslashes.get, i64.and(runStarts.get, ODD_BITS))),
  oddEnds.set(i64.add(backslashes.get, i64.and(runStarts.get, EVEN_BITS))),
  escaped.set(
    i64.or(
      isEscapedNext.get,
      i64.and(isNot(backslashes.get), i64.or(i64.and(evenEnds.get, EVEN_BITS), i64.and(oddEnds.get, ODD_BITS))),
    ),
  ),
  isEscapedNext.set(i64.extend(i64.ltU(evenEnds.get, backslashes.get))),
];

/** Returns the first stop that isn't an escape by code unit; the position of its backslash if it is escaped. */
const findStop: Code = repeatWhile(
  isAny(stops.get),
  place.set(i32.wrap(i64.ctz(stops.get))),
  isEscaped.set(i32.and(i32.wrap(i64.shrU(escaped.get, i64.ctz(stops.get))), i32.const(1))),
  place.set(i32.add(place.get, at.get)),
  when(i32.eqz(i32.and(isEscaped.get, isCodeUnit)), answer(i32.sub(place.get, isEscaped.get))),
  stops.set(i64.and(stops.get, i64.sub(stops.get, i64.const(1n)))),
);

const { run, memory } = compile(
  TYPES,
  [
    quote.set(v128.splat(QUOTE)),
    backslash.set(v128.splat(BACKSLASH)),
    lastControl.set(v128.splat(LAST_CONTROL)),
    repeat(
      ...BLOCK.map((bytes, index) => bytes.set(v128.load(at.get, 16 * index))),
      when(
        i32.or(
          v128.anyTrue(
            BLOCK.map(({ get }) => v128.or(isQuoteOrControl(get), isBackslash(get))).reduce((one, other) =>
              v128.or(one, other),
            ),
          ),
          i32.wrap(isEscapedNext.get),
        ),
        ...markEscaped,
        stops.set(i64.and(bitsOf(isQuoteOrControl), isNot(escaped.get))),
        when(isAny(escaped.get), stops.set(i64.or(stops.get, i64.and(bitsOf(isNoEscape), escaped.get)))),
        findStop,
      ),
      at.set(i32.add(at.get, i32.const(BLOCK_BYTES))),
    ),
  ],
  2,
);
for (const digit of HEX_DIGITS) memory[IS_HEX_AT + digit] = 1;

/** The part of a document in the code's memory: most strings are in the same part as the string before. */
let copiedOf: Buffer | null = null;
let copiedFrom = 0;
let copiedTo = 0;
let windowBytes = 0;

/** Invalidates the copy, because the buffer's bytes may have changed. Called before each scan of a document. */
export function beginDocument(): void {
  copiedOf = null;
}

function copyWindow(bytes: Buffer, from: number): void {
  windowBytes = copiedOf === bytes ? Math.min(WINDOW_BYTES_MOST, windowBytes * WINDOW_GROWTH) : WINDOW_BYTES_FIRST;
  copiedOf = bytes;
  copiedFrom = from;
  copiedTo = Math.min(bytes.length, from + windowBytes);
  bytes.copy(memory, 0, from, copiedTo);
  // Bytes that a string can't have, so that the code stops there.
  memory[copiedTo - from] = 0;
}

/**
 * Continues inside a string, from an unescaped byte. Returns the position of its closing quote, of an invalid byte, or
 * of a backslash that begins no escape or needs a closer look; the document's length if there is none.
 */
export function findStringStop(bytes: Buffer, from: number): number {
  while (from < bytes.length) {
    if (copiedOf !== bytes || from < copiedFrom || from >= copiedTo) copyWindow(bytes, from);
    from = copiedFrom + run(from - copiedFrom);
    if (from < copiedTo) return from;
  }
  return bytes.length;
}
