import { expect, test } from 'vitest';
import { type Dialect, DIALECTS } from './dialects.ts';
import { checkSchema } from './schema-check.ts';
import { compileSchema } from './schema-validator.ts';

// The rules of each dialect, which the validator would get wrong with the original schema.

interface Case {
  readonly what: string;
  readonly dialect: Dialect;
  readonly schema: object;
  readonly conforming: readonly unknown[];
  readonly not: readonly unknown[];
}

async function conformsTo(dialect: Dialect, schema: object): Promise<(value: unknown) => boolean> {
  const checked = checkSchema(JSON.stringify({ $schema: DIALECTS[dialect], ...schema }));
  const validate = 'message' in checked ? checked : await compileSchema(checked);
  if (typeof validate !== 'function') throw new Error(`not compiled: ${JSON.stringify(validate)}`);
  return (value) => validate(value).length === 0;
}

const ANSWER = { type: 'object', properties: { a: { $ref: '#/definitions/Part' } }, required: ['a'] };

const CASES: readonly Case[] = [
  {
    what: 'a root that refers to a definition, as generators of schemas write it',
    dialect: 'draft-07',
    schema: { $ref: '#/definitions/Answer', definitions: { Answer: ANSWER, Part: { type: 'integer' } } },
    conforming: [{ a: 1 }],
    not: [{ a: 'x' }, {}, 1],
  },
  {
    what: 'what stands beside a reference of an older dialect, which means nothing, but for definitions',
    dialect: 'draft-06',
    schema: {
      properties: {
        a: { $ref: '#/properties/b/definitions/x', minimum: 5 },
        b: { $ref: '#/definitions/y', definitions: { x: { type: 'integer' } } },
      },
      definitions: { y: { type: 'string' } },
    },
    conforming: [{ a: 1, b: 'x' }],
    not: [{ a: 'x' }, { b: 1 }],
  },
  {
    what: 'what stands beside a reference of a newer dialect, which counts',
    dialect: '2019-09',
    schema: { $ref: '#/$defs/a', minimum: 5, $defs: { a: { type: 'integer' } } },
    conforming: [5],
    not: [4, 5.5],
  },
  {
    what: 'bounds of draft 4, which a boolean beside them excludes',
    dialect: 'draft-04',
    schema: {
      items: [
        { minimum: 1, exclusiveMinimum: true },
        { maximum: 5, exclusiveMaximum: true },
        { minimum: 1, exclusiveMinimum: false },
      ],
    },
    conforming: [[2, 4, 1]],
    not: [[1], [2, 5], [2, 4, 0]],
  },
  {
    what: 'identifiers of draft 4',
    dialect: 'draft-04',
    schema: {
      id: 'https://example.com/root.json',
      properties: { a: { $ref: 'part.json#/definitions/x' }, b: { $ref: '#named' } },
      definitions: {
        p: { id: 'part.json', definitions: { x: { type: 'integer' } } },
        n: { id: '#named', type: 'null' },
      },
    },
    conforming: [{ a: 1, b: null }],
    not: [{ a: 'x' }, { b: 1 }],
  },
  {
    what: 'keywords that came later, in a schema that says it is of draft 4',
    dialect: 'draft-04',
    schema: {
      anyOf: [{ const: 'a' }, { type: ['array', 'object'], contains: {}, propertyNames: { maxLength: 1 } }],
    },
    conforming: ['a', [1], { a: 1 }],
    not: ['b', [], { ab: 1 }],
  },
  {
    what: 'tuples of 2019-09',
    dialect: '2019-09',
    schema: { items: [{ type: 'integer' }], additionalItems: { type: 'string' } },
    conforming: [[], [1, 'a']],
    not: [['a'], [1, 1]],
  },
  {
    what: 'recursive references of 2019-09',
    dialect: '2019-09',
    schema: {
      $id: 'https://example.com/strict',
      $recursiveAnchor: true,
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: { tree: { $id: 'tree', $recursiveAnchor: true, properties: { sub: { $recursiveRef: '#' } } } },
    },
    conforming: [{ sub: { sub: {} } }],
    not: [{ sub: { other: 1 } }],
  },
  {
    what: 'dependencies, which newer dialects only let be understood',
    dialect: '2020-12',
    schema: { dependencies: { a: ['b'], c: { required: ['d'] } } },
    conforming: [{ a: 1, b: 1 }, { c: 1, d: 1 }, {}],
    not: [{ a: 1 }, { c: 1 }],
  },
  {
    what: 'constants that look like schemas',
    dialect: 'draft-04',
    schema: { properties: { a: { enum: [{ id: 'x', more: [1, {}] }, { $ref: '#/none' }, 5] }, b: { enum: [[]] } } },
    conforming: [{ a: { id: 'x', more: [1, {}] } }, { a: { $ref: '#/none' } }, { a: 5 }, { b: [] }],
    not: [
      { a: {} },
      { a: { id: 'y', more: [1, {}] } },
      { a: { id: 'x', more: [1] } },
      { a: { id: 'x', more: [1, {}], c: 1 } },
      { b: [1] },
    ],
  },
  {
    what: 'a constant with the name of a dialect in it',
    dialect: '2020-12',
    schema: { const: { $schema: 'https://example.com/none', $anchor: 'x', a: [{ $id: 'y' }, 2] }, allOf: [true] },
    conforming: [{ $schema: 'https://example.com/none', $anchor: 'x', a: [{ $id: 'y' }, 2] }],
    not: [{}, { $schema: 'https://example.com/none', $anchor: 'x', a: [{ $id: 'y' }, 3] }],
  },
  {
    what: 'examples and defaults that look like schemas',
    dialect: 'draft-07',
    schema: {
      $id: 'https://example.com/a',
      default: { $schema: 'https://example.com/none', $id: 'https://example.com/a' },
      properties: { a: { $ref: '#b', examples: [{ $ref: '#/none' }] } },
      definitions: { b: { $id: '#b', type: 'integer', examples: [{ $id: '#b' }] } },
    },
    conforming: [{ a: 1 }],
    not: [{ a: 'x' }],
  },
  {
    what: 'patterns that only readers without the flag u take, two of them alike',
    dialect: 'draft-07',
    schema: {
      patternProperties: { '^\\@a': { type: 'integer' }, '^@a': { minimum: 5 } },
      propertyNames: { pattern: '\\@' },
    },
    conforming: [{ '@a': 5 }, { 'b@': 'x' }],
    not: [{ '@a': 4 }, { '@a': 'x' }, { b: 1 }],
  },
  {
    what: 'a schema that refers to itself, to its parts, and to what is in no keyword',
    dialect: '2020-12',
    schema: {
      properties: { a: { $ref: '#' }, b: { $ref: '#/properties/c/items' }, c: { items: { $ref: '#/x-parts/0' } } },
      additionalProperties: false,
      'x-parts': [{ type: 'integer' }],
    },
    conforming: [{ a: { a: { b: 1 } }, c: [1] }],
    not: [{ a: { a: { d: 1 } } }, { b: 'x' }, { c: ['x'] }],
  },
];

