// The format of API keys: `fg_live_` + 2 digits of shard + 12 of id + 33 of secret (196 bits) + 6 of checksum, all base
// 62. A key made before keys had a shard lacks those two digits and belongs to the first shard; it is recognised by its
// length.
//
// The checksum is the CRC-32 of all that precedes it. One wrong character and two swapped neighbours are bursts of at
// most 16 bits, and a CRC-32 detects every burst of up to 32; any other mistake passes once in 2^32. So a mistyped or
// truncated key is refused without a look-up, and secret scanners avoid false alarms.

export const KEY_PREFIX = 'fg_live_';
/** The shard of every key that is made today. */
export const HOME_SHARD = '00';
export const KEY_ID_LENGTH = 12;
export const KEY_SECRET_LENGTH = 33;
const CHECKSUM_LENGTH = 6;

const PUBLIC_ID_LENGTH = HOME_SHARD.length + KEY_ID_LENGTH;
const LENGTH = PUBLIC_ID_LENGTH + KEY_SECRET_LENGTH + CHECKSUM_LENGTH;
const LENGTH_WITHOUT_SHARD = LENGTH - HOME_SHARD.length;

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const KEY_PATTERN = new RegExp(`^${KEY_PREFIX}([0-9A-Za-z]{${LENGTH}}|[0-9A-Za-z]{${LENGTH_WITHOUT_SHARD}})$`);
const DIGITS_PATTERN = new RegExp(`^${KEY_PREFIX}([0-9A-Za-z]+)`);

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

/**
 * Joins a public id (shard and id) and a secret, both base 62 of the right length, into the key that its holder sees.
 */
export function composeKey(publicId: string, secret: string): string {
  const body = `${KEY_PREFIX}${publicId}${secret}`;
  return body + checksum(body);
}

/** Why a text can't be a key of this instance: another form, a wrong checksum, or the shard of another one. */
export type KeyFault = 'malformed' | 'mistyped' | 'foreign';

/** The fault of a key by its characters alone; null if only a look-up can decide. */
export function keyFault(text: string): KeyFault | null {
  if (!KEY_PATTERN.test(text)) return 'malformed';
  if (checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return 'mistyped';
  return shardOf(text) === HOME_SHARD ? null : 'foreign';
}

/** The shard of a key whose form is right. */
export function shardOf(key: string): string {
  if (key.length - KEY_PREFIX.length !== LENGTH) return HOME_SHARD;
  return key.slice(KEY_PREFIX.length, KEY_PREFIX.length + HOME_SHARD.length);
}

/**
 * The public id (shard and id, or the id alone) of a key that is given whole or as it is shown after its creation; null
 * where the prefix is missing. Of a key that was cut off or drawn out it has two digits of the secret at most.
 */
export function publicIdOf(reference: string): string | null {
  const digits = DIGITS_PATTERN.exec(reference)?.[1];
  if (digits === undefined) return null;
  const hasShard = digits.length === LENGTH || digits.length === PUBLIC_ID_LENGTH;
  return digits.slice(0, hasShard ? PUBLIC_ID_LENGTH : KEY_ID_LENGTH);
}

/** The displayable part of a key after its creation: the prefix with its public id, and its last four characters. */
export function maskKey(publicId: string, lastFour: string): string {
  return `${KEY_PREFIX}${publicId}…${lastFour}`;
}
