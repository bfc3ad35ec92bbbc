import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readStrictJson } from './strict-json.ts';

test('JSON that every reader understands alike is all that JSON.stringify writes, as far as it is not too deep', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(readStrictJson(JSON.stringify(value))).toMatchObject({
        ok: true,
        value: JSON.parse(JSON.stringify(value)),
      });
    }),
  );
});

test('JSON that every reader understands alike has no name given twice, whatever stands in names and values', () => {
  const word = fc.string({ unit: fc.constantFrom('a', '"', '\\', ':', '{', ']', ' ', 'é', '1', 'e'), maxLength: 4 });
  const members = fc.array(fc.tuple(word, fc.oneof(word, fc.nat(), fc.constant({ a: [] }))), { maxLength: 6 });
  fc.assert(
    fc.property(members, fc.constantFrom('', ' ', '\n\t'), (all, space) => {
      const written = all.map(([name, value]) => `${JSON.stringify(name)}${space}:${JSON.stringify(value)}`);
      const isOnce = new Set(all.map(([name]) => name)).size === all.length;
      const json = readStrictJson(`{"x":{${written.join(`${space},`)}}}${space}`);
      expect(json).toMatchObject(
        isOnce ? { ok: true, value: { x: Object.fromEntries(all) } } : { fault: { keyword: 'duplicate_key' } },
      );
    }),
    { numRuns: 500 },
  );
});

test.each<[string, string, string, string]>([
  ['no JSON', '{"a":', 'json', ''],
  ['NaN', '{"a":NaN}', 'json', ''],
  ['Infinity', '[Infinity]', 'json', ''],
  ['a comment', '{} // done', 'json', ''],
  ['a comma at the end', '[1,]', 'json', ''],
  ['nothing', '', 'json', ''],
  ['a name given twice', '{"a":{"b":1,"b":1}}', 'duplicate_key', '/a/b'],
  ['a name given twice, once escaped', '{"a":1,"\\u0061":2}', 'duplicate_key', '/a'],
  ['a number out of range', '{"a/b":[0,1e999]}', 'number_range', '/a~1b/1'],
  ['nested 129 deep', `${'['.repeat(129)}${']'.repeat(129)}`, 'depth', ''],
  ['nested 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'depth', ''],
])('JSON that every reader understands alike is none with %s', (_what, text, keyword, pointer) => {
  expect(readStrictJson(text)).toEqual({ ok: false, fault: { keyword, pointer } });
});

test('JSON that every reader understands alike says which integers may be rounded, and which of them a double holds', () => {
  expect(readStrictJson('{"a":[9007199254740991,9007199254740992,9007199254740993],"b":1e30}')).toMatchObject({
    ok: true,
    largeIntegers: [
      { pointer: '/a/1', isExact: true },
      { pointer: '/a/2', isExact: false },
    ],
  });
});

test('JSON that every reader understands alike keeps names that are written alike apart, whatever was read before', () => {
  for (const [sibling, names] of Object.entries({ one: ['x\\', 'x"'], two: ['\\', '"'], three: ['x\\n', 'x\n'] })) {
    for (const name of names) {
      const value = { [sibling]: 1, [name]: 2 };
      expect(readStrictJson(JSON.stringify(value))).toMatchObject({ ok: true, value });
    }
  }
});

test('JSON that every reader understands alike keeps a member whose name is that of every object’s prototype', () => {
  const json = readStrictJson('{"__proto__":1}');
  expect(json.ok && Object.entries(json.value as object)).toEqual([['__proto__', 1]]);
});
