import { expect, test } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

const RATE = { burst: 6, everyMs: 1_000 };

function takes(buckets: TokenBuckets, key: string, count: number, nowMs = 0): number {
  let taken = 0;
  for (let n = 0; n < count; n++) {
    if (buckets.waitMs(key, nowMs) > 0) continue;
    buckets.take(key, nowMs);
    taken += 1;
  }
  return taken;
}

test('a bucket gives its burst, then a token each interval, and never more than its burst', () => {
  const buckets = new TokenBuckets(RATE, 10);
  expect(takes(buckets, 'a', 9)).toBe(6);
  expect(buckets.waitMs('a', 0)).toBe(1_000);
  expect(buckets.waitMs('a', 999)).toBe(1);
  expect(takes(buckets, 'a', 9, 1_000)).toBe(1);
  expect(takes(buckets, 'a', 9, 1_000_000)).toBe(6);
});

test('a token that is given back can be taken again, and a full bucket gets none', () => {
  const buckets = new TokenBuckets(RATE, 10);
  buckets.giveBack('a', 0);
  expect(takes(buckets, 'a', 9)).toBe(6);
  buckets.giveBack('a', 0);
  buckets.giveBack('a', 0);
  expect(takes(buckets, 'a', 9)).toBe(2);
});

test('looking at a bucket makes none', () => {
  const buckets = new TokenBuckets(RATE, 10);
  for (let n = 0; n < 100; n++) buckets.waitMs(String(n), 0);
  expect(buckets.size).toBe(0);
});

test('an exhausted bucket outlives any number of buckets that were used less', () => {
  const buckets = new TokenBuckets(RATE, 1_000);
  expect(takes(buckets, 'victim', 6)).toBe(6);
  for (let n = 0; n < 100_000; n++) takes(buckets, `other ${n}`, 1);
  expect(takes(buckets, 'victim', 6)).toBe(0);
  expect(buckets.size).toBeLessThanOrEqual(1_000);
});

test('buckets that are full again are forgotten first, whatever was used since', () => {
  const buckets = new TokenBuckets(RATE, 100);
  for (let n = 0; n < 60; n++) takes(buckets, `early ${n}`, 1, 0);
  takes(buckets, 'victim', 6, 1_000);
  for (let n = 0; n < 60; n++) takes(buckets, `late ${n}`, 1, 1_000);
  expect(buckets.size).toBe(61);
});
