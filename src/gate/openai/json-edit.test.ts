import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applySplices, readObject, spliceObject, type JsonObject, type ObjectEdit } from './json-edit.ts';
import { JsonScan } from './json-scan.ts';

function objectOf(text: Buffer): JsonObject {
  const scan = new JsonScan(text);
  const object = readObject(scan, 100);
  if (object === null || !scan.finish()) throw new Error('the test has a broken object');
  return object;
}

function edited(text: string, edits: (object: JsonObject) => ObjectEdit[]): string {
  const bytes = Buffer.from(text);
  const object = objectOf(bytes);
  return applySplices(bytes, spliceObject(object, edits(object))).toString();
}

test('an edit leaves all other bytes alone: 64-bit numbers, white space, order, escapes', () => {
  const text = '{ "seed": 9223372036854775807,\n\t"model" : "a" , "x":1.50e3,"\\u0065":"\\/" }';
  expect(edited(text, ({ members }) => [{ kind: 'replace', member: members[1]!, value: '"b"' }])).toBe(
    text.replace('"a"', '"b"'),
  );
});

test('without edits the very same buffer comes back', () => {
  const bytes = Buffer.from('{"a":1}');
  expect(applySplices(bytes, spliceObject(objectOf(bytes), []))).toBe(bytes);
});

test('each removed member takes one comma along', () => {
  const remove = (...indices: number[]) =>
    edited('{"a":1, "b":2, "c":3}', ({ members }) =>
      indices.map((index) => ({ kind: 'remove', member: members[index]! })),
    );
  expect([remove(0), remove(1), remove(2), remove(0, 1), remove(1, 2), remove(0, 2), remove(0, 1, 2)]).toEqual([
    '{"b":2, "c":3}',
    '{"a":1, "c":3}',
    '{"a":1, "b":2}',
    '{"c":3}',
    '{"a":1}',
    '{"b":2}',
    '{}',
  ]);
});

test('a member is inserted last, with a comma only where another is left', () => {
  const insert: ObjectEdit = { kind: 'insert', key: 'z', value: 'true' };
  expect(edited('{ }', () => [insert])).toBe('{"z":true }');
  expect(edited('{"a":1 }', () => [insert])).toBe('{"a":1,"z":true }');
  expect(edited('{"a":1 }', ({ members }) => [{ kind: 'remove', member: members[0]! }, insert])).toBe('{"z":true }');
});

test('any edits of any object come out as the same edits of its value', () => {
  const action = fc.constantFrom('keep', 'replace', 'rename', 'remove', 'rename and replace');
  const space = fc.constantFrom('', ' ', '\n', '\r\n\t');
  const value = fc.jsonValue({ maxDepth: 2 });
  const member = fc.record({ key: fc.string(), value, action, space });
  fc.assert(
    fc.property(fc.uniqueArray(member, { selector: ({ key }) => key, maxLength: 6 }), fc.nat(2), (items, inserts) => {
      const text = items.map(
        ({ key, value: each, space: gap }) => `${gap}${JSON.stringify(key)}${gap}:${gap}${JSON.stringify(each)}${gap}`,
      );
      const expected: [string, unknown][] = [];
      for (const item of items) {
        if (item.action === 'remove') continue;
        expected.push([
          item.action.startsWith('rename') ? `new ${item.key}` : item.key,
          item.action.endsWith('replace') ? [7] : item.value,
        ]);
      }
      for (let index = 0; index < inserts; index++) expected.push([`inserted ${index}`, null]);
      const result = edited(`{${text.join(',')}}`, ({ members }) => {
        const edits: ObjectEdit[] = [];
        for (const [index, { key, action: kind }] of items.entries()) {
          const each = members[index]!;
          if (kind === 'remove') edits.push({ kind, member: each });
          if (kind.startsWith('rename')) edits.push({ kind: 'rename', member: each, key: `new ${key}` });
          if (kind.endsWith('replace')) edits.push({ kind: 'replace', member: each, value: '[7]' });
        }
        for (let index = 0; index < inserts; index++)
          edits.push({ kind: 'insert', key: `inserted ${index}`, value: 'null' });
        return edits;
      });
      expect(pairsOf(result)).toEqual(expected.map(([key, each]) => [key, JSON.parse(JSON.stringify(each))]));
    }),
  );
});

/** Keys and values in the document's order, duplicates and all. */
function pairsOf(text: string): [string, unknown][] {
  const bytes = Buffer.from(text);
  return objectOf(bytes).members.map(({ key, valueStart, valueEnd }) => [
    key,
    JSON.parse(bytes.toString('utf8', valueStart, valueEnd)),
  ]);
}
