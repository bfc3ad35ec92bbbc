import fc from 'fast-check';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  composeKey,
  FIRST_SHARD,
  KEY_ID_LENGTH,
  KEY_PREFIX,
  KEY_SECRET_LENGTH,
  keyFault,
  maskKey,
  publicIdOf,
  shardOf,
} from './key.ts';
import { BASE62 } from '../lib/base62.ts';

const digits = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...BASE62.split('')), { minLength: length, maxLength: length })
    .map((characters) => characters.join(''));
/** The digits before the id: none in older keys, the shard in new ones. */
const leads = fc.constantFrom('', FIRST_SHARD);
const key = fc
  .tuple(leads, digits(KEY_ID_LENGTH), digits(KEY_SECRET_LENGTH))
  .map(([lead, id, secret]) => composeKey(lead + id, secret));
const anyCharacter = fc.oneof(fc.constantFrom(...BASE62.split('')), fc.string({ minLength: 1, maxLength: 1 }));

/** A key from before keys had a shard, stored as text. */
const FORMER = 'fg_live_AbcdefghijklZ1y2X3w4V5u6T7s8R9q0PaObNcMdLeKfJ1A1SSg';

const replaced = (text: string, at: number, by: string): string => text.slice(0, at) + by + text.slice(at + 1);

test('a key has its prefix, two digits of shard, its id, 190 bits of secret or more, and a checksum', () => {
  const composed = composeKey(`${FIRST_SHARD}${'A'.repeat(12)}`, 'b'.repeat(33));
  expect(composed).toMatch(/^fg_live_00A{12}b{33}[0-9A-Za-z]{6}$/);
  expect(KEY_SECRET_LENGTH * Math.log2(BASE62.length)).toBeGreaterThanOrEqual(190);
});

test('a key ends with the CRC-32 of what comes before, in base 62', () => {
  fc.assert(
    fc.property(key, (composed) => {
      const [body, checksum] = [composed.slice(0, -6), composed.slice(-6)];
      const value = checksum.split('').reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
      expect(value).toBe(crc32(body));
      expect(keyFault(composed, FIRST_SHARD)).toBeNull();
    }),
  );
});

test('a key that was made before keys had a shard is valid, and of the first shard', () => {
  expect(FORMER).toMatch(/^fg_live_[0-9A-Za-z]{51}$/);
  expect(keyFault(FORMER, FIRST_SHARD)).toBeNull();
  expect(shardOf(FORMER)).toBe('00');
  expect(publicIdOf(FORMER)).toBe('Abcdefghijkl');
});

test('a key of another shard is whole and foreign', () => {
  fc.assert(
    fc.property(digits(2), digits(KEY_ID_LENGTH), digits(KEY_SECRET_LENGTH), (shard, id, secret) => {
      const composed = composeKey(shard + id, secret);
      expect(shardOf(composed)).toBe(shard);
      expect(keyFault(composed, FIRST_SHARD)).toBe(shard === FIRST_SHARD ? null : 'foreign');
    }),
    { examples: [['01', 'A'.repeat(12), 'b'.repeat(33)]] },
  );
});

test('a key with any one base-62 character replaced by any other is mistyped, wherever that is', () => {
  fc.assert(
    fc.property(key, (composed) => {
      for (let at = KEY_PREFIX.length; at < composed.length; at++) {
        for (const digit of BASE62) {
          if (digit !== composed[at]) expect(keyFault(replaced(composed, at, digit), FIRST_SHARD)).toBe('mistyped');
        }
      }
    }),
    { numRuns: 10 },
  );
});

test('a key with any one character replaced by whatever a header may hold is refused without a look-up', () => {
  fc.assert(
    fc.property(key, fc.nat(KEY_PREFIX.length + 50), anyCharacter, (composed, at, character) => {
      fc.pre(composed[at] !== character);
      expect(keyFault(replaced(composed, at, character), FIRST_SHARD)).not.toBeNull();
    }),
  );
});

test('a key with any two neighbours swapped is refused without a look-up, wherever they are', () => {
  fc.assert(
    fc.property(key, (composed) => {
      for (let at = 0; at < composed.length - 1; at++) {
        const [one = '', other = ''] = composed.slice(at, at + 2);
        if (one === other) continue;
        expect(keyFault(replaced(replaced(composed, at, other), at + 1, one), FIRST_SHARD)).not.toBeNull();
      }
    }),
  );
});

test('a key never stays valid when the last digit of its secret and the first of its checksum are swapped', () => {
  // The checksum's first digit is 0 to 4, and a swap changes its value by a multiple of 62^5, hence of 32. A changed last
  // digit changes the CRC by the difference of the two digits' own CRCs, whose low five bits must then be zero.
  const firsts = ['0', '1', '2', '3', '4'];
  const pairs = firsts.flatMap((one) => firsts.map((other) => [one, other] as const));
  expect(pairs.filter(([one, other]) => one !== other && ((crc32(one) ^ crc32(other)) & 31) === 0)).toEqual([]);
});

test('a key cut off, drawn out or surrounded by anything is refused', () => {
  fc.assert(
    fc.property(key, fc.nat(60), anyCharacter, (composed, length, character) => {
      if (length < composed.length) expect(keyFault(composed.slice(0, length), FIRST_SHARD)).not.toBeNull();
      expect(keyFault(composed + character, FIRST_SHARD)).not.toBeNull();
      expect(keyFault(character + composed, FIRST_SHARD)).not.toBeNull();
    }),
  );
});

test('a key is shown after its creation without its secret, and found by what is shown', () => {
  expect(maskKey('00Abcdefghijkl', 'wxyz')).toBe('fg_live_00Abcdefghijkl…wxyz');
  fc.assert(
    fc.property(leads, digits(KEY_ID_LENGTH), digits(KEY_SECRET_LENGTH), (lead, id, secret) => {
      const composed = composeKey(lead + id, secret);
      for (const reference of [composed, maskKey(lead + id, composed.slice(-4)), KEY_PREFIX + lead + id]) {
        expect(publicIdOf(reference)).toBe(lead + id);
      }
    }),
  );
});

test('a key that is cut off or drawn out gives away two digits of its secret at most where it is named', () => {
  fc.assert(
    fc.property(key, fc.nat(70), (composed, length) => {
      const named = publicIdOf((composed + composed.slice(8)).slice(0, length)) ?? '';
      expect(named.length).toBeLessThanOrEqual(14);
      expect(composed.slice(KEY_PREFIX.length).startsWith(named)).toBe(true);
    }),
  );
});

test.each([
  '',
  'fg_live_',
  'sk-123',
  ` ${FORMER}`,
  `${FORMER}\n`,
  FORMER.slice(0, -1),
  `${FORMER}aaa`,
  FORMER.toUpperCase(),
])('the text "%s" does not have the form of a key', (text) => {
  expect(keyFault(text, FIRST_SHARD)).toBe('malformed');
});
