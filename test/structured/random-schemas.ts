import fc from 'fast-check';
import { exampleOf } from '../../src/gate/upstreams/sandbox/schema-example.ts';

// Schemas out of every keyword that callers use, and values that are likely to conform to them, or nearly so: what the
// schema's own bounds are, and what is next to them, stands in most of them.

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const name = fc.constantFrom('a', 'b', 'c', 'ab', 'x y', '__proto__');
const text = fc.constantFrom('', 'a', 'ab', 'abc', 'ä😀', '2026-01-02', 'x@example.com', '127.0.0.1', 'Z9');
const number = fc.oneof(fc.integer({ min: -4, max: 12 }), fc.constantFrom(0.5, -1.25, 1e21, 9_007_199_254_740_991));
const size = fc.integer({ min: 0, max: 3 });

const { json } = fc.letrec<{ json: Json; leaf: Json }>((tie) => ({
  leaf: fc.oneof(fc.constantFrom(null, true, false), number, text),
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(name, tie('json'), { maxKeys: 3 }),
  ),
}));

/** Keywords of which any may be there. */
function keywords(shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  return fc.record(shape, { requiredKeys: [] });
}

const { schema } = fc.letrec<{ schema: unknown; object: object; array: object }>((tie) => ({
  object: keywords({
    type: fc.constant('object'),
    properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    additionalProperties: tie('schema'),
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$', '^.$'), tie('schema'), { maxKeys: 1 }),
    propertyNames: fc.oneof(fc.record({ maxLength: size }), fc.record({ pattern: fc.constantFrom('^[a-c]+$', '\\s') })),
    minProperties: size,
    maxProperties: size,
    dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 1 }),
    dependentSchemas: fc.dictionary(name, tie('schema'), { maxKeys: 1 }),
  }),
  array: keywords({
    type: fc.constant('array'),
    items: tie('schema'),
    prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
    contains: tie('schema'),
    minItems: size,
    maxItems: size,
    uniqueItems: fc.boolean(),
  }),
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.boolean(),
    keywords({
      type: fc.constant('string'),
      minLength: size,
      maxLength: size,
      pattern: fc.constantFrom('^a', 'b+$', '^\\p{L}*$', '\\d'),
      format: fc.constantFrom('date', 'date-time', 'email', 'ipv4', 'time', 'uri', 'uuid', 'regex'),
    }),
    keywords({
      type: fc.constantFrom('integer', 'number'),
      minimum: number,
      maximum: number,
      exclusiveMinimum: number,
      exclusiveMaximum: number,
      multipleOf: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(0.5, 0.25)),
    }),
    // One bound alone, which an example of the schema often lies on.
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((keyword) =>
      fc.record({ [keyword]: number }),
    ),
    keywords({
      type: fc.uniqueArray(fc.constantFrom('null', 'boolean', 'string', 'array', 'object', 'integer', 'number'), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
    keywords({ const: json, description: text, default: json, title: text, deprecated: fc.boolean() }),
    fc.record({ enum: fc.uniqueArray(json, { minLength: 1, maxLength: 3, comparator: 'IsStrictlyEqual' }) }),
    tie('object'),
    tie('object'),
    tie('array'),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('schema') }),
    keywords(Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, tie('schema')]))),
    // Only within a part of the value: a reference to itself in place has no end.
    fc.constantFrom(
      { properties: { a: { $ref: '#/$defs/node' } } },
      { items: { $ref: '#/$defs/node' } },
      { additionalProperties: { $ref: '#' } },
    ),
  ),
}));

/** A schema with a definition that others within it may refer to. */
export const schemas: fc.Arbitrary<object> = fc
  .tuple(schema, schema)
  .map(([root, node]) => ({ ...(typeof root === 'boolean' ? { allOf: [root] } : (root as object)), $defs: { node } }))
  // As a body would bring it.
  .map((whole) => JSON.parse(JSON.stringify(whole)) as object);

/** Values to hold against the schema: an example of it, the same with something changed, and any. */
export function valuesFor(given: object): fc.Arbitrary<readonly Json[]> {
  const example = JSON.parse(JSON.stringify(exampleOf(given, 'ab') ?? null)) as Json;
  return fc.tuple(json, json, fc.nat(20), fc.nat(20), fc.nat()).map(([any, other, at, where, which]) => {
    const bounds = boundsOf(given);
    const bound = bounds[which % bounds.length] ?? null;
    const values = [example, changed(example, other, at), changed(example, bound, where), bound, any];
    return JSON.parse(JSON.stringify(values)) as readonly Json[];
  });
}

const SIZES = ['minLength', 'maxLength', 'minItems', 'maxItems'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** Values on the bounds of a schema, wherever in it they stand, and next to them. */
function boundsOf(part: unknown): Json[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([keyword, value]) => {
    if (typeof value !== 'number') return boundsOf(value);
    if (NUMBERS.includes(keyword)) return [value, value - 1, value + 1, value * 2, value + 0.5];
    return SIZES.includes(keyword) ? [value, Math.max(0, value - 1), value + 1].flatMap(sized) : [];
  });
}

function sized(length: number): Json[] {
  return ['b'.repeat(length), '😀'.repeat(length), Array.from({ length }, () => 1)];
}

/** The value with another one in the place of its part number `at`, counted through all parts. */
function changed(value: Json, other: Json, at: number): Json {
  let left = at % Math.max(1, partsOf(value));
  const visit = (part: Json): Json => {
    if (left-- === 0) return other;
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, visit(each)]));
  };
  return visit(value);
}

function partsOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  return 1 + Object.values(value).reduce<number>((sum, each) => sum + partsOf(each), 0);
}
