import { expect, test } from 'vitest';
import { DIALECTS } from './dialects.ts';
import { checkSchema } from './schema-check.ts';
import { schemaParam } from './schema-fault.ts';

const draft4 = (schema: object): object => ({ $schema: DIALECTS['draft-04'], ...schema });
const check = (schema: unknown): ReturnType<typeof checkSchema> => checkSchema(JSON.stringify(schema));

test.each<[string, unknown, string]>([
  ['that is no object', true, ''],
  ['of a dialect that nobody uses any more', { $schema: 'http://json-schema.org/draft-03/schema#' }, '/$schema'],
  [
    'with a part of another dialect',
    { $defs: { a: { $id: 'a', $schema: 'http://json-schema.org/draft-07/schema#' } } },
    '/$defs/a/$schema',
  ],
  ['that refers to another host', { properties: { a: { $ref: 'https://example.com/a' } } }, '/properties/a/$ref'],
  ['that refers to a relative address', { items: { $ref: 'other.json#/a' } }, '/items/$ref'],
  ['that refers to an anchor that is not there', { $ref: '#a' }, '/$ref'],
  ['that refers to what is no schema', { required: ['a'], not: { $ref: '#/required' } }, '/not/$ref'],
  ['with a reference that is no string', { $ref: 1 }, '/$ref'],
  ['with an identifier that is no address', { $id: 'http://[' }, '/$id'],
  ['that refers to an identifier of two schemas', { $ref: 'x', $defs: { a: { $id: 'x' }, b: { $id: 'x' } } }, '/$ref'],
  [
    'that refers to what stands beside a reference of an older dialect',
    draft4({ $ref: '#a', definitions: { x: { id: '#a', $ref: '#' } } }),
    '/$ref',
  ],
  ['that is itself', { $ref: '#' }, ''],
  ['that is itself by a way around', { anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { not: { $ref: '#' } } } }, ''],
  ['that is itself by a recursive reference', { $schema: DIALECTS['2019-09'], $recursiveRef: '#' }, ''],
  ['with a vocabulary', { items: { $vocabulary: {} } }, '/items/$vocabulary'],
  ['with a property whose name is half of a character', { properties: { 'a\ud800': {} } }, '/properties'],
  ['with a pattern that is half of a character', { patternProperties: { '\udc00': {} } }, '/patternProperties'],
  ['with a pattern that is none', { patternProperties: { '[': true } }, '/patternProperties/['],
  ['with a pattern that is longer than any', { pattern: 'a'.repeat(8_193) }, '/pattern'],
  ['with a pattern for another flavour', { pattern: '(?P<x>a)' }, '/pattern'],
  ['nested too deep', JSON.parse(`${'{"not":'.repeat(65)}{}${'}'.repeat(65)}`), ''],
])('a schema is refused at its place: %s', (_what, schema, pointer) => {
  expect(check(schema)).toMatchObject({ pointer, message: expect.any(String) });
});

test.each<[string, unknown]>([
  ['that refers to itself within', { properties: { a: { $ref: '#' } }, items: { allOf: [{ $ref: '#' }] } }],
  ['that refers to a definition twice', { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }], $defs: { a: {} } }],
  ['with an anchor', { $ref: '#a', $defs: { x: { $anchor: 'a' } } }],
  ['with a part that is named', { $ref: 'part', $defs: { x: { $id: 'part', type: 'string' } } }],
  ['with names that need escapes', { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': {} } }],
  [
    'of draft 7 by an anchor',
    { $schema: 'http://json-schema.org/draft-07/schema#', $ref: '#a', definitions: { x: { $id: '#a' } } },
  ],
  ['of draft 4 by an address', draft4({ id: 'http://a/b', $ref: 'b#/definitions/x', definitions: { x: { id: 'c' } } })],
  ['with an identifier of two schemas that nothing refers to', { $defs: { a: { $id: 'x' }, b: { $id: 'x' } } }],
  ['whose definition is itself, but unused', { $defs: { a: { $ref: '#/$defs/a' } } }],
  ['that names a dialect in a part without an address', { properties: { a: draft4({}) } }],
  ['with a pattern for readers without the flag u', { pattern: '^[\\w-.]+\\@{x}$' }],
  [
    'that refers into data which refers further',
    { $id: 'http://a/b', $ref: '#/x-parts/a', 'x-parts': { a: { items: { $ref: '#/$defs/b' } } }, $defs: { b: {} } },
  ],
  ['that refers into data', { $ref: '#/x-parts/a', 'x-parts': { a: { type: 'string' } } }],
  ['with a value that is half of a character', { const: '\ud800', properties: { '💥': {} } }],
  ['that has a reference for a constant', { const: { $ref: 'https://example.com/' } }],
  [
    'with the names of keywords for properties',
    { properties: { $ref: { type: 'string' }, pattern: { minLength: 1 } } },
  ],
])('a schema is taken: %s', (_what, schema) => {
  expect(check(schema)).toMatchObject({ schema });
});

test.each<[string, string, string]>([
  ['none is compared', '{"type":"integer"}', 'all'],
  ['they are compared', '{"minimum":1}', 'exact'],
  ['a constant holds one', '{"enum":[["a",{"b":1}]]}', 'exact'],
  ['the bound itself is rounded', '{"maximum":9223372036854775807}', 'safe'],
])('a schema says which integers can be judged where %s', (_what, text, integers) => {
  expect(checkSchema(text)).toMatchObject({ integers });
});

test('a schema is refused where it compares with an integer that many readers round', () => {
  expect(checkSchema('{"properties":{"a":{"const":9007199254740993}}}')).toMatchObject({
    pointer: '/properties/a/const',
  });
  expect(checkSchema('{"multipleOf":9007199254740993}')).toMatchObject({ pointer: '/multipleOf' });
});

test('a schema with too many values, or too many that apply to one, is refused whatever it says', () => {
  expect(check({ enum: Array.from({ length: 20_001 }, (_, at) => at) })).toMatchObject({ pointer: '' });
  const level = (at: number): object => ({ anyOf: [{ $ref: `#/$defs/${at + 1}` }, { $ref: `#/$defs/${at + 1}` }] });
  const $defs = { ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [at, level(at)])), 20: {} };
  expect(check({ $ref: '#/$defs/0', $defs })).toMatchObject({ message: expect.stringContaining('5000 schemas') });
});

test('a place in a schema is named as callers write it', () => {
  expect(schemaParam('/properties/a b/items/0/$ref', 'response_format.json_schema.schema')).toBe(
    'response_format.json_schema.schema.properties["a b"].items[0].$ref',
  );
});
