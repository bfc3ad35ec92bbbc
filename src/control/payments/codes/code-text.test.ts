import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newCode, readCode } from './code-text.ts';

const ALPHABET = Array.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ');
const codes = fc.constant(null).map(() => newCode());

test('a redemption code is read in any case, with any dashes and spaces, and with letters for digits', () => {
  fc.assert(
    fc.property(codes, (code) => {
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
      const typed = code.replaceAll('-', ' ').replaceAll('0', 'o').replace('1', 'l').replaceAll('1', 'I').toLowerCase();
      for (const each of [code, typed, code.replaceAll('-', ''), ` ${code} `]) expect(readCode(each)).toBe(code);
    }),
  );
});

test('a redemption code with one wrong symbol, or with two neighbours swapped, is no code', () => {
  const places = fc.nat(15);
  fc.assert(
    fc.property(codes, places, fc.constantFrom(...ALPHABET), (code, place, symbol) => {
      const symbols = Array.from(code.replaceAll('-', ''));
      const wrong = symbols.with(place, symbol).join('');
      expect(readCode(wrong)).toBe(wrong === symbols.join('') ? code : null);
      const next = (place + 1) % 16;
      const swapped = symbols
        .with(place, symbols[next] ?? '')
        .with(next, symbols[place] ?? '')
        .join('');
      if (next > 0) expect(readCode(swapped)).toBe(swapped === symbols.join('') ? code : null);
    }),
    { numRuns: 500 },
  );
});

test.each(['', 'hello', '7K2M-QX4T-9HZD', 'UUUU-UUUU-UUUU-UUUU', '7K2M-QX4T-9HZD-3VWRX'])(
  'the text "%s" is no redemption code',
  (text) => {
    expect(readCode(text)).toBeNull();
  },
);
