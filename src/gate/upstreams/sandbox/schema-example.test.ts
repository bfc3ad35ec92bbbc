import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exampleOf } from './schema-example.ts';

test.each<[string, unknown, unknown]>([
  ['a constant', { const: { a: 1 } }, { a: 1 }],
  ['an enumeration', { enum: ['x', 'y'] }, 'x'],
  ['a default', { type: 'integer', default: 9 }, 9],
  ['a text', { type: 'string' }, 'text'],
  ['a text of at least so many characters', { type: 'string', minLength: 6 }, 'text..'],
  ['a text of at most so many characters', { type: 'string', maxLength: 2 }, 'te'],
  ['a format', { type: 'string', format: 'uuid' }, '00000000-0000-4000-8000-000000000000'],
  ['a bounded integer', { type: 'integer', minimum: 10, maximum: 12 }, 10],
  ['an integer above a bound', { type: 'integer', exclusiveMinimum: 10 }, 11],
  ['a negative integer', { type: 'integer', maximum: -5 }, -5],
  ['a multiple', { type: 'integer', multipleOf: 7, minimum: 8 }, 14],
  ['a fraction', { type: 'number', minimum: 0.2, maximum: 0.4 }, 0.30000000000000004],
  ['a boolean', { type: 'boolean' }, true],
  ['nothing', { type: 'null' }, null],
  ['the first of several types', { type: ['string', 'null'] }, 'text'],
  ['an array', { type: 'array', items: { type: 'integer' }, minItems: 3 }, [1, 1, 1]],
  ['an empty array', { type: 'array', maxItems: 0 }, []],
  ['alternatives', { anyOf: [{ type: 'null' }, { type: 'string' }] }, null],
  ['parts', { allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] }, { a: 1, b: 2 }],
  ['a reference', { $ref: '#/$defs/a~1b', $defs: { 'a/b': { const: 1 } } }, 1],
  ['no type at all', {}, 'text'],
  [
    'a property with a dangerous name',
    { properties: JSON.parse('{"__proto__":{"const":1}}') as object },
    JSON.parse('{"__proto__":1}'),
  ],
])('an example of a schema: %s', (_case, schema, expected) => {
  expect(JSON.stringify(exampleOf(schema, 'text'))).toBe(JSON.stringify(expected));
});

test('an example of a schema ends where a schema refers to itself without end', () => {
  const tree = {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 20 }, (_, index) => [`child${index}`, { $ref: '#/$defs/node' }]),
        ),
        required: Array.from({ length: 20 }, (_, index) => `child${index}`),
      },
    },
  };
  expect(JSON.stringify(exampleOf(tree, 'x')).length).toBeLessThan(1_000_000);
  expect(exampleOf({ $ref: '#' }, 'x')).toBeNull();
});

test('an example of a schema is some JSON value for any JSON whatsoever', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (schema, text) => {
      expect(() => JSON.stringify(exampleOf(schema, text))).not.toThrow();
    }),
  );
});

test('an example of a schema is some JSON value for any use of the keywords', () => {
  // Small, or making the schemas takes fifty times as long as their examples.
  const any = fc.jsonValue({ maxDepth: 1 });
  const { schema } = fc.letrec((tie) => ({
    schema: fc.record(
      {
        type: fc.oneof(fc.constantFrom('string', 'integer', 'number', 'array', 'object', 'null'), any),
        properties: fc.oneof({ maxDepth: 3 }, any, fc.dictionary(fc.string(), tie('schema'), { maxKeys: 4 })),
        items: fc.oneof({ maxDepth: 3 }, any, tie('schema')),
        minItems: fc.oneof(fc.integer(), any),
        minLength: fc.oneof(fc.integer(), any),
        maxLength: fc.oneof(fc.integer(), any),
        minimum: fc.oneof(fc.double(), any),
        multipleOf: fc.oneof(fc.double(), any),
        $ref: fc.oneof(fc.constantFrom('#', '#/properties', '#/%', '#/%zz'), fc.string()),
        anyOf: any,
      },
      { requiredKeys: [] },
    ),
  }));
  fc.assert(
    fc.property(schema, (given) => {
      expect(() => JSON.stringify(exampleOf(given, 'x'))).not.toThrow();
    }),
  );
});
