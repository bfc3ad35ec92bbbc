import { randomBytes } from 'node:crypto';
import { BASE62 } from './base62.ts';

/** Bytes from here on are rejected: they would make some digits more likely than others. */
const BYTE_END = 256 - (256 % BASE62.length);

/** `length` base-62 digits from the system's random generator, uniformly distributed. */
export function randomDigits(length: number): string {
  let digits = '';
  while (digits.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < BYTE_END && digits.length < length) digits += BASE62.charAt(byte % BASE62.length);
    }
  }
  return digits;
}
