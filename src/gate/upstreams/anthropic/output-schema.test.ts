import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { expect, test } from 'vitest';
import { enforceableSchema } from './output-schema.ts';

/** Schemas as callers send them in strict mode, which Anthropic's own SDK converts too. */
const SHARED: readonly Record<string, unknown>[] = [
  {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 80, pattern: '^[A-Z]' },
      born: { type: 'string', format: 'date', description: 'A day.' },
      color: { type: 'string', format: 'color' },
      score: { type: 'number', minimum: 0, exclusiveMaximum: 10, multipleOf: 0.5 },
      tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 5, uniqueItems: true },
      pairs: { type: 'array', items: { type: 'integer' }, minItems: 2 },
      nothing: { type: 'null' },
    },
    required: ['name', 'born'],
    additionalProperties: false,
  },
  {
    type: 'object',
    title: 'Choice',
    properties: {
      either: { anyOf: [{ type: 'string', maxLength: 2 }, { type: 'integer' }] },
      one: { oneOf: [{ type: 'string' }, { type: 'null' }] },
      all: { allOf: [{ type: 'string' }] },
      node: { $ref: '#/$defs/node' },
    },
    required: ['either'],
    $defs: { node: { type: 'object', properties: { id: { type: 'integer', maximum: 9 } }, required: ['id'] } },
  },
];

/** The schema without what only describes. */
function bones(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bones);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(members.map(([key, value]) => [key, bones(value)]));
}

test.each(SHARED.map((schema) => [schema]))(
  'a schema is cut to what the API enforces as Anthropic’s own SDK cuts it',
  (schema) => {
    expect(bones(enforceableSchema(schema))).toEqual(bones(transformJSONSchema(schema)));
  },
);

test('what is cut off a schema is told where it held', () => {
  const schema = enforceableSchema({
    type: 'object',
    properties: {
      a: { type: 'integer', description: 'A number.', minimum: 1, maximum: 5 },
      b: { type: 'string', pattern: 'x' },
    },
  });
  expect(schema).toMatchObject({
    properties: { a: { description: 'A number.\n\n{minimum: 1, maximum: 5}' }, b: { description: '{pattern: "x"}' } },
  });
});

test('a schema’s member called like a keyword is a member', () => {
  const properties = { minimum: { type: 'integer' }, description: { type: 'string' }, $ref: { type: 'string' } };
  expect(enforceableSchema({ type: 'object', properties })).toEqual({
    type: 'object',
    properties,
    additionalProperties: false,
  });
});

test('choices between objects are told, choices between plain values are enforced', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { enum: ['x', 1, null, true] },
      b: { type: 'object', enum: [{ c: 1 }], properties: { c: { type: 'integer' } } },
    },
  };
  expect(enforceableSchema(schema)).toMatchObject({
    properties: { a: { enum: ['x', 1, null, true] }, b: { description: '{enum: [{"c":1}]}' } },
  });
});

test.each<[string, object]>([
  ['a map', { type: 'object', additionalProperties: { type: 'string' } }],
  ['an object of any kind', { type: 'object' }],
  [
    'an object that may have more members',
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
  ],
  ['anything', {}],
  ['anything within', { type: 'object', properties: { a: {} } }],
  ['anything in a list', { type: 'array', items: true }],
  ['a map among definitions', { $ref: '#/$defs/m', $defs: { m: { type: ['object', 'null'] } } }],
])('a schema that Anthropic can’t enforce is told: %s', (_case, schema) => {
  expect(enforceableSchema(schema as Record<string, unknown>)).toBeNull();
});

test('a schema of an object without any member is enforced', () => {
  expect(enforceableSchema({ type: 'object', properties: {}, additionalProperties: false })).not.toBeNull();
});
