import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headEnd } from './head-end.ts';

test('the end of a head is where a search finds it, from any position', () => {
  const bytes = fc.array(fc.constantFrom(0x0d, 0x0a, 0x41), { maxLength: 40 }).map((all) => Buffer.from(all));
  fc.assert(
    fc.property(bytes, fc.nat(40), (all, from) => {
      expect(headEnd(all, from)).toBe(from > all.length ? -1 : all.indexOf('\r\n\r\n', from));
    }),
    { numRuns: 5_000 },
  );
});
