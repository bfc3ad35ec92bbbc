import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonView } from '../json-view.ts';
import { PartialArgs } from './partial-args.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const view = (value: unknown): JsonView => {
  const made = JsonView.of(Buffer.from(JSON.stringify(value)));
  if (made === null) throw new Error('not JSON');
  return made;
};

const nested = (value: Json): boolean => typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** The pieces of a value as Google sends them: a leaf each, long texts in two. */
function piecesOf(value: Json, path: string): object[] {
  if (Array.isArray(value) && nested(value)) return value.flatMap((each, index) => piecesOf(each, `${path}[${index}]`));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, each]) => piecesOf(each, `${path}${stepOf(key)}`));
  }
  if (typeof value === 'number') return [{ jsonPath: path, numberValue: value }];
  if (typeof value === 'boolean') return [{ jsonPath: path, boolValue: value }];
  if (typeof value !== 'string') return [{ jsonPath: path, nullValue: 'NULL_VALUE' }];
  const middle = Math.floor(value.length / 2);
  return [
    { jsonPath: path, stringValue: value.slice(0, middle), willContinue: true },
    { jsonPath: path, stringValue: value.slice(middle) },
  ];
}

function stepOf(key: string): string {
  if (/^[\w-]+$/.test(key)) return `.${key}`;
  return `['${key.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}']`;
}

const { args } = fc.letrec<{ args: { [key: string]: Json }; value: Json }>((tie) => ({
  // An empty container has no leaf that could say so.
  args: fc.dictionary(
    fc.oneof(fc.stringMatching(/^[\w-]{1,6}$/), fc.string({ minLength: 1, maxLength: 4, unit: 'grapheme-ascii' })),
    tie('value'),
    { minKeys: 1, maxKeys: 4, noNullPrototype: true },
  ),
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.string({ unit: 'grapheme-ascii' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
    tie('args'),
  ),
}));

test('arguments in pieces are what they were in one', () => {
  fc.assert(
    fc.property(args, (value) => {
      const partial = new PartialArgs();
      for (const piece of piecesOf(value, '$')) expect(partial.add([view(piece)])).toBe(true);
      expect(JSON.parse(partial.json())).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('pieces may come in any order of places, and a place may be gone on with later', () => {
  const partial = new PartialArgs();
  partial.add([view({ jsonPath: '$.a.x', stringValue: 'one ' }), view({ jsonPath: '$.b', numberValue: 1 })]);
  partial.add([view({ jsonPath: '$.a.y', boolValue: false }), view({ jsonPath: '$.a.x', stringValue: 'two' })]);
  expect(JSON.parse(partial.json())).toEqual({ a: { x: 'one two', y: false }, b: 1 });
});

test('no key means anything but itself', () => {
  const partial = new PartialArgs();
  partial.add([view({ jsonPath: '$.__proto__.polluted', boolValue: true })]);
  expect(partial.json()).toBe('{"__proto__":{"polluted":true}}');
  expect({}).not.toHaveProperty('polluted');
});

test.each(['', 'a', '$', '$..a', '$[0]', '$.a[2]', '$.a[*]', '$.a[999999999]', '$.a.b'])(
  'a piece at %j fits nowhere',
  (jsonPath) => {
    const partial = new PartialArgs();
    expect(partial.add([view({ jsonPath: '$.a[0]', stringValue: 'x' })])).toBe(true);
    expect(partial.add([view({ jsonPath, stringValue: 'x' })])).toBe(false);
  },
);
