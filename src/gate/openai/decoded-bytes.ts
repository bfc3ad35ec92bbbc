import { BACKSLASH, HEX_DIGITS, LETTER_U } from './json-bytes.ts';

const HEX_VALUE = new Uint8Array(256);
for (const digit of HEX_DIGITS) HEX_VALUE[digit] = Number.parseInt(String.fromCharCode(digit), 16);

const UNIT_BYTES = 6;
const SHORT_BYTES = 64;

/**
 * The number of UTF-8 bytes that a valid JSON string decodes to; `start` and `end` include its quotes, and the first
 * escape is at `escapeAt`. Half of a surrogate pair counts as three bytes: UTF-8 encoders write U+FFFD for it.
 */
export function decodedBytes(bytes: Buffer, start: number, end: number, escapeAt: number): number {
  const last = end - 1;
  let length = last - start - 1;
  let at = escapeAt;
  while (at < last) {
    if (bytes[at + 1] !== LETTER_U) {
      length -= 1;
      at += 2;
    } else {
      const unit = unitAt(bytes, at);
      const isPair = isHigh(unit) && isLow(unitAt(bytes, at + UNIT_BYTES));
      length -= isPair ? 2 * UNIT_BYTES - 4 : UNIT_BYTES - (unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3);
      at += isPair ? 2 * UNIT_BYTES : UNIT_BYTES;
    }
    while (at < last && bytes[at] !== BACKSLASH) at++;
  }
  return length;
}

/** The position of the first escape between two positions, `end` if there is none. */
export function firstEscape(bytes: Buffer, start: number, end: number): number {
  const near = Math.min(end, start + SHORT_BYTES);
  while (start < near && bytes[start] !== BACKSLASH) start++;
  if (start < near || near === end) return start;
  const at = bytes.subarray(start, end).indexOf(BACKSLASH);
  return at === -1 ? end : start + at;
}

/** The code unit that is escaped at `at`; -1 if none is. */
function unitAt(bytes: Buffer, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U) return -1;
  const high = (HEX_VALUE[bytes[at + 2]!]! << 4) | HEX_VALUE[bytes[at + 3]!]!;
  return (high << 8) | (HEX_VALUE[bytes[at + 4]!]! << 4) | HEX_VALUE[bytes[at + 5]!]!;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
