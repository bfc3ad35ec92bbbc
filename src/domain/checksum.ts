import { BASE62 } from '../lib/base62.ts';

// Secrets that people copy end in a checksum, so that a mistyped or truncated one is refused without a look-up, and secret
// scanners avoid false alarms: the CRC-32 of all that precedes it, as six base-62 digits. One wrong character and two
// swapped neighbours are bursts of at most 16 bits, and a CRC-32 detects every burst of up to 32; any other mistake passes
// once in 2^32.

export const CHECKSUM_LENGTH = 6;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});

function checksum(text: string): string {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) {
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0);
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** ASCII text with its checksum appended. */
export function withChecksum(text: string): string {
  return text + checksum(text);
}

/** Whether the text ends in the checksum of what precedes it. */
export function hasChecksum(text: string): boolean {
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}