test.each(CASES)(
  'a schema in the form in which it is compiled keeps the meaning of $what',
  async ({ dialect, schema, conforming, not }) => {
    const conforms = await conformsTo(dialect, schema);
    for (const value of conforming) expect([value, conforms(value)]).toEqual([value, true]);
    for (const value of not) expect([value, conforms(value)]).toEqual([value, false]);
  },
);

test('a schema in the form in which it is compiled grows with the schema alone, however its parts refer to others', () => {
  let schema: object = { type: 'integer' };
  let pointer = '#';
  const links: object[] = [];
  for (let level = 0; level < 28; level++) {
    schema = { properties: { a: schema }, title: 'x'.repeat(100) };
    pointer += '/properties/a';
    links.push({ $ref: pointer });
  }
  const checked = checkSchema(JSON.stringify({ ...schema, items: { anyOf: links } }));
  if ('message' in checked) throw new Error(checked.message);
  expect(JSON.stringify(checked.standalone).length).toBeLessThan(JSON.stringify(checked.schema).length);
});

test.each<[Dialect, object, string]>([
  ['draft-04', { properties: { a: { exclusiveMinimum: 1, minimum: 1 } } }, '/properties/a/exclusiveMinimum'],
  ['draft-06', { exclusiveMinimum: true }, '/exclusiveMinimum'],
  ['draft-07', { $ref: '#/definitions/a', definitions: { a: { type: 'text' } } }, '/definitions/a/type'],
  ['2019-09', { items: [{ minLength: -1 }] }, '/items/0/minLength'],
])(
  "a schema of %s is held against its own dialect's meta-schema, where it stands",
  async (dialect, schema, pointer) => {
    const checked = checkSchema(JSON.stringify({ $schema: DIALECTS[dialect], ...schema }));
    expect('message' in checked ? checked : await compileSchema(checked)).toMatchObject({ pointer });
  },
);
