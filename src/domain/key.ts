// The format of API keys: `fg_live_` + 12 characters of id + 33 of secret (196 bits) + 6 of checksum, all base 62.
// The checksum lets a mistyped or truncated key be refused without a look-up, and secret scanners avoid false alarms.

export const KEY_PREFIX = 'fg_live_';
export const KEY_ID_LENGTH = 12;
export const KEY_SECRET_LENGTH = 33;
const CHECKSUM_LENGTH = 6;

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const KEY_PATTERN = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${KEY_ID_LENGTH + KEY_SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});

/** CRC-32 (IEEE) of ASCII text, as six base-62 digits. */
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

/** Joins an id and a secret, both base 62 of the right length, into the key that its holder sees. */
export function composeKey(id: string, secret: string): string {
  const body = `${KEY_PREFIX}${id}${secret}`;
  return body + checksum(body);
}

/** Whether the text has a key's form and its checksum is right. Says nothing of whether such a key exists. */
export function isWellFormedKey(text: string): boolean {
  return KEY_PATTERN.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** What may be shown of a key after its creation: the prefix with its id, and its last four characters. */
export function maskKey(id: string, lastFour: string): string {
  return `${KEY_PREFIX}${id}…${lastFour}`;
}
