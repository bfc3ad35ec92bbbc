import { expect, test } from 'vitest';
import { quickCheckOf } from './quick-check.ts';
import { checkSchema } from './schema-check.ts';
import type { JsonObject } from './schema-keywords.ts';
import { compileSchema } from './schema-validator.ts';

// Each keyword at its bounds: what the short way takes conforms, and it takes all that conforms here.

const draft4 = (schema: object): object => ({ $schema: 'http://json-schema.org/draft-04/schema#', ...schema });

/** Keywords that no value fails. */
const SILENT = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $comment: 'x',
  $defs: {},
  default: 1,
  definitions: {},
  deprecated: true,
  description: 'x',
  examples: [1],
  readOnly: true,
  title: 'x',
  writeOnly: true,
};

/** A schema, values that conform, and values that don't. */
const BOUNDS: readonly (readonly [object, readonly unknown[], readonly unknown[]])[] = [
  [{ minimum: 2 }, [2, 3, 'a'], [1, 1.5, -2]],
  [{ maximum: 2 }, [2, 1, -3, null], [3, 2.5]],
  [{ exclusiveMinimum: 2 }, [3, 2.5, 'a'], [2, 1]],
  [{ exclusiveMaximum: 2 }, [1, 1.5, []], [2, 3]],
  [{ minimum: 0, exclusiveMinimum: 0 }, [1], [0, -1]],
  [draft4({ minimum: 2, exclusiveMinimum: true }), [3], [2, 1]],
  [draft4({ minimum: 2, exclusiveMinimum: false }), [2, 3], [1]],
  [draft4({ maximum: 2, exclusiveMaximum: true }), [1], [2, 3]],
  [draft4({ maximum: 2, exclusiveMaximum: false }), [2, 1], [3]],
  [{ multipleOf: 3 }, [0, 3, -6, 'a'], [1, 4, 3.5]],
  [{ minLength: 2 }, ['ab', 'abc', '😀😀', 1], ['a', '', '😀']],
  [{ minLength: 0 }, ['', 'a'], []],
  [{ minLength: 3 }, ['abc', '😀ab', 'aaaaaa'], ['😀😀', '😀a', 'ab']],
  [{ maxLength: 2 }, ['ab', '', '😀', 5], ['abc', '😀😀😀']],
  [{ minItems: 2 }, [[1, 1], [1, 2, 3], 'a'], [[1], []]],
  [{ maxItems: 2 }, [[1, 1], [], {}], [[1, 2, 3]]],
  [{ required: ['a', 'b'] }, [{ a: 1, b: 1 }, { a: null, b: null, c: 1 }, [], 'a'], [{ a: 1 }, { b: 1 }, {}]],
  [{ required: ['toString'] }, [{ toString: 1 }], [{}]],
  [{ type: 'object' }, [{}], [[], null, 'a', 1, true]],
  [{ type: 'array' }, [[]], [{}, null, 'a']],
  [{ type: 'null' }, [null], [false, 0, '', {}]],
  [{ type: 'string' }, [''], [null, 1, []]],
  [{ type: 'boolean' }, [true, false], [0, 'true', null]],
  [{ type: 'number' }, [1, 1.5], ['1', null]],
  [{ type: 'integer' }, [1, -0, 1e20], [1.5, '1', null]],
  [{ type: ['string', 'null'] }, ['a', null], [1, {}]],
  [{ const: 1 }, [1], [2, '1', null, true]],
  [{ const: null }, [null], [0, false, '']],
  [{ enum: ['a', 1, null, false] }, ['a', 1, null, false], ['b', '1', 0, true, []]],
  [
    { items: { type: 'integer' } },
    [[], [1, 2], 'a', {}],
    [
      [1, 'a'],
      ['a', 1],
    ],
  ],
  [{ items: false }, [[], {}], [[1]]],
  [{ items: true }, [[1], []], []],
  [{ properties: { a: { type: 'integer' }, b: true } }, [{ a: 1, b: 'x' }, {}, { c: 'x' }, []], [{ a: 'x' }]],
  [{ properties: { a: false } }, [{ b: 1 }], [{ a: 1 }]],
  [{ properties: { toString: false } }, [{}], [{ toString: 1 }]],
  [{ additionalProperties: false }, [{}, [1], 'a'], [{ a: 1 }]],
  [
    { properties: { a: true, b: true }, additionalProperties: { type: 'integer' } },
    [{ a: 'x', b: 'x', c: 1 }, {}],
    [{ c: 'x' }, { a: 1, c: 1, d: 'x' }],
  ],
  [{ allOf: [{ type: 'integer' }, { minimum: 2 }] }, [2], [1, 'a']],
  [{ anyOf: [{ type: 'string' }, { minimum: 2 }] }, ['a', 2], [1]],
  [{ anyOf: [{ items: { type: 'integer' } }, { items: { type: 'string' } }] }, [['a', 'b'], [1]], [['a', 1]]],
  [{ $ref: '#/$defs/a', minimum: 2, $defs: { a: { type: 'integer' } } }, [2], [1, 2.5]],
  [{ $ref: '#/definitions/a', definitions: { a: { type: 'integer' } } }, [2], ['a']],
  [draft4({ $ref: '#/definitions/a', title: 'A', definitions: { a: { type: 'integer' } } }), [2], ['a']],
  [{ properties: { a: { $ref: '#' } }, required: ['b'] }, [{ b: 1 }, { a: { b: 1 }, b: 1 }], [{ a: {}, b: 1 }]],
  [{ format: 'date', 'x-order': 1, ...SILENT }, ['2026-02-28', 1], ['2026-02-30', 'x']],
];

