import { hash } from 'node:crypto';
import { composeKey, KEY_ID_LENGTH, KEY_SECRET_LENGTH } from '../../domain/key.ts';
import { randomDigits } from '../../lib/random-digits.ts';

/** A new key in full; only its hash is stored. */
export interface KeySecret {
  /** Shard and id, by which the key is found and displayed. */
  readonly publicId: string;
  /** The whole key, for its holder only. */
  readonly key: string;
  readonly lastFour: string;
  readonly sha256: Buffer;
}

/** Makes a new key of this shard from the system's random generator. */
export function makeKeySecret(shard: string): KeySecret {
  const publicId = shard + randomDigits(KEY_ID_LENGTH);
  const key = composeKey(publicId, randomDigits(KEY_SECRET_LENGTH));
  return { publicId, key, lastFour: key.slice(-4), sha256: hash('sha256', key, 'buffer') };
}
