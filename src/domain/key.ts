import { CHECKSUM_LENGTH, hasChecksum, withChecksum } from './checksum.ts';

// The format of API keys: `fg_live_` + 2 digits of shard + 12 of id + 33 of secret (196 bits) + 6 of checksum, all
// base 62. Keys from before shards lack those two digits and belong to the first shard; they are recognised by their
// length. checksum.ts gives the reason for the checksum.

export const KEY_PREFIX = 'fg_live_';
/** The shard of keys that name none, and of an instance that names none. */
export const FIRST_SHARD = '00';
export const KEY_ID_LENGTH = 12;
export const KEY_SECRET_LENGTH = 33;

const PUBLIC_ID_LENGTH = FIRST_SHARD.length + KEY_ID_LENGTH;
const LENGTH = PUBLIC_ID_LENGTH + KEY_SECRET_LENGTH + CHECKSUM_LENGTH;
const LENGTH_WITHOUT_SHARD = LENGTH - FIRST_SHARD.length;

const KEY_PATTERN = new RegExp(`^${KEY_PREFIX}([0-9A-Za-z]{${LENGTH}}|[0-9A-Za-z]{${LENGTH_WITHOUT_SHARD}})$`);
const DIGITS_PATTERN = new RegExp(`^${KEY_PREFIX}([0-9A-Za-z]+)`);

/**
 * Joins a public id (shard and id) and a secret, both base 62 of the right length, into the key that its holder sees.
 */
export function composeKey(publicId: string, secret: string): string {
  return withChecksum(`${KEY_PREFIX}${publicId}${secret}`);
}

/** Why a text can't be a key of this instance: wrong form, wrong checksum, or another instance's shard. */
export type KeyFault = 'malformed' | 'mistyped' | 'foreign';

/** The fault of a key that its characters show to an instance of this shard; null if only a look-up can decide. */
export function keyFault(text: string, shard: string): KeyFault | null {
  if (!KEY_PATTERN.test(text)) return 'malformed';
  if (!hasChecksum(text)) return 'mistyped';
  return shardOf(text) === shard ? null : 'foreign';
}

const SHARD_PATTERN = /^[0-9A-Za-z]{2}$/;

/** Whether a text may be a shard: two base-62 digits. */
export function isShard(text: string): boolean {
  return SHARD_PATTERN.test(text);
}

/** The shard of a well-formed key. */
export function shardOf(key: string): string {
  if (key.length - KEY_PREFIX.length !== LENGTH) return FIRST_SHARD;
  return key.slice(KEY_PREFIX.length, KEY_PREFIX.length + FIRST_SHARD.length);
}

/**
 * The public id (shard and id, or only the id) of a key, given whole or masked; null if the prefix is missing. For a
 * truncated or lengthened key it contains at most two digits of the secret.
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

/** `console`: charged for a member's requests from the playground; nobody has its secret. */
export const KEY_KINDS = ['api', 'console'] as const;

export type KeyKind = (typeof KEY_KINDS)[number];