/** More names than there are steps, and an object that has them all. */
const NAMES = Array.from({ length: 5_100 }, (_, at) => `k${at}`);
const OBJECT = Object.fromEntries(NAMES.map((name) => [name, 1]));

test.each(BOUNDS)(
  'the short way decides %j at its bounds as the validator decides it',
  async (schema, conforming, not) => {
    const checked = checkSchema(JSON.stringify(schema));
    const validate = 'message' in checked ? checked : await compileSchema(checked);
    if (typeof validate !== 'function') throw new Error(JSON.stringify(validate));
    const check = quickCheckOf(schema as JsonObject);
    const verdicts = (value: unknown): object => ({
      value,
      quick: check?.(value, 1),
      valid: validate(value).length === 0,
    });
    for (const value of conforming) expect(verdicts(value)).toEqual({ value, quick: true, valid: true });
    for (const value of not) expect(verdicts(value)).toEqual({ value, quick: false, valid: false });
  },
);

test.each<[string, object, unknown]>([
  ['a fraction that a number is to be a multiple of', { multipleOf: 0.5 }, 1.5],
  ['a text whose units are more than its characters may be', { maxLength: 2 }, '😀😀'],
])('what the short way is not sure of is %s: that is left to the validator', (_what, schema, value) => {
  expect(quickCheckOf(schema as JsonObject)?.(value, 1)).toBe(false);
});

test.each<[string, object]>([
  ['two definitions of which one is not there', { $ref: '#/$defs/b', $defs: { a: true } }],
  ['a definition that every object has', { $ref: '#/$defs/toString', $defs: {} }],
  ['a definition with a name that needs escapes', { $ref: '#/$defs/a~0', $defs: { 'a~': true, 'a~0': true } }],
  ['an array of items', { $schema: 'http://json-schema.org/draft-07/schema', items: [true] }],
  [
    'something beside a reference that means nothing',
    draft4({ $ref: '#/definitions/a', minimum: 1, definitions: { a: {} } }),
  ],
  ['constants that are arrays', { const: [] }],
  ['more than 500 schemas', { allOf: Array.from({ length: 500 }, (_, at) => ({ title: String(at) })) }],
])('what the short way is not sure of has no check: %s', (_what, schema) => {
  expect(quickCheckOf(schema as JsonObject)).toBeNull();
});

test('what the short way is not sure of is what needs more steps, or more levels, than there are', () => {
  const list = quickCheckOf({ items: { type: 'integer' } });
  // A step for the list's schema and one for its keyword; for each element one by `items`, two by its schema.
  const ones = (length: number): number[] => Array.from({ length }, () => 1);
  expect([1_665, 1_667].map((length) => list?.(ones(length), 1))).toEqual([true, false]);
  expect([832, 834].map((length) => list?.(ones(length), 2))).toEqual([true, false]);
  const nested = quickCheckOf({ items: { $ref: '#' } });
  const levels = (depth: number): unknown => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], []);
  expect([120, 130].map((depth) => nested?.(levels(depth), 1))).toEqual([true, false]);
  const many = quickCheckOf({ allOf: Array.from({ length: 499 }, (_, at) => ({ title: String(at) })) });
  expect(many?.(1, 1)).toBe(true);
});

test.each<[string, object, unknown, unknown]>([
  ['required', { required: NAMES }, OBJECT, {}],
  ['items', { items: { type: 'integer' } }, NAMES.map(() => 1), NAMES],
  ['anyOf', { anyOf: [{ items: { type: 'integer' } }, { type: 'null' }] }, NAMES.map(() => 1), NAMES],
  ['properties', { properties: Object.fromEntries(NAMES.map((name) => [name, false])) }, {}, OBJECT],
  ['additionalProperties', { additionalProperties: { type: 'integer' } }, OBJECT, { ...OBJECT, k0: 'x' }],
])(
  'what the short way is not sure of is whatever "%s" would look at with more steps than are left, conforming or not',
  (_keyword, schema, good, bad) => {
    const check = quickCheckOf(schema as JsonObject);
    expect([check?.(good, 1), check?.(bad, 1)]).toEqual([false, false]);
  },
);

test('what the short way is not sure of is a text that is looked at too often, eight characters a step', () => {
  const schema = { allOf: Array.from({ length: 10 }, () => ({ minLength: 1 })) };
  const check = quickCheckOf(schema);
  expect([3_900, 4_100].map((length) => check?.('x'.repeat(length), 1))).toEqual([true, false]);
});
