import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passInPieces } from './json-pieces.ts';
import { isJson, JsonScan } from './json-scan.ts';

/** Enough structure for several pieces. */
const MANY = 700_000;

test('a document that is passed in pieces is JSON where it is in one piece, however it is broken', async () => {
  const mutation = fc.tuple(fc.nat(), fc.constantFrom('', ...'{}[]",:\\ 0e'.split('')), fc.nat(2));
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.array(mutation, { maxLength: 2 }), async (json, mutations) => {
      let text = json;
      for (const [place, inserted, removed] of mutations) {
        const at = place % (text.length + 1);
        text = text.slice(0, at) + inserted + text.slice(at + removed);
      }
      const bytes = Buffer.from(text);
      expect((await passInPieces(bytes)) !== null).toBe(isJson(bytes));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['a list', `[${'1,'.repeat(MANY)}1]`],
  ['lists in objects', `{"a":{"b":[${'[],'.repeat(MANY)}{}]},"c":[${'{"d":[1]},'.repeat(MANY / 5)}2]}`],
  ['a deep one', `[${`${'['.repeat(200)}${']'.repeat(200)},`.repeat(MANY / 200)}1]`],
])('a document that is passed in pieces is passed to its end: %s', async (_what, text) => {
  const bytes = Buffer.from(text);
  const passed = await passInPieces(bytes);
  expect(passed?.get(0)).toBe(bytes.length);
  expect(await passInPieces(bytes.subarray(0, -1))).toBeNull();
  expect(await passInPieces(Buffer.from(text.replace(/1(?=[^1]*$)/, 'x')))).toBeNull();
  for (const [start, end] of passed ?? []) expect(isJson(bytes.subarray(start, end))).toBe(true);
});

test('a document that is passed in pieces is not passed again: a scan knows where its large values end', async () => {
  const bytes = Buffer.from(`{"a":[${'1,'.repeat(MANY)}1],"b":"${'x'.repeat(100_000)}","c":1}`);
  const scan = new JsonScan(bytes, 200, await passInPieces(bytes));
  scan.enterObject();
  while (scan.nextMember()) scan.skip();
  expect([scan.finish(), scan.fault]).toEqual([true, null]);
});

test('a document that is passed in pieces may have so much structure and no more', async () => {
  const bytes = Buffer.from(`[${'1,'.repeat(MANY)}1]`);
  expect(await passInPieces(bytes, 20 * MANY)).not.toBeNull();
  expect(await passInPieces(bytes, 10 * MANY)).toBeNull();
});

test('a document that is passed in pieces lets others be served in between', async () => {
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  await passInPieces(Buffer.from(`[${'1,'.repeat(5 * MANY)}1]`));
  clearInterval(counting);
  expect(turns).toBeGreaterThan(3);
});
