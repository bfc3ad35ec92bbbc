import { Validator } from '@cfworker/json-schema';
import { registerSchema, type SchemaObject, unregisterSchema } from '@hyperjump/json-schema/draft-2020-12';
import { compile, getSchema } from '@hyperjump/json-schema/experimental';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type QuickCheck, quickCheckOf } from '../../src/structured/quick-check.ts';
import { DIALECTS } from '../../src/structured/schema-keywords.ts';
import '../../src/structured/schema-validator.ts';
import { schemas, valuesFor } from './random-schemas.ts';

// What the short way lets through is looked at by nobody else, so it is held against a validator of another make.

const URI = 'https://quick-check.test/schema';

async function quickCheck(schema: object): Promise<QuickCheck | null> {
  registerSchema(schema as SchemaObject, URI, DIALECTS['2020-12']);
  try {
    return quickCheckOf(await compile(await getSchema(URI)));
  } finally {
    unregisterSchema(URI);
  }
}

test('the short way takes what conforms, and nothing else', async () => {
  const seen = { conforming: 0, not: 0 };
  const cases = schemas.chain((schema) => valuesFor(schema).map((values) => ({ schema, values })));
  await fc.assert(
    fc.asyncProperty(cases, async ({ schema, values }) => {
      const check = await quickCheck(schema);
      if (check === null) return;
      const validator = new Validator(schema, '2020-12');
      for (const value of values) {
        const { valid } = validator.validate(value);
        expect(check(value)).toBe(valid);
        if (valid) seen.conforming++;
        else seen.not++;
      }
    }),
    { numRuns: 2_000 },
  );
  expect(Math.min(seen.conforming, seen.not)).toBeGreaterThan(300);
}, 60_000);

test('it is there for schemas as SDKs write them, recursive ones among them, and not where it may be wrong', async () => {
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
  const check = await quickCheck({ $ref: '#/$defs/node', $defs: { node } });
  const leaf = { kind: 'leaf', nodes: [] };
  expect(check?.({ kind: 'branch', since: '2026-01-02', nodes: [leaf, leaf] })).toBe(true);
  for (const wrong of [
    { kind: 'branch', nodes: [leaf, { ...leaf, kind: 'x' }] },
    { kind: 'branch', nodes: [leaf, leaf, leaf] },
    { ...leaf, since: '2026-02-30' },
    { ...leaf, more: 1 },
    { kind: 'leaf' },
    [leaf],
  ]) {
    expect(check?.(wrong)).toBe(false);
  }
  expect(await quickCheck({ type: 'object', unevaluatedProperties: false })).toBeNull();
  expect(await quickCheck({ not: { type: 'string' } })).toBeNull();
  expect(await quickCheck({ enum: [1, { a: 1 }] })).toBeNull();
});
