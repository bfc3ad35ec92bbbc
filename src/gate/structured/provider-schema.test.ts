import { describe, expect, test } from 'vitest';
import type { Dialect } from './dialects.ts';
import { PROVIDER_RULES } from './provider-rules.ts';
import { rewriteFor } from './provider-schema.ts';
import { formsOf } from './schema-forms.ts';
import type { JsonObject } from '../openai/json-object.ts';

const forOpenAi = (schema: JsonObject, dialect: Dialect = '2020-12'): JsonObject | null =>
  rewriteFor(PROVIDER_RULES.openai, schema, dialect);
const forGemini = (schema: JsonObject, dialect: Dialect = '2020-12'): JsonObject | null =>
  rewriteFor(PROVIDER_RULES.gemini, schema, dialect);
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});
const only = (value: JsonObject): JsonObject => object({ a: value });
const closed = (value: JsonObject): JsonObject => ({ ...only(value), additionalProperties: false });

test.each<[string, JsonObject, JsonObject]>([
  [
    'what it enforces stays',
    { type: 'string', pattern: '^a', format: 'date' },
    { type: 'string', pattern: '^a', format: 'date' },
  ],
  [
    'lengths are told',
    { type: 'string', maxLength: 3 },
    { type: 'string', description: 'It must have: maxLength: 3.' },
  ],
  [
    'look-around is told',
    { type: 'string', pattern: '(?=a)' },
    { type: 'string', description: 'It must have: pattern: "(?=a)".' },
  ],
  [
    'what is told joins the description',
    { type: 'string', minLength: 1, description: 'A.' },
    { type: 'string', description: 'A.\n\nIt must have: minLength: 1.' },
  ],
  ['a default is told', { type: 'integer', default: 3 }, { type: 'integer', description: 'It must have: default: 3.' }],
  ['a constant becomes the only value', { const: 'x' }, { type: 'string', enum: ['x'] }],
  ['values have a type', { enum: ['x', null] }, { type: ['string', 'null'], enum: ['x', null] }],
  [
    'a choice of one becomes a choice',
    { oneOf: [{ type: 'string' }, { type: 'null' }] },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
  ],
  [
    'a part alone is taken in',
    { allOf: [{ type: 'string' }], description: 'A.' },
    { type: 'string', description: 'A.' },
  ],
])("in OpenAI's strict mode, %s", (_what, schema, expected) => {
  expect(forOpenAi(only(schema))).toEqual(closed(expected));
});

