import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketEnd, bucketStart, segmentsOf } from './segments.ts';

const HOUR_MS = 3_600_000;
const hours = fc.integer({ min: 0, max: 20_000 }).map((hour) => Date.UTC(2026, 0) + hour * HOUR_MS);

test('segments cover a stretch without gaps or overlaps, each with whole buckets of its kind', () => {
  const grains = fc.constantFrom([], ['day' as const], ['month' as const], ['month' as const, 'day' as const]);
  fc.assert(
    fc.property(hours, hours, grains, (one, other, kinds) => {
      const stretch = { fromMs: Math.min(one, other), toMs: Math.max(one, other) };
      const segments = segmentsOf(stretch, kinds).toSorted((a, b) => a.fromMs - b.fromMs);
      const ends = [stretch.fromMs, ...segments.map(({ toMs }) => toMs)];
      expect(segments.map(({ fromMs }) => fromMs)).toEqual(ends.slice(0, -1));
      expect(ends.at(-1)).toBe(stretch.toMs);
      for (const { grain, fromMs, toMs } of segments) {
        expect([bucketStart(grain, fromMs), bucketEnd(grain, toMs - 1)]).toEqual([fromMs, toMs]);
      }
      expect(segments.filter(({ grain }) => grain === 'hour').length).toBeLessThanOrEqual(2);
    }),
  );
});
