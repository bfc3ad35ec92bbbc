import fc from 'fast-check';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BASE62, composeKey, isWellFormedKey, KEY_ID_LENGTH, KEY_PREFIX, KEY_SECRET_LENGTH, maskKey } from './key.ts';

const digits = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...BASE62.split('')), { minLength: length, maxLength: length })
    .map((characters) => characters.join(''));
const key = fc.tuple(digits(KEY_ID_LENGTH), digits(KEY_SECRET_LENGTH)).map(([id, secret]) => composeKey(id, secret));
const anyCharacter = fc.oneof(fc.constantFrom(...BASE62.split('')), fc.string({ minLength: 1, maxLength: 1 }));

const replaced = (text: string, at: number, by: string): string => text.slice(0, at) + by + text.slice(at + 1);

describe('a key', () => {
  test('has its prefix, its id, 190 bits of secret or more, and a checksum', () => {
    const composed = composeKey('A'.repeat(12), 'b'.repeat(33));
    expect(composed).toMatch(/^fg_live_A{12}b{33}[0-9A-Za-z]{6}$/);
    expect(KEY_SECRET_LENGTH * Math.log2(BASE62.length)).toBeGreaterThanOrEqual(190);
  });

  test('ends with the CRC-32 of what comes before, in base 62', () => {
    fc.assert(
      fc.property(key, (composed) => {
        const [body, checksum] = [composed.slice(0, -6), composed.slice(-6)];
        const value = checksum.split('').reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
        expect(value).toBe(crc32(body));
        expect(isWellFormedKey(composed)).toBe(true);
      }),
    );
  });

  test('with any one character wrong is refused without a look-up', () => {
    fc.assert(
      fc.property(key, fc.nat(KEY_PREFIX.length + 50), anyCharacter, (composed, at, character) => {
        fc.pre(composed[at] !== character);
        expect(isWellFormedKey(replaced(composed, at, character))).toBe(false);
      }),
    );
  });

  test('with any two neighbours swapped is refused', () => {
    fc.assert(
      fc.property(key, fc.nat(KEY_PREFIX.length + 49), (composed, at) => {
        const [one = '', other = ''] = composed.slice(at, at + 2);
        fc.pre(one !== other);
        expect(isWellFormedKey(replaced(replaced(composed, at, other), at + 1, one))).toBe(false);
      }),
    );
  });

  test('cut off, drawn out or surrounded by anything is refused', () => {
    fc.assert(
      fc.property(key, fc.nat(58), anyCharacter, (composed, length, character) => {
        expect(isWellFormedKey(composed.slice(0, length))).toBe(false);
        expect(isWellFormedKey(composed + character)).toBe(false);
        expect(isWellFormedKey(character + composed)).toBe(false);
      }),
    );
  });

  test('is shown after its creation without its secret', () => {
    expect(maskKey('Abcdefghijkl', 'wxyz')).toBe('fg_live_Abcdefghijkl…wxyz');
  });
});