test("in OpenAI's strict mode, references lead to definitions, with what is said of them around", () => {
  const schema = object(
    { a: { $ref: '#/definitions/b', description: 'A.' }, self: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
    {
      definitions: { b: object({}, { additionalProperties: false }) },
      $schema: 'http://json-schema.org/draft-07/schema#',
    },
  );
  expect(forOpenAi(schema)).toEqual({
    type: 'object',
    properties: {
      a: { description: 'A.', anyOf: [{ $ref: '#/$defs/b' }] },
      self: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
    },
    required: ['a', 'self'],
    additionalProperties: false,
    $defs: { b: { type: 'object', properties: {}, required: [], additionalProperties: false } },
  });
});

test("in OpenAI's strict mode, a schema of an older dialect is written as all later ones have it", () => {
  const bounds = { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false };
  expect(forOpenAi({ ...only(bounds), id: 'https://example.com/a' }, 'draft-04')).toEqual(
    closed({ type: 'number', exclusiveMinimum: 1, maximum: 5 }),
  );
  expect(forGemini(only(bounds), 'draft-04')).toEqual(
    closed({ type: 'number', maximum: 5, description: 'It must have: exclusiveMinimum: 1.' }),
  );
  // Members next to a reference are ignored there.
  const beside = { ...only({ $ref: '#/definitions/b', minLength: 9 }), definitions: { b: { type: 'string' } } };
  expect(forOpenAi(beside, 'draft-07')).toMatchObject({ properties: { a: { $ref: '#/$defs/b' } } });
  expect(forOpenAi(beside, '2019-09')).toBeNull();
});

test("in OpenAI's strict mode, a root that refers to a definition is what that says", () => {
  const definitions = {
    Answer: { ...only({ $ref: '#/definitions/Part' }), description: 'An answer.' },
    Part: closed({ type: 'string' }),
  };
  const $schema = 'http://json-schema.org/draft-07/schema#';
  expect(forOpenAi({ $schema, $ref: '#/definitions/Answer', definitions }, 'draft-07')).toEqual({
    ...closed({ $ref: '#/$defs/Part' }),
    description: 'An answer.',
    $defs: {
      Answer: { ...closed({ $ref: '#/$defs/Part' }), description: 'An answer.' },
      Part: closed({ type: 'string' }),
    },
  });
  for (const $ref of ['#', '#/definitions/None', '#/definitions/Answer/properties/a', 'https://example.com/a']) {
    expect(forOpenAi({ $schema, $ref, definitions }, 'draft-07')).toBeNull();
  }
});

test.each<[string, JsonObject]>([
  ['a root that is no object', { type: 'array', items: { type: 'string' } }],
  ['a root of alternatives', { anyOf: [only({ type: 'string' })] }],
  ['properties that may be left out', { type: 'object', properties: { a: { type: 'string' } } }],
  ['properties that have no name', only({ type: 'object', additionalProperties: { type: 'string' } })],
  ['an object that may be any', only({ type: 'object' })],
  ['a value that may be any', only({})],
  ['an array of any', only({ type: 'array' })],
  ['a tuple', only({ type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'string' } })],
  ['a condition', only({ type: 'string', if: { minLength: 1 }, else: { pattern: 'a' } })],
  ['parts that join', only({ allOf: [{ type: 'string' }, { minLength: 1 }] })],
  ['parts that clash', only({ type: 'string', allOf: [{ type: 'integer' }] })],
  ['objects for values', only({ enum: [{ a: 1 }] })],
  ['a reference into a property', only({ $ref: '#/properties/a' })],
  ['more levels than ten', Array.from({ length: 11 }).reduce<JsonObject>(only, { type: 'string' })],
  ['a schema that never holds', only(object({ b: false }))],
  ['a part with an address of its own', only({ $id: 'a', type: 'string' })],
])("OpenAI's strict mode has no form for %s", (_what, schema) => {
  expect(forOpenAi(schema)).toBeNull();
});

test("Gemini's structured output takes what may be left out and maps, and is told of patterns and open bounds", () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'string', pattern: '^a' },
      b: { type: 'number', minimum: 1, exclusiveMaximum: 2 },
      c: { type: 'object', additionalProperties: { type: 'integer' } },
    },
    required: ['a'],
  };
  expect(forGemini(schema)).toEqual({
    type: 'object',
    properties: {
      a: { type: 'string', description: 'It must have: pattern: "^a".' },
      b: { type: 'number', minimum: 1, description: 'It must have: exclusiveMaximum: 2.' },
      c: { type: 'object', properties: {}, required: [], additionalProperties: { type: 'integer' } },
    },
    required: ['a'],
    additionalProperties: false,
  });
});

test("Gemini's structured output has no form for what leads back to itself", () => {
  const list = object({ next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } });
  expect(forGemini(list)).toBeNull();
  const twice = object({ a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } }, { $defs: { x: { type: 'string' } } });
  expect(forGemini(twice)).not.toBeNull();
});

/** Each restricting keyword with a value, and the providers that enforce it; other models get it described. */
const VALUES: readonly (readonly [keyword: string, value: unknown, type: string, enforcedBy: string])[] = [
  ['minLength', 1, 'string', ''],
  ['maxLength', 2, 'string', ''],
  ['pattern', '^a', 'string', 'openai'],
  ['minimum', 1, 'number', 'openai gemini'],
  ['maximum', 2, 'number', 'openai gemini'],
  ['exclusiveMinimum', 1, 'number', 'openai'],
  ['exclusiveMaximum', 2, 'number', 'openai'],
  ['multipleOf', 2, 'number', 'openai'],
  ['minItems', 1, 'array', 'openai gemini'],
  ['maxItems', 2, 'array', 'openai gemini'],
  ['uniqueItems', true, 'array', ''],
  ['contains', { const: 'x' }, 'array', ''],
  ['minContains', 1, 'array', ''],
  ['maxContains', 2, 'array', ''],
  ['minProperties', 1, 'object', ''],
  ['maxProperties', 2, 'object', ''],
  ['propertyNames', { maxLength: 9 }, 'object', ''],
  ['dependentRequired', { b: ['b'] }, 'object', ''],
  ['not', { const: 'x' }, 'string', ''],
  ['default', 'x', 'string', ''],
  ['examples', ['x'], 'string', ''],
  ['contentEncoding', 'base64', 'string', ''],
  ['contentMediaType', 'text/plain', 'string', ''],
  ...['date-time', 'date', 'time'].map((name) => ['format', name, 'string', 'openai gemini'] as const),
  ...['duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'].map(
    (name) => ['format', name, 'string', 'openai'] as const,
  ),
  ['format', 'uri', 'string', ''],
];

