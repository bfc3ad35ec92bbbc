import { hash, randomBytes } from 'node:crypto';
import { CHECKSUM_LENGTH, hasChecksum, withChecksum } from '../../domain/checksum.ts';
import { randomDigits } from '../../lib/random-digits.ts';

// Secrets of people's programs and of browsers. They are shown or sent once, and only their SHA-256 is kept: they are random
// and long, so a plain hash can't be searched.

/** The secret of a member's access token, and of an operator token. */
export const ACCESS_TOKEN_PREFIX = 'fg_pat_';
export const OPERATOR_TOKEN_PREFIX = 'fg_op_';
/** And of the token by which a company's directory comes. */
export const DIRECTORY_TOKEN_PREFIX = 'fg_scim_';

const DIGITS = 43;
const LINK_BYTES = 32;
const LINK = /^[\w-]{43}$/;

export interface Secret {
  /** The secret itself, for its holder alone. */
  readonly secret: string;
  readonly sha256: Buffer;
  readonly lastFour: string;
}

/** The hash by which a secret is found. */
export function secretHash(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** A new token: the prefix, 256 bits, and a checksum as keys have. */
export function makeToken(prefix: string): Secret {
  const secret = withChecksum(prefix + randomDigits(DIGITS));
  return { secret, sha256: secretHash(secret), lastFour: secret.slice(-4) };
}

/** Whether a text has the form and the checksum of a token with this prefix. */
export function isToken(text: string, prefix: string): boolean {
  const length = prefix.length + DIGITS + CHECKSUM_LENGTH;
  return text.startsWith(prefix) && text.length === length && hasChecksum(text);
}

/** A new secret of 256 bits for a cookie or a link. */
export function makeLinkSecret(): Omit<Secret, 'lastFour'> {
  const secret = randomBytes(LINK_BYTES).toString('base64url');
  return { secret, sha256: secretHash(secret) };
}

/** The hash of a secret of a cookie or a link; null if the text can't be one. */
export function linkSecretHash(text: string): Buffer | null {
  return LINK.test(text) ? secretHash(text) : null;
}
