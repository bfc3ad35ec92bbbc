import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passInPieces } from '../openai/json-pieces.ts';
import { compactJson, toJson } from './json-text.ts';
import { JsonView } from './json-view.ts';

const viewOf = (text: string): JsonView => {
  const view = JsonView.of(Buffer.from(text));
  if (view === null) throw new Error('not JSON');
  return view;
};

test('a view of any document, written or compacted, is the document', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      const view = viewOf(`\n${JSON.stringify(value, null, indent)} `);
      expect(JSON.parse(toJson({ it: [view] }).toString())).toEqual({ it: [JSON.parse(JSON.stringify(value))] });
      expect(compactJson(view)).toBe(JSON.stringify(JSON.parse(view.bytes.toString())));
    }),
  );
});

test('a view keeps digits, and tells absent and null alike', () => {
  const view = viewOf('{"n": 12345678901234567890.10, "z": null, "s": "a\\u00e9\\n", "l": [1, [2]]}');
  expect(view.get('n')?.bytes.toString()).toBe('12345678901234567890.10');
  expect([view.get('z'), view.get('y'), view.get('s')?.get('n')]).toEqual([undefined, undefined, undefined]);
  expect(view.get('s')?.text()).toBe('aé\n');
  expect(view.get('n')?.text()).toBeNull();
  expect(
    view
      .get('l')
      ?.elements()
      .map((each) => each.kind),
  ).toEqual(['number', 'array']);
  expect(view.elements()).toEqual([]);
});

test('a view of more values than one pass takes apart is whole all the same', () => {
  const value = { list: Array.from({ length: 30_000 }, (_, index) => [index, { a: [index] }]), after: 'it' };
  const view = viewOf(JSON.stringify(value));
  expect(view.get('after')?.text()).toBe('it');
  const last = view.get('list')?.elements().at(-1);
  expect(
    last
      ?.elements()[1]
      ?.get('a')
      ?.elements()
      .map((each) => each.parsed()),
  ).toEqual([29_999]);
  expect(compactJson(view)).toBe(JSON.stringify(value));
});

test('a view of a document that was passed before is the same, however deep its large values stand', async () => {
  const text = 'x'.repeat(70_000);
  const value = {
    a: [{ b: [text, { c: text }] }, 1],
    d: { e: 'it' },
    f: Array.from({ length: 20_000 }, () => 12_345),
  };
  const document = Buffer.from(` ${JSON.stringify(value)}`);
  const passed = await passInPieces(document);
  expect(passed?.size).toBeGreaterThan(4);
  const view = JsonView.of(document, passed);
  expect(view === null ? null : compactJson(view)).toBe(JSON.stringify(value));
  const inner = view?.get('a')?.elements()[0]?.get('b')?.elements()[1]?.get('c');
  expect(inner?.text()).toBe(text);
  expect(view?.get('d')?.get('e')?.scan().string()).toBe('it');
});

test.each(['', '{', '[1,]', '[[1}]', '{"a":{"b"}}', '{"a":1}{}', '\u{feff}{}'])(
  'a view of %j there is none',
  (text) => {
    expect(JsonView.of(Buffer.from(text))).toBeNull();
  },
);

test('members that are undefined are not written, and keys are written as they are', () => {
  expect(toJson({ a: undefined, 'b"': [true, null, 'ü', 1.5], c: {} }).toString()).toBe(
    '{"b\\"":[true,null,"ü",1.5],"c":{}}',
  );
});
