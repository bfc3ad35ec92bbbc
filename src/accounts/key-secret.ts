import { hash, randomBytes } from 'node:crypto';
import { BASE62, composeKey, HOME_SHARD, KEY_ID_LENGTH, KEY_SECRET_LENGTH } from '../domain/key.ts';

/** A new key in full; only its hash is stored. */
export interface KeySecret {
  /** Shard and id, by which the key is found and displayed. */
  readonly publicId: string;
  /** The whole key, for its holder only. */
  readonly key: string;
  readonly lastFour: string;
  readonly sha256: Buffer;
}

/** Bytes from here on are rejected: they would make some digits likelier than others. */
const BYTE_END = 256 - (256 % BASE62.length);

/** `count` base-62 digits, uniformly distributed. */
function randomDigits(length: number): string {
  let digits = '';
  while (digits.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < BYTE_END && digits.length < length) digits += BASE62.charAt(byte % BASE62.length);
    }
  }
  return digits;
}

/** Makes a new key from the system's random generator. */
export function makeKeySecret(): KeySecret {
  const publicId = HOME_SHARD + randomDigits(KEY_ID_LENGTH);
  const key = composeKey(publicId, randomDigits(KEY_SECRET_LENGTH));
  return { publicId, key, lastFour: key.slice(-4), sha256: hash('sha256', key, 'buffer') };
}
