import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOf } from '../../../test/support/identity.ts';
import { authenticatorUri, base32, codeOf, isAppCode, stepAt, stepsOf } from './one-time-passwords.ts';

const SEED = Buffer.from('12345678901234567890');

// The vectors of RFC 6238 for SHA-1, of which apps show the last six digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at the second %d is %s, as in RFC 6238', (second, code) => {
  expect(codeOf(SEED, stepAt(second * 1_000))).toBe(code);
});

test('a step takes thirty seconds', () => {
  expect([0, 29_999, 30_000, 59_999, 60_000].map(stepAt)).toEqual([0, 0, 1, 1, 2]);
});

test('a code counts in its own step, and in the one before and after it', () => {
  const code = codeOf(SEED, 100);
  expect([98, 99, 100, 101, 102].map((step) => stepsOf(SEED, code, step * 30_000))).toEqual([
    [],
    [100],
    [100],
    [100],
    [],
  ]);
});

test.each([
  ['123456', true],
  ['000000', true],
  ['12345', false],
  ['1234567', false],
  ['12345a', false],
  ['a123456', false],
  ['123456\n', false],
  ['', false],
])('a text is a code of an app, or is not: %j, %s', (code, isOne) => {
  expect(isAppCode(code)).toBe(isOne);
});

// The vectors of RFC 4648, without padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('a text in base 32 is as in RFC 4648: %j, %j', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

test('all bytes that an app is shown in base 32 are those of the seed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(seedOf(base32(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
    }),
  );
});

test('the address that apps scan names the seed, the account and the issuer, whatever is in their names', () => {
  expect(authenticatorUri(Buffer.from('foo'), 'ada&co@example.com', 'Fare gate')).toBe(
    'otpauth://totp/Fare%20gate:ada%26co%40example.com?secret=MZXW6&issuer=Fare%20gate',
  );
});
