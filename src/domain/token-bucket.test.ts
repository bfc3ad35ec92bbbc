import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  allowanceOf,
  type Bucket,
  clampToBucket,
  fullBucket,
  PARTS_PER_PERMIT,
  refilled,
  taken,
  waitFor,
} from './token-bucket.ts';

// Guarantees of a token bucket: a wait is exact to the millisecond, and no interval sees more than the limit and what
// is refilled in it, however often it is read and whatever the clock does.

const perMinuteOf = fc.integer({ min: 1, max: 1_000_000 });
const START_MS = 1_800_000_000_000;

test('a caller that waits as long as it was told gets in, and not a millisecond earlier', () => {
  const property = fc.property(
    perMinuteOf,
    fc.integer({ min: 1, max: 2_000_000 }),
    fc.integer({ min: 0, max: 3_000_000 }),
    (perMinute, permits, used) => {
      const bucket = taken(fullBucket(perMinute, START_MS), used);
      const waitMs = waitFor(bucket, permits);
      const partsAfter = (ms: number): number => refilled(bucket, perMinute, START_MS + ms).parts;
      expect(waitFor(refilled(bucket, perMinute, START_MS + waitMs), permits)).toBe(0);
      if (permits > perMinute) return;
      expect(partsAfter(waitMs)).toBeGreaterThanOrEqual(permits * PARTS_PER_PERMIT);
      if (waitMs > 0) expect(partsAfter(waitMs - 1)).toBeLessThan(permits * PARTS_PER_PERMIT);
    },
  );
  fc.assert(property);
});

test('looking at a bucket on the way changes nothing', () => {
  const property = fc.property(
    perMinuteOf,
    fc.nat({ max: 2_000_000 }),
    fc.array(fc.nat({ max: 20_000 }), { maxLength: 20 }),
    (perMinute, used, steps) => {
      const before = taken(fullBucket(perMinute, START_MS), used);
      let bucket = before;
      let nowMs = START_MS;
      for (const stepMs of steps) {
        nowMs += stepMs;
        bucket = refilled(bucket, perMinute, nowMs);
      }
      expect(bucket.parts).toBe(refilled(before, perMinute, nowMs).parts);
    },
  );
  fc.assert(property);
});

test('what is taken in any stretch of time is at most the limit and what is regained in it', () => {
  const stepOf = fc.record({ laterMs: fc.nat({ max: 30_000 }), wanted: fc.nat({ max: 60 }) });
  const property = fc.property(
    fc.integer({ min: 1, max: 60 }),
    fc.array(stepOf, { maxLength: 50 }),
    (perMinute, steps) => {
      let bucket: Bucket = fullBucket(perMinute, START_MS);
      let nowMs = START_MS;
      const takes: { atMs: number; permits: number }[] = [];
      for (const { laterMs, wanted } of steps) {
        nowMs += laterMs;
        bucket = refilled(bucket, perMinute, nowMs);
        const permits = clampToBucket(perMinute, wanted);
        if (waitFor(bucket, permits) > 0) continue;
        bucket = taken(bucket, permits);
        takes.push({ atMs: nowMs, permits });
      }
      for (const [from, { atMs: fromMs }] of takes.entries()) {
        let sum = 0;
        for (const { atMs, permits } of takes.slice(from)) {
          sum += permits;
          expect(sum * PARTS_PER_PERMIT).toBeLessThanOrEqual(perMinute * (PARTS_PER_PERMIT + atMs - fromMs));
        }
      }
    },
  );
  fc.assert(property);
});

test('stock counts as if it lay in the bucket, and putting back never overfills it', () => {
  const property = fc.property(
    fc.integer({ min: 1, max: 1_000 }),
    fc.nat({ max: 1_000 }),
    fc.nat(),
    (limit, stock, ms) => {
      const inStock = Math.min(limit, stock);
      const later = refilled(fullBucket(limit, START_MS), limit, START_MS + ms, inStock);
      expect(later.parts).toBe((limit - inStock) * PARTS_PER_PERMIT);
      expect(taken(later, -inStock).parts).toBe(limit * PARTS_PER_PERMIT);
      expect(taken(later, -limit, inStock).parts).toBe(later.parts);
    },
  );
  fc.assert(property);
});

test('a clock that goes back gives nothing and takes nothing, and time goes on from there', () => {
  const bucket = taken(fullBucket(60, START_MS), 60);
  const back = refilled(bucket, 60, START_MS - 3_600_000);
  expect(back.parts).toBe(bucket.parts);
  expect(waitFor(back, 1)).toBe(1_000);
  expect(waitFor(refilled(back, 60, START_MS - 3_600_000 + 1_000), 1)).toBe(0);
});

test('what is left counts stock, and is all there again after the milliseconds that it says', () => {
  const property = fc.property(
    perMinuteOf,
    fc.nat({ max: 2_000_000 }),
    fc.nat({ max: 1_000 }),
    (limit, used, stock) => {
      const inStock = Math.min(stock, limit);
      const bucket = taken(fullBucket(limit, START_MS), Math.max(used, inStock));
      const { remaining, resetMs } = allowanceOf(bucket, inStock);
      expect(remaining).toBe(Math.max(0, Math.min(limit, limit - Math.max(used, inStock) + inStock)));
      const partsAfter = (ms: number): number => bucket.parts + limit * ms + inStock * PARTS_PER_PERMIT;
      expect(partsAfter(resetMs)).toBeGreaterThanOrEqual(limit * PARTS_PER_PERMIT);
      if (resetMs > 0) expect(partsAfter(resetMs - 1)).toBeLessThan(limit * PARTS_PER_PERMIT);
    },
  );
  fc.assert(property);
});

test('another limit keeps what is there, as far as it fits', () => {
  const bucket = taken(fullBucket(100, START_MS), 50);
  expect(allowanceOf(refilled(bucket, 1_000, START_MS), 0)).toMatchObject({ limit: 1_000, remaining: 50 });
  expect(allowanceOf(refilled(bucket, 10, START_MS), 0)).toEqual({ limit: 10, remaining: 10, resetMs: 0 });
});

test('permits are bounded by a full bucket, and by nothing where there is no limit', () => {
  expect([clampToBucket(null, 7), clampToBucket(5, 7), clampToBucket(9, 7)]).toEqual([7, 5, 7]);
});
