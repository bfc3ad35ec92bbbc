import fc from 'fast-check';
import { expect, test } from 'vitest';
import { liftMedia } from './lift-media.ts';

const base64 = fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const dataUrl = fc
  .tuple(fc.constantFrom('image/png', 'IMAGE/GIF', 'application/pdf', 'text/plain', 'image/png;a=b'), base64)
  .map(([type, data]) => `data:${type};base64,${data}`);
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  dataUrl,
  fc.tuple(fc.string(), dataUrl, fc.string()).map((parts) => parts.join('')),
  // JSON within JSON, where quotes are escaped.
  dataUrl.map((url) => JSON.stringify({ url })),
);
const document = fc
  .jsonValue({ maxDepth: 2 })
  .chain((value) => fc.record({ value: fc.constant(value), texts: fc.array(text) }));

test('media that is lifted comes back where it was, whatever the document', () => {
  fc.assert(
    fc.property(document, fc.nat(20), (value, bytesMin) => {
      const bytes = Buffer.from(JSON.stringify(value));
      const { json, restore } = liftMedia(bytes, bytesMin);
      expect(restore(json).toString()).toBe(bytes.toString());
      expect(JSON.parse(restore(JSON.stringify(JSON.parse(json))).toString())).toEqual(JSON.parse(bytes.toString()));
    }),
  );
});

test('media that is lifted is out of the way, and may be put in another place, or twice', () => {
  const data = 'A'.repeat(20_000);
  const { json, restore } = liftMedia(Buffer.from(`{"url":"data:image/png;base64,${data}","text":"é"}`));
  expect(json.length).toBeLessThan(200);
  const { url, text: said } = JSON.parse(json) as { url: string; text: string };
  const mark = url.slice(url.indexOf(',') + 1);
  expect(restore(JSON.stringify([said, mark, mark])).toString()).toBe(`["é","${data}","${data}"]`);
  expect(restore('{}').toString()).toBe('{}');
});

test('media that is lifted is that of images and PDFs only, for plain texts are decoded', () => {
  const body = `"data:text/plain;base64,${'A'.repeat(20_000)}"`;
  expect(liftMedia(Buffer.from(body)).json).toBe(body);
});

test.each([
  ['announced over and over', ';base64,'.repeat(500_000)],
  ['begun over and over, with an escape at its end', `${'data:image/png;base64,'.repeat(200_000)}\\n`],
])('media that is lifted costs little where it is %s', (_what, inner) => {
  const body = Buffer.from(`{"text":"${inner}"}`);
  const before = process.threadCpuUsage();
  liftMedia(body);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(500);
});
