import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asObject, JsonNumber, parseExactJson } from './exact-json.ts';

/** Digits times a power of ten, written in one of the ways that JSON has for it. */
const written = fc
  .record({
    digits: fc.bigInt({ min: 0n, max: 10n ** 18n }),
    exponent: fc.integer({ min: -25, max: 12 }),
    point: fc.integer({ min: 0, max: 30 }),
    zeros: fc.integer({ min: 0, max: 5 }),
    e: fc.constantFrom('e', 'E'),
    plus: fc.boolean(),
  })
  .map(({ digits, exponent, point, zeros, e, plus }) => {
    const text = String(digits).padStart(point + 1, '0');
    const whole = text.slice(0, text.length - point).replace(/^0+(?=\d)/, '');
    const fraction = text.slice(text.length - point) + '0'.repeat(zeros);
    const power = exponent + point;
    const sign = plus && power >= 0 ? '+' : '';
    return { digits, exponent, text: `${whole}${fraction === '' ? '' : `.${fraction}`}${e}${sign}${power}` };
  });

test('a number is taken as it is written, in every notation, and scaled without rounding', () => {
  fc.assert(
    fc.property(written, fc.integer({ min: 0, max: 15 }), ({ digits, exponent, text }, power) => {
      const number = parseExactJson(text);
      const shift = BigInt(Math.abs(exponent + power));
      const expected =
        exponent + power >= 0 ? digits * 10n ** shift : digits % 10n ** shift === 0n ? digits / 10n ** shift : null;
      expect(number instanceof JsonNumber && number.scaled(power)).toBe(expected);
    }),
  );
});

test.each([
  ['2.5e-07', 250_000_000n],
  ['0.00000025', 250_000_000n],
  ['5.46875E-07', 546_875_000n],
  ['0.0', 0n],
  ['0e999999999', 0n],
  ['-3e-06', -3_000_000_000n],
  // What a float has made of 2.1e-07.
  ['2.0999999999999998e-07', null],
  ['1e999999999', null],
  ['1e-999999999', null],
  [`1${'0'.repeat(100)}`, null],
])('a number: %s per token is %d nano-USD per million tokens', (text, expected) => {
  expect(new JsonNumber(text).scaled(15)).toBe(expected);
});

test('values other than numbers are what they are', () => {
  const json = parseExactJson('{"a":"1","b":[true,null,{"c":2}]}');
  expect(json).toEqual({ a: '1', b: [true, null, { c: new JsonNumber('2') }] });
  expect([asObject(json), asObject([]), asObject(new JsonNumber('1')), asObject(null)]).toEqual([
    json,
    null,
    null,
    null,
  ]);
  expect(() => parseExactJson('{"a":')).toThrow(SyntaxError);
});
