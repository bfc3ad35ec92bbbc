import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quickCheckOf } from '../../src/structured/quick-check.ts';
import { matcherOf } from '../../src/structured/quick-formats.ts';
import { checkSchema } from '../../src/structured/schema-check.ts';
import { compileSchema } from '../../src/structured/schema-validator.ts';
import type { JsonObject } from '../../src/structured/schema-keywords.ts';
import { schemas, valuesFor } from './random-schemas.ts';

// What the short way lets through is looked at by nobody else, so it is held against two validators of other makes.

async function compiled(schema: object): Promise<(value: unknown) => boolean> {
  const checked = checkSchema(JSON.stringify(schema));
  const validate = 'message' in checked ? null : await compileSchema(checked);
  if (typeof validate !== 'function') throw new Error(`not compiled: ${JSON.stringify(validate ?? checked)}`);
  return (value) => validate(value).length === 0;
}

const takes = (schema: object, value: unknown): boolean | null =>
  quickCheckOf(schema as JsonObject)?.(value, 1) ?? null;

test('the short way takes nothing that does not conform, and most of what does', async () => {
  const seen = { taken: 0, left: 0, not: 0 };
  const cases = schemas.chain((schema) => valuesFor(schema).map((values) => ({ schema, values })));
  await fc.assert(
    fc.asyncProperty(cases, async ({ schema, values }) => {
      const check = quickCheckOf(schema as JsonObject);
      if (check === null) return;
      const other = new Validator(schema, '2020-12');
      const conforms = await compiled(schema);
      for (const value of values) {
        const { valid } = other.validate(value);
        expect(conforms(value)).toBe(valid);
        const taken = check(value, 1);
        if (taken) expect(valid).toBe(true);
        if (!valid) seen.not++;
        else if (taken) seen.taken++;
        else seen.left++;
      }
    }),
    { numRuns: 1_500 },
  );
  expect(Math.min(seen.taken, seen.not)).toBeGreaterThan(200);
  expect(seen.left / seen.taken).toBeLessThan(0.05);
}, 60_000);

test('the short way is there for schemas as SDKs write them, recursive ones among them', () => {
  const node = {
    type: 'object',
    title: 'Node',
    'x-order': 1,
    properties: {
      kind: { enum: ['leaf', 'branch'], description: 'Which.' },
      since: { type: 'string', format: 'date' },
      nodes: { type: 'array', items: { $ref: '#/$defs/node' }, maxItems: 2 },
    },
    required: ['kind', 'nodes'],
    additionalProperties: false,
  };
  const schema = { $ref: '#/$defs/node', $defs: { node } };
  const leaf = { kind: 'leaf', nodes: [] };
  expect(takes(schema, { kind: 'branch', since: '2026-01-02', nodes: [leaf, leaf] })).toBe(true);
  for (const wrong of [
    { kind: 'branch', nodes: [leaf, { ...leaf, kind: 'x' }] },
    { kind: 'branch', nodes: [leaf, leaf, leaf] },
    { ...leaf, since: '2026-02-30' },
    { ...leaf, more: 1 },
    { kind: 'leaf' },
    [leaf],
  ]) {
    expect(takes(schema, wrong)).toBe(false);
  }
});

test.each<[string, object]>([
  ['a pattern', { pattern: '^a$' }],
  ['a keyword that it does not know', { type: 'object', unevaluatedProperties: false }],
  ['a negation', { not: { type: 'string' } }],
  ['constants that are objects', { enum: [1, { a: 1 }] }],
  ['a format that takes long to tell', { format: 'regex' }],
  ['an identifier', { $id: 'https://example.com/a', type: 'string' }],
  ['a reference to elsewhere', { $ref: '#/properties/a', properties: { a: true } }],
  [
    'a reference of draft 7 with something beside it',
    { $schema: 'http://json-schema.org/draft-07/schema#', $ref: '#/definitions/a', minimum: 1, definitions: { a: {} } },
  ],
  ['very many schemas', { anyOf: Array.from({ length: 1_000 }, () => ({ type: 'null' })) }],
])('the short way is not there for %s, wherever that stands', (_what, schema) => {
  expect(quickCheckOf({ ...schema })).toBeNull();
  expect(quickCheckOf({ properties: { b: { items: { anyOf: [schema] } } } })).toBeNull();
});

/** Texts that have a format or nearly so. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: ['2026-02-28', '2024-02-29', '2026-04-31', '1999-12-31', '2026-00-10'],
  'date-time': ['2026-01-31T23:59:59Z', '2026-06-30t10:20:30.25+01:00', '1998-12-31T23:59:60Z', '2026-01-01 10:20:30Z'],
  email: ['a.b-c+d@example.com', '"a b"@example.com', 'a@[127.0.0.1]', 'a@b-.c', '.a@b.c', 'x@1.2-3'],
  ipv4: ['127.0.0.1', '255.255.255.255', '256.1.1.1', '01.2.3.4', '1.2.3'],
  time: ['10:20:30Z', '23:59:60z', '10:20:30.5-23:59', '24:00:00Z', '10:20:30'],
  uri: [
    'https://example.com',
    'http://a.b:8080/c/d?e=f&g=h#i',
    'https://a/%20',
    'https://a/%2',
    'http://a/b#c#d',
    'urn:a',
  ],
  uuid: [
    '123e4567-e89b-12d3-a456-426614174000',
    '123E4567-E89B-12D3-A456-426614174000',
    '123e4567e89b12d3a456426614174000',
  ],
};

test.each(Object.entries(FORMATS))('the short way takes no text that has not the format %s', async (format, texts) => {
  const conforms = await compiled({ format });
  const matches = matcherOf(format);
  const changed = fc
    .tuple(
      fc.constantFrom(...texts),
      fc.nat(50),
      fc.nat(2),
      fc.string({
        maxLength: 2,
        unit: fc.constantFrom('a', '0', 'Z', '-', '.', ':', '@', '/', '%', '#', '\n', ' ', 'é'),
      }),
    )
    .map(([text, at, cut, more]) => text.slice(0, at) + more + text.slice(at + cut));
  let taken = 0;
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...texts), changed), (text) => {
      if (matches?.(text) !== true) return;
      taken++;
      expect(conforms(text)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
  expect(taken).toBeGreaterThan(200);
});
