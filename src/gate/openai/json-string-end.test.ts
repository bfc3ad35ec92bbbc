import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findStringStop } from './json-string-end.ts';
import { isJson } from './json-scan.ts';

function isParsed(document: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(document));
    return true;
  } catch {
    return false;
  }
}

/** A string of the document, between two quotes, after `before` and before `after` plain bytes. */
function documentOf(before: number, fragment: Buffer, after: number): Buffer {
  return Buffer.concat([Buffer.from(`"${'x'.repeat(before)}`), fragment, Buffer.from(`${'y'.repeat(after)}"`)]);
}

const FRAGMENTS: readonly (readonly [what: string, fragment: Buffer])[] = [
  ['a quote', Buffer.from('"')],
  ['an escaped quote', Buffer.from('\\"')],
  ['a quote after two backslashes', Buffer.from('\\\\"')],
  ['a quote after many backslashes, odd', Buffer.from(`${'\\'.repeat(131)}"`)],
  ['a quote after many backslashes, even', Buffer.from(`${'\\'.repeat(132)}"`)],
  ['every short escape', Buffer.from('\\"\\\\\\/\\b\\f\\n\\r\\t')],
  ['an unknown escape', Buffer.from('\\x')],
  ['an escape in upper case', Buffer.from('\\N')],
  ['an unknown escape before an escape by code unit', Buffer.from('\\a\\u0041')],
  ['an escape by code unit before an unknown escape', Buffer.from('\\u0041\\a')],
  ['a pair of surrogates', Buffer.from('\\ud83d\\uDE00')],
  ['a lone surrogate', Buffer.from('\\ud800')],
  ['an escape with three digits', Buffer.from('\\u00e"')],
  ['an escape with a letter beyond f', Buffer.from('\\u00eg')],
  ['an escape with digits of two bytes', Buffer.from('\\u00\u00e9\u00e9')],
  ['a control character', Buffer.from('\u0001')],
  ['the last control character', Buffer.from('\u001f')],
  ['a line feed', Buffer.from('\n')],
  ['an escaped control character', Buffer.from('\\\n')],
  ['the last byte that is no control character', Buffer.from(' ')],
  ['delete, which is none', Buffer.from('\u007f')],
  ['characters of several bytes', Buffer.from('\u00e9\u20ac\u{1f600}\u0085')],
  ['an escaped character of several bytes', Buffer.from('\\\u00e9')],
  ['a byte that is no UTF-8', Buffer.from([0xff])],
  ['an escaped byte that is no UTF-8', Buffer.from([0x5c, 0xa2])],
  ['half of a character', Buffer.from([0xc3])],
];

/** Positions at the end of each window, in a string that begins the document: from the length that counts as short. */
const WINDOW_ENDS = [1_024, 5_120, 21_504, 87_040].map((bytes) => 128 + bytes);

test.each(FRAGMENTS)(
  'a long string is judged as JSON.parse does it with %s at any place of a block',
  (_what, fragment) => {
    for (let before = 100; before < 330; before++) {
      for (const after of [0, 1, 70]) {
        const document = documentOf(before, fragment, after);
        expect(isJson(document), `${before} before and ${after} after`).toBe(isParsed(document));
      }
    }
  },
);

test.each(FRAGMENTS)('a long string is judged as JSON.parse does it with %s where a window ends', (_what, fragment) => {
  for (const end of WINDOW_ENDS) {
    for (let before = end - 16; before < end + 4; before++) {
      const document = documentOf(before, fragment, 20);
      expect(isJson(document), `${before} before`).toBe(isParsed(document));
    }
  }
});

test('a long string is judged as JSON.parse does it, whatever it is made of', () => {
  const piece = fc.oneof(
    { weight: 2, arbitrary: fc.nat(200).map((length) => Buffer.alloc(length, 'a')) },
    {
      weight: 6,
      arbitrary: fc.constantFrom('\\"', '\\\\', '\\n', '\\u00e9', '\\/').map((text) => Buffer.from(text)),
    },
    {
      weight: 3,
      arbitrary: fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(JSON.stringify(text).slice(1, -1))),
    },
    { weight: 1, arbitrary: fc.constantFrom('\\', '"', '\\u00', '\t', '\\v').map((text) => Buffer.from(text)) },
  );
  let valid = 0;
  fc.assert(
    fc.property(fc.array(piece, { minLength: 4, maxLength: 40 }), (pieces) => {
      const document = Buffer.concat([Buffer.from('"'), ...pieces, Buffer.from('"')]);
      const expected = isParsed(document);
      if (expected) valid++;
      expect(isJson(document)).toBe(expected);
    }),
    { numRuns: 3_000 },
  );
  expect(valid).toBeGreaterThan(100);
});

test('a long string stops at its quote wherever its bytes lie in memory, and never beyond the document', () => {
  const memory = Buffer.alloc(400, '"');
  for (let start = 0; start < 70; start++) {
    for (const length of [0, 1, 63, 64, 65, 128, 200]) {
      const string = memory.subarray(start, start + length + 1).fill('z', 0, length);
      expect(findStringStop(string, 0)).toBe(length);
      expect(findStringStop(string.subarray(0, length), 0)).toBe(length);
      memory.fill('"');
    }
  }
});