const PARTS: Readonly<Record<string, JsonObject>> = {
  array: { items: { type: 'string' } },
  object: { properties: { b: { type: 'string' } }, required: ['b'], additionalProperties: false },
};

describe.each(['openai', 'gemini'] as const)('every keyword, for %s', (provider) => {
  const rewritten = (schema: JsonObject): JsonObject | null => rewriteFor(PROVIDER_RULES[provider], schema, '2020-12');

  test.each(VALUES)('a keyword is enforced or told, and never lost: "%s": %j', (keyword, value, type, enforcedBy) => {
    const rest = { type, ...PARTS[type] };
    const said = { description: `It must have: ${keyword}: ${JSON.stringify(value)}.` };
    const isEnforced = enforcedBy.split(' ').includes(provider);
    expect(rewritten(only({ ...rest, [keyword]: value }))).toEqual(
      closed({ ...rest, ...(isEnforced ? { [keyword]: value } : said) }),
    );
  });

  test.each<[string, unknown]>([
    ['$id', 'a'],
    ['$anchor', 'a'],
    ['$dynamicRef', '#a'],
    ['$dynamicAnchor', 'a'],
    ['$recursiveRef', '#'],
    ['$recursiveAnchor', true],
    ['patternProperties', { a: true }],
    ['dependentSchemas', { a: {} }],
    ['dependencies', { a: {} }],
    ['if', {}],
    ['then', {}],
    ['else', {}],
    ['prefixItems', [{}]],
    ['additionalItems', false],
    ['unevaluatedItems', false],
    ['unevaluatedProperties', {}],
  ])('a keyword that no provider knows keeps a schema from being sent: "%s"', (keyword, value) => {
    expect(rewritten(only({ type: 'object', ...PARTS['object'], [keyword]: value }))).toBeNull();
  });

  test.each([
    'title',
    'description',
    'default',
    'examples',
    'deprecated',
    'readOnly',
    'writeOnly',
    '$comment',
    '$schema',
  ])('a keyword that says nothing of values may stand beside a reference and a part: "%s"', (keyword) => {
    const $defs = { b: { type: 'string' } };
    const beside = { [keyword]: 'x' };
    expect(rewritten({ ...only({ $ref: '#/$defs/b', ...beside }), $defs })).toMatchObject({ $defs });
    expect(rewritten(only({ allOf: [{ type: 'string', ...beside }], ...beside }))).not.toBeNull();
  });

  test('a provider has a form for as many levels, properties and values as it takes, and not for one more', () => {
    const { depthMax, propertiesMax, enumValuesMax } = PROVIDER_RULES[provider];
    const text = { type: 'string' };
    const nested = (levels: number): JsonObject => Array.from({ length: levels - 1 }).reduce<JsonObject>(only, text);
    const wide = (most: number): JsonObject =>
      object(Object.fromEntries(Array.from({ length: most }, (_, at) => [`p${at}`, text])));
    const parted = (most: number): JsonObject => object({ a: wide(most - 2), b: text });
    const listed = (most: number): JsonObject => ({ enum: Array.from({ length: most }, (_, at) => `v${at}`) });
    const two = (most: number): JsonObject => object({ a: listed(most), b: listed(1) });
    const lists = (levels: number): JsonObject =>
      only(Array.from({ length: levels - 2 }).reduce<JsonObject>((items) => ({ type: 'array', items }), text));
    for (const [make, most] of [
      [nested, depthMax],
      [lists, depthMax],
      [wide, propertiesMax],
      [parted, propertiesMax],
      [two, enumValuesMax - 1],
    ] as const) {
      expect([make(most), make(most + 1)].map((schema) => rewritten(schema) === null)).toEqual([false, true]);
    }
    const defined = (levels: number): JsonObject => ({ ...only(text), $defs: { b: nested(levels) } });
    expect([depthMax, depthMax + 1].map((levels) => rewritten(defined(levels)) === null)).toEqual([false, true]);
  });

  test.each<[string, JsonObject]>([
    ['two kinds of definitions', { ...only({ type: 'string' }), $defs: {}, definitions: {} }],
    ['definitions that are none', { ...only({ type: 'string' }), $defs: [] }],
    ['alternatives of two kinds', only({ anyOf: [{ type: 'string' }], oneOf: [{ type: 'null' }] })],
    ['a type beside alternatives', only({ type: 'string', anyOf: [{ type: 'string' }] })],
    ['two parts', only({ allOf: [{ type: 'string' }, { description: 'A.' }] })],
    ['a part that is no object', only({ allOf: [true] })],
    ['a name that is required and not described', object({ a: { type: 'string' } }, { required: ['a', 'b'] })],
    ['names that are required, but no list', { type: 'object', properties: { a: { type: 'string' } }, required: 'a' }],
    ['properties that are no object', { type: 'object', properties: [], required: [], additionalProperties: false }],
    ['values of which one is an object', only({ type: 'string', enum: ['x', { a: 1 }] })],
    ['values that are no list', only({ type: 'string', enum: 'x' })],
    ['something beside a reference', only({ $ref: '#', minLength: 1 })],
    ['a reference that is no text', only({ $ref: 1 })],
    ['further properties of any kind', object({ a: { type: 'string' } }, { additionalProperties: true })],
    ['a value of an array', only({ const: [] })],
  ])("a provider's subset of JSON Schema has no form for %s", (_what, schema) => {
    expect(rewritten(schema)).toBeNull();
  });
});

