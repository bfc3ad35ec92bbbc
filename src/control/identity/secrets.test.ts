import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { withChecksum } from '../../domain/checksum.ts';
import {
  ACCESS_TOKEN_PREFIX,
  isToken,
  linkSecretHash,
  makeLinkSecret,
  makeToken,
  OPERATOR_TOKEN_PREFIX,
  secretHash,
} from './secrets.ts';

const DIGITS = '0'.repeat(43);

test('a new token has its prefix, 43 random digits and a checksum, and is another one each time', () => {
  const [one, other] = [makeToken(ACCESS_TOKEN_PREFIX), makeToken(ACCESS_TOKEN_PREFIX)];
  expect(one.secret).toMatch(/^fg_pat_[0-9A-Za-z]{49}$/);
  expect(one.secret.endsWith(one.lastFour)).toBe(true);
  expect(one.lastFour).toHaveLength(4);
  expect(one.sha256).toEqual(createHash('sha256').update(one.secret).digest());
  expect(one.secret).not.toBe(other.secret);
  expect(isToken(one.secret, ACCESS_TOKEN_PREFIX)).toBe(true);
  expect(isToken(makeToken(OPERATOR_TOKEN_PREFIX).secret, OPERATOR_TOKEN_PREFIX)).toBe(true);
});

test.each([
  ['a token of operators', withChecksum(`fg_op_${DIGITS}`)],
  ['another prefix of the same length', withChecksum(`fg_xyz_${DIGITS}`)],
  ['a digit too many', withChecksum(`fg_pat_${DIGITS}0`)],
  ['a digit too few', withChecksum(`fg_pat_${DIGITS.slice(1)}`)],
  ['a wrong checksum', `fg_pat_${DIGITS}000000`],
  ['nothing', ''],
])('a text is no access token: %s', (_what, text) => {
  expect(isToken(text, ACCESS_TOKEN_PREFIX)).toBe(false);
});

test('a secret of a link or cookie is found by its hash', () => {
  const { secret, sha256 } = makeLinkSecret();
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(linkSecretHash(secret)).toEqual(sha256);
  expect(sha256).toEqual(secretHash(secret));
  expect(makeLinkSecret().secret).not.toBe(secret);
});

test.each(['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}+`, ` ${'A'.repeat(43)}`, `${'A'.repeat(43)}\n`])(
  'no link or cookie has the secret %j',
  (text) => {
    expect(linkSecretHash(text)).toBeNull();
  },
);