test.each<[string, Dialect, JsonObject, boolean]>([
  ['of 2020-12, whatever it says', '2020-12', { additionalItems: false }, true],
  ['of an older dialect that says nothing else', 'draft-04', only({ type: 'array', items: { minimum: 1 } }), true],
  ['whose root refers to a definition', 'draft-07', { $ref: '#/definitions/a', definitions: { a: {} } }, true],
  ['with a bound that a boolean excludes', 'draft-04', only({ minimum: 1, exclusiveMinimum: true }), false],
  ['with a list of items', 'draft-07', only({ items: [{}] }), false],
  ['with dependencies', 'draft-06', only({ dependencies: { a: ['b'] } }), false],
  ['with a part that has an address', 'draft-04', only({ id: 'a' }), false],
  ['with something beside a reference', 'draft-07', only({ $ref: '#', minimum: 1 }), false],
  ['with a recursive reference', '2019-09', only({ $recursiveRef: '#' }), false],
])('the forms of a schema say whether servers of today read it alike: one %s', (_what, dialect, schema, expected) => {
  expect(formsOf({ schema, dialect }).isCurrent).toBe(expected);
});

test('the forms of a schema tell the original from a rewritten one', () => {
  const same = closed({ type: 'string' });
  expect(formsOf({ schema: same, dialect: '2020-12' }).byProvider.openai).toEqual({
    text: expect.any(String),
    isOriginal: true,
  });
  expect(formsOf({ schema: only({ type: 'string' }), dialect: '2020-12' }).byProvider.openai).toMatchObject({
    isOriginal: false,
  });
});

test.each<[string, JsonObject, string]>([
  ['says that it is an object', { type: 'object' }, 'object'],
  ['refers to an object', { $ref: '#/$defs/a', $defs: { a: { type: 'object' } } }, 'objects'],
  ['chooses among objects', { anyOf: [{ type: 'object' }, { allOf: [{ type: 'object' }, {}] }] }, 'objects'],
  ['may be something else', { anyOf: [{ type: 'object' }, { type: 'null' }] }, 'any'],
  ['names properties without a type', { properties: {} }, 'any'],
  ['is an array', { type: 'array' }, 'any'],
])('the forms of a schema know whether only objects conform where the root %s', (_what, schema, root) => {
  expect(formsOf({ schema, dialect: '2020-12' }).root).toBe(root);
});
